import assert from 'node:assert/strict'

/** How much longer the whole may take than its eighths one after another: as long is linear, 8 times quadratic. */
const MOST = 3

/** Milliseconds in which nothing can be told: some systems count processor time in steps of 10. */
const UNSEEN = 30

/** Milliseconds for which this thread was busy, so that what else the machine does counts for little. */
function busyIn(work: () => void): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/**
 * Fails where work on a text of `length` takes much more than eight times the work on an eighth of it. The least of up
 * to five tries of each counts, as compilation and collection of garbage fall on some of them.
 */
export function assertLinear(what: string, length: number, workOn: (length: number) => () => void): void {
  const part = workOn(Math.ceil(length / 8))
  const whole = workOn(length)
  const eighths = () => {
    for (let turn = 0; turn < 8; turn++) part()
  }
  const least = { eighths: Infinity, whole: Infinity }
  for (let tries = 0; tries < 5; tries++) {
    least.eighths = Math.min(least.eighths, busyIn(eighths))
    least.whole = Math.min(least.whole, busyIn(whole))
    if (least.whole <= MOST * least.eighths + UNSEEN) return
  }
  assert.fail(`${what}: ${least.whole} ms, and ${least.eighths} ms for its eighths`)
}
