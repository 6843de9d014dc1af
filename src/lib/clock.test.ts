import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock, TestClock } from './clock.ts'

test('the system clock tells the time of the machine for every product', () => {
  const before = Date.now()
  const told = [systemClock.real(), systemClock.of(1, 0), systemClock.of(1, 1)]
  for (const ms of told) assert.ok(ms >= before && ms <= Date.now())
})

test('a test clock stands still until it is moved', () => {
  const clock = new TestClock(1_000)
  assert.deepEqual([clock.real(), clock.of()], [1_000, 1_000])
  clock.advance(500)
  assert.deepEqual([clock.real(), clock.of()], [1_500, 1_500])
  clock.set(42)
  assert.deepEqual([clock.real(), clock.of()], [42, 42])
  clock.setSandboxAhead(8)
  assert.deepEqual([clock.real(), clock.of(1, 0), clock.of(1, 1)], [42, 42, 50])
})
