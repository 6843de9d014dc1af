import type { Context, ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { checkSpan } from '../../http/span.ts'
import type { Scope } from '../../access/scope.ts'
import { toDecimal, type Currency } from '../../lib/money.ts'
import { monthOf, monthsAfter, monthsFrom, parseMonth, startOf, type Month } from '../../lib/months.ts'
import { SECOND, toUtcTime } from '../../lib/time.ts'
import { groupText, type Group } from './groups.ts'
import { movements, sumsOfAccounts, type Movements, type Stretch, type ToldBy } from './queries.ts'
import type { Earnings, FigureRange, RecurringRevenue } from './schema.ts'

type FigureContext = ReadContext & Pick<Context, 'database'>

/** Months that are told at once. */
const MOST_MONTHS = 60
const BY_DEFAULT = 12

/** The months must be months, in order, and not too many. */
export const checkRange = async (range: FigureRange, problems: Problems): Promise<void> =>
  checkSpan(range, problems, {
    parse: parseMonth,
    form: 'a month, YYYY-MM',
    isTooLong: (first, last) => monthsAfter(first, MOST_MONTHS) <= last,
    most: `${MOST_MONTHS} months`,
  })

/**
 * What a product earned, by month and currency, of the months in which something moved (docs/ledger.md). Read beside
 * the requests, a month at a time, so that other long reads have their turn (`docs/decisions.md` 4.7).
 */
export async function getEarnings(ctx: FigureContext, scope: Scope, range: FigureRange): Promise<Earnings[]> {
  const found: Earnings[] = []
  for (const { month, stretch } of stretchesOf(ctx, scope, range)) {
    const rows = await sumsOfAccounts(ctx.database.background, scope, stretch)
    const told = Map.groupBy(rows, ({ currency, told_by: by }) => JSON.stringify([currency, by]))
    for (const of of told.values()) {
      const [{ currency, told_by: by }] = of as [(typeof rows)[number]]
      const sums = new Map(of.map(({ account, amount }) => [account, Number(amount)]))
      found.push(presentEarnings({ month, currency, ...inGroup(range.group, by) }, sums))
    }
  }
  return found
}

/** What a row says of what it is told by, where that was asked for. */
const inGroup = (group: Group | undefined, by: ToldBy) => group !== undefined && { group: groupText(by) }

/** What is ours stands above zero in the ledger, and what it comes from below. */
function presentEarnings(
  of: { readonly month: Month; readonly currency: Currency; readonly group?: string | null },
  sums: ReadonlyMap<string, number>,
): Earnings {
  const sumOf = (account: string) => sums.get(account) ?? 0
  const gross = 0 - sumOf('revenue')
  const [fees, refunds, disputes] = [sumOf('gateway_fees'), sumOf('refunds'), sumOf('disputes')]
  return {
    ...of,
    gross: toDecimal(gross),
    tax: toDecimal(0 - sumOf('tax')),
    fees: toDecimal(fees),
    refunds: toDecimal(refunds),
    disputes: toDecimal(disputes),
    net: toDecimal(gross - fees - refunds - disputes),
  }
}

/** What recurs of a product's subscriptions, by month and currency, of the months in which something did. */
export async function getRecurringRevenue(
  ctx: FigureContext,
  scope: Scope,
  range: FigureRange,
): Promise<RecurringRevenue[]> {
  const found: RecurringRevenue[] = []
  for (const { month, stretch } of stretchesOf(ctx, scope, range)) {
    const rows = await movements(ctx.database.background, scope, stretch)
    found.push(...rows.map((row) => presentRevenue({ month, ...inGroup(range.group, row.told_by) }, row)))
  }
  return found
}

function presentRevenue(
  { month, ...group }: { readonly month: Month; readonly group?: string | null },
  row: Movements,
): RecurringRevenue {
  const money = (of: 'was' | 'now' | 'new' | 'expansion' | 'contraction' | 'churned') =>
    toDecimal(Number(row[of]))
  const gone = Number(row.churned) + Number(row.contraction)
  return {
    month,
    currency: row.currency,
    ...group,
    mrr_at_start: money('was'),
    new: money('new'),
    expansion: money('expansion'),
    contraction: money('contraction'),
    churned: money('churned'),
    mrr: money('now'),
    customers_at_start: Number(row.customersWas),
    customers_new: Number(row.customersNew),
    customers_lost: Number(row.customersLost),
    customers: Number(row.customersNow),
    customer_churn_rate: rateOf(Number(row.customersLost), Number(row.customersWas)),
    revenue_churn_rate: rateOf(gone, Number(row.was)),
  }
}

/** A fraction to four decimals; null of nothing. */
const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** The months that are asked for, up to the present one on the clock of the environment. */
function stretchesOf(
  { clock }: FigureContext,
  { productId }: Scope,
  { from, to, environment, group }: FigureRange,
): { readonly month: Month; readonly stretch: Stretch }[] {
  const now = clock.of(productId, environment)
  const present = monthOf(toUtcTime(now))
  const wanted = parseMonth(to ?? '') ?? present
  const last = wanted > present ? present : wanted
  const first = parseMonth(from ?? '') ?? monthsAfter(last, 1 - BY_DEFAULT)
  return monthsFrom(first, last).map((month) => {
    const until = month === present ? toUtcTime(now + SECOND) : startOf(monthsAfter(month, 1))
    return { month, stretch: { environment, from: startOf(month), until, group } }
  })
}
