import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueNotices, firstNotice, LICENSE_NOTICES, TRIAL_NOTICES } from './notices.ts'
import type { UtcTime } from '../../lib/time.ts'

const at = (text: string) => text as UtcTime
const END = at('2026-06-30 12:00:00')

test('a license begins with the first notice that is not past yet', () => {
  const cases = [
    ['2026-01-01 00:00:00', 0, '2026-05-31 12:00:00'],
    ['2026-05-31 12:00:00', 1, '2026-06-23 12:00:00'],
    ['2026-06-29 00:00:00', 3, '2026-06-30 12:00:00'],
  ] as const
  for (const [now, notice, notice_at] of cases) {
    assert.deepEqual(firstNotice(END, at(now)), { notice, notice_at })
  }
})

test('an end in the past is told, one that never comes is not', () => {
  assert.deepEqual(firstNotice(END, at('2027-01-01 00:00:00')), { notice: 3, notice_at: END })
  assert.deepEqual(firstNotice(null, at('2027-01-01 00:00:00')), { notice: 0, notice_at: null })
})

test('each notice is due at its time, and then the next one', () => {
  const steps = [
    ['2026-05-31 11:59:59', 0, [], 0, '2026-05-31 12:00:00'],
    ['2026-05-31 12:00:00', 0, ['renewal_reminder'], 1, '2026-06-23 12:00:00'],
    ['2026-06-23 12:00:00', 1, ['renewal_reminder'], 2, '2026-06-28 12:00:00'],
    ['2026-06-28 12:00:00', 2, ['renewal_reminder'], 3, '2026-06-30 12:00:00'],
    ['2026-06-30 12:00:00', 3, ['expired'], 4, '2026-07-01 12:00:00'],
    ['2026-07-01 12:00:00', 4, ['expired_notice'], 5, null],
  ] as const
  for (const [now, given, due, notice, notice_at] of steps) {
    const told = dueNotices(LICENSE_NOTICES, { ends: END, notice: given }, at(now))
    assert.deepEqual(told, { due, after: { notice, notice_at } }, now)
  }
})

test('what a later notice supersedes is passed over, but never the end', () => {
  const late = (now: string) => dueNotices(LICENSE_NOTICES, { ends: END, notice: 0 }, at(now)).due
  assert.deepEqual(late('2026-06-25 00:00:00'), ['renewal_reminder'])
  assert.deepEqual(late('2026-06-30 13:00:00'), ['expired'])
  assert.deepEqual(late('2026-07-07 00:00:00'), ['expired', 'expired_notice'])
  const trial = dueNotices(TRIAL_NOTICES, { ends: END, notice: 0 }, at('2026-07-07 00:00:00'))
  assert.deepEqual(trial, { due: ['expired'], after: { notice: 2, notice_at: null } })
})
