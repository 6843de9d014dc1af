// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from './growth.ts'

/** Goes through `steps` steps. */
function walk(steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) % 1_000_003
  return sum
}

test('work that grows with its text passes, and work that grows with the square of it does not', () => {
  assertLinear('linear', 2_000_000, (length) => () => walk(length))
  assert.throws(
    () => assertLinear('quadratic', 8_000, (length) => () => walk(length ** 2)),
    /^AssertionError.*: quadratic: [\d.]+ ms, and [\d.]+ ms for its eighths$/,
  )
})
