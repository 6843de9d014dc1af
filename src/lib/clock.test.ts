import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestClock } from '../../test/clock.ts'
import { SystemClock } from './clock.ts'

test('the system clock tells the time of the machine for every product', () => {
  const before = Date.now()
  const systemClock = new SystemClock()
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

for (const [name, clock] of [
  ['the system clock', new SystemClock()],
  ['a test clock', new TestClock(1_000)],
] as const) {
  test(`${name} tells of each sandbox what it has learnt, and never goes back`, () => {
    const [real, ahead] = [clock.real(), 1_000_000]
    clock.learn(7, { aheadMs: ahead })
    const told = clock.of(7, 1)
    assert.ok(told >= real + ahead && told <= clock.real() + ahead)
    assert.ok(clock.of(8, 1) <= clock.real())
    assert.ok(clock.of(7, 0) <= clock.real())
    clock.learn(7, { atMs: told - 500 })
    assert.equal(clock.of(7, 1), told)
    clock.learn(7, { atMs: told + 500 })
    assert.equal(clock.of(7, 1), told + 500)
    clock.learn(7, { aheadMs: 0 })
    assert.equal(clock.of(7, 1), told + 500)
  })
}
