import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'

/** What is told about an end, and when: milliseconds after it, before it where negative. */
interface Step<Name extends string> {
  readonly name: Name
  readonly afterMs: number
  /** Happens however late; any other is passed over once the next one is due, or when it is 30 days late. */
  readonly isEnd?: true
}

/** In the order in which they are due. */
export type Schedule<Name extends string> = readonly Step<Name>[]

/** The end of a license: three reminders, the end, and a mail the day after (`docs/interface.md` 5.7). */
export const LICENSE_NOTICES = [
  { name: 'renewal_reminder', afterMs: -30 * DAY },
  { name: 'renewal_reminder', afterMs: -7 * DAY },
  { name: 'renewal_reminder', afterMs: -2 * DAY },
  { name: 'expired', afterMs: 0, isEnd: true },
  { name: 'expired_notice', afterMs: DAY },
] as const satisfies Schedule<string>
export type LicenseNotice = (typeof LICENSE_NOTICES)[number]['name']

/** The end of a trial: one mail before it, and the end. */
export const TRIAL_NOTICES = [
  { name: 'trial_expiring_notice', afterMs: -2 * DAY },
  { name: 'expired', afterMs: 0, isEnd: true },
] as const satisfies Schedule<string>
export type TrialNotice = (typeof TRIAL_NOTICES)[number]['name']

/** The columns of a row that has notices: how many were given or passed over, and when to look at it next. */
export interface Armed {
  readonly notice: number
  readonly notice_at: UtcTime | null
}

/** As late nobody has a use for a mail that should have come then. */
const STALE_MS = 30 * DAY

const timeOf = (ends: UtcTime, { afterMs }: Step<string>) => toUtcTime(fromUtcTime(ends) + afterMs)

/**
 * The columns of a license (or, with its schedule, a trial) that now ends at `expiration`, null for never: for a
 * row that is created, and again whenever its end is another one. What lies in the past is passed over, but not
 * the end itself; an end that was given already and moves within the past is not given again by leaving both
 * columns alone.
 */
export function firstNotice(
  expiration: UtcTime | null,
  now: UtcTime,
  schedule: Schedule<string> = LICENSE_NOTICES,
): Armed {
  if (expiration === null) return { notice: 0, notice_at: null }
  const notice = schedule.findIndex((step) => step.isEnd === true || timeOf(expiration, step) > now)
  const step = schedule[notice]
  return { notice, notice_at: step ? timeOf(expiration, step) : null }
}

/** What is to be told of a license that had ended before it was brought along: nothing, as everybody knows. */
export const NOTHING_TO_TELL: Armed = { notice: LICENSE_NOTICES.length, notice_at: null }

/** What is to be told by now about an end of which `notice` steps were done, and the row's columns after that. */
export function dueNotices<Name extends string>(
  schedule: Schedule<Name>,
  { ends, notice }: { readonly ends: UtcTime; readonly notice: number },
  now: UtcTime,
): { readonly due: readonly Name[]; readonly after: Armed } {
  const open = schedule.slice(notice)
  const passed = open.filter((step) => timeOf(ends, step) <= now)
  const last = passed.at(-1)
  const isTimely = last !== undefined && fromUtcTime(timeOf(ends, last)) + STALE_MS > fromUtcTime(now)
  const due = passed.filter((step) => step.isEnd === true || (step === last && isTimely))
  const next = open[passed.length]
  return {
    due: due.map(({ name }) => name),
    after: { notice: notice + passed.length, notice_at: next ? timeOf(ends, next) : null },
  }
}
