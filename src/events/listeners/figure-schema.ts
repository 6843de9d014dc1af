import { Arguments, Fields, Nullable, Optional, Text } from '../../http/wire.ts'
import { Type, type Static } from '../../lib/type.ts'

const day = (description: string) => Optional(Text({ max: 10, description }))

export const FigureDays = Arguments({
  from: day('First day, `YYYY-MM-DD` in UTC; absent: 29 days before the last.'),
  to: day('Last day, `YYYY-MM-DD` in UTC; absent: today, or the 30th.'),
  ...Fields,
})
export type FigureDays = Static<typeof FigureDays>

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Latency = (description: string) => Nullable(Type.Integer({ minimum: 0, description }))

const counts = {
  attempts: Count('How often it was tried.'),
  succeeded: Count('Of these, answered with 2xx.'),
  failed: Count('The others: refused, or without an answer.'),
  p50_ms: Latency('Half of the attempts that had an answer had it in so many milliseconds; null: none had.'),
  p95_ms: Latency('19 of 20 of them had it in so many.'),
}

/** How a listener did on each day, also where it was not tried, and on all of them. */
export const WebhookFigures = Type.Object({
  figures: Type.Array(Type.Object({ day: Type.String(), ...counts }, { title: 'WebhookFiguresOfDay' })),
  total: Type.Object(counts, { title: 'WebhookFiguresInAll' }),
})
export type WebhookFigures = Static<typeof WebhookFigures>
