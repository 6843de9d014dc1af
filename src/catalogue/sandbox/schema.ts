import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { FIRED, type SandboxClocksTable, type SandboxTimelineTable } from '../../db/tables/sandbox.ts'
import { Arguments, Choice, Fields, IdText, Nullable, Optional, Paging, Text, Time } from '../../http/wire.ts'
import { toUtcTime } from '../../lib/time.ts'

export type ClockRow = Selectable<SandboxClocksTable>
export type TimelineRow = Selectable<SandboxTimelineTable>

/** How the clock of a product's sandbox stands. */
export const SandboxClock = Type.Object(
  {
    status: Choice(['ready', 'advancing']),
    now: Time(),
    target: Nullable(Time()),
  },
  { title: 'SandboxClock' },
)
export type SandboxClock = Static<typeof SandboxClock>

export const ClockMove = Arguments({
  target: Optional(Text({ max: 19, description: 'Where to, `YYYY-MM-DD HH:MM:SS` in UTC, or a day.' })),
  duration: Optional(
    Text({ max: 60, description: 'Or how far, as ISO 8601 writes it: `P1M`, `P1Y`, `P10DT12H`.' }),
  ),
})
export type ClockMove = Static<typeof ClockMove>

export const TokenWanted = Arguments({
  days: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'How long it is good.' }),
})

/** What a checkout is opened with in the sandbox. */
export const SandboxToken = Type.Object(
  {
    token: Type.String({
      description: 'The option `sandbox` of a checkout; `s_ctx_ts` is not needed beside it.',
    }),
    created: Time(),
    expires: Time(),
  },
  { title: 'SandboxToken' },
)
export type SandboxToken = Static<typeof SandboxToken>

/** Something that happened of itself in a sandbox. */
export const Firing = Type.Object(
  {
    id: IdText(),
    at: Time(),
    what: Choice(FIRED),
    type: Type.String({ description: 'The type of the event that tells the same.' }),
    data: Type.Object({}, { description: 'The ids of what it happened to.' }),
  },
  { title: 'Firing' },
)
export type Firing = Static<typeof Firing>

export const TimelinePage = Arguments({ ...Paging, ...Fields })

/** A sandbox that was never moved is at real time. */
export const UNMOVED: Pick<ClockRow, 'state' | 'ahead_ms' | 'at_ms' | 'target_ms' | 'ready_at'> = {
  state: 'ready',
  ahead_ms: 0,
  at_ms: null,
  target_ms: null,
  ready_at: 0,
}

/** What the clock of a row says, in milliseconds, when it really is `real`. */
export const timeOf = ({ at_ms: at, ahead_ms: ahead }: typeof UNMOVED, real: number): number =>
  at ?? real + ahead

/** Row → wire, when it really is `real`. It is ready when every process tells the new time. */
export function presentClock(row: typeof UNMOVED, real: number): SandboxClock {
  const { state, target_ms: target, ready_at: readyAt } = row
  const isReady = state === 'ready' && readyAt <= real
  return {
    status: isReady ? 'ready' : 'advancing',
    now: toUtcTime(timeOf(row, real)),
    target: isReady || target === null ? null : toUtcTime(target),
  }
}

/** Row → wire. */
export const presentFiring = (row: TimelineRow): Firing => ({
  id: String(row.id),
  at: row.at,
  what: row.what,
  type: row.type,
  data: JSON.parse(row.data) as Firing['data'],
})
