import type { Context, ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { checkSpan } from '../../http/span.ts'
import type { Scope } from '../../access/scope.ts'
import { dayOf, daysAfter, parseDay, startOfDay, type Day } from '../../lib/days.ts'
import { fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { countAttempts, type Counted } from './figure-queries.ts'
import type { FigureDays, WebhookFigures } from './figure-schema.ts'
import { getWebhook } from './service.ts'

/** Days that are told at once, and without being asked for others; attempts are kept no longer. */
const MOST = 31
const DAYS = 30

/** The days must be days, in order, and not too many. */
export const checkFigureDays = async (range: FigureDays, problems: Problems): Promise<void> =>
  checkSpan(range, problems, {
    parse: parseDay,
    form: 'a day, YYYY-MM-DD',
    isTooLong: (first, last) => daysAfter(first, MOST) <= last,
    most: `${MOST} days`,
  })

/** Absent days are the last 30, or the 30 from or up to the one that was given. */
function daysOf(now: number, { from, to }: FigureDays): { readonly first: Day; readonly last: Day } {
  const [first, last] = [parseDay(from ?? ''), parseDay(to ?? '')]
  if (first !== null) return { first, last: last ?? daysAfter(first, DAYS - 1) }
  const end = last ?? dayOf(toUtcTime(now))
  return { first: daysAfter(end, 1 - DAYS), last: end }
}

/** 404 when the product has no such listener. Attempts are kept for 30 days; those of earlier days count as none. */
export async function getFigures(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  id: number,
  asked: FigureDays,
): Promise<WebhookFigures> {
  await getWebhook(ctx, scope, id)
  const { first, last } = daysOf(ctx.clock.real(), asked)
  const until = daysAfter(last, 1)
  const rows = await countAttempts(ctx.database.background, scope, {
    webhookId: id,
    from: fromUtcTime(startOfDay(first)),
    until: fromUtcTime(startOfDay(until)),
  })
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const figures: WebhookFigures['figures'] = []
  for (let at = first; at < until; at = daysAfter(at, 1)) {
    figures.push({ day: at, ...presentCounted(byDay.get(at)) })
  }
  return { figures, total: presentCounted(byDay.get(null)) }
}

const NONE = { attempts: 0, succeeded: 0, p50: null, p95: null }

const presentCounted = ({ attempts, succeeded, p50, p95 }: Omit<Counted, 'day'> = NONE) => ({
  attempts,
  succeeded,
  failed: attempts - succeeded,
  p50_ms: p50,
  p95_ms: p95,
})
