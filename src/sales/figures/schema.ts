import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Nullable, Optional, Text } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { GROUPS, type Group } from './groups.ts'

const month = (description: string) => Optional(Text({ description }))

/** The argument of a list that can be told by some of them. */
export const groupArgument = (groups: readonly Group[] = GROUPS) =>
  Optional(
    Type.Unsafe<Group>(
      Choice(groups, { description: 'What it is told by beside its time; of what there was alone.' }),
    ),
  )

/** In a row that is told by one: the ID of the plan, the country in capitals, or the months of the cycle, 0 for once. */
export const InGroup = Optional(
  Nullable(Type.String({ description: 'What `group` asks for: plan, country or cycle; null: not known.' })),
)

/** Which months of a product are asked for. */
export const FigureRange = Arguments({
  from: month('First month, `YYYY-MM` in UTC; absent: eleven months before the last.'),
  to: month('Last month, `YYYY-MM` in UTC; absent: the present one.'),
  environment: Type.Unsafe<0 | 1>(Choice([0, 1], { default: 0, description: '1: of the sandbox.' })),
  group: groupArgument(),
  ...Fields,
})
export type FigureRange = Static<typeof FigureRange>

const Amount = (description: string) => Type.Number({ description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const OF_MONTH = {
  month: Type.String({ pattern: '^\\d{4}-\\d\\d$' }),
  currency: Choice(CURRENCIES),
  group: InGroup,
}

/** What a product earned in a month, in units of a currency (docs/ledger.md). */
export const Earnings = Type.Object(
  {
    ...OF_MONTH,
    gross: Amount('Sold, without tax.'),
    tax: Amount('Charged, less what was given back of it.'),
    fees: Amount('Kept by gateways.'),
    refunds: Amount('Given back, or lost in disputes, without tax.'),
    disputes: Amount('Taken by disputes that opened, less what was settled of them; with tax.'),
    net: Amount('gross less fees, refunds and disputes.'),
  },
  { title: 'Earnings' },
)
export type Earnings = Static<typeof Earnings>

const Rate = (description: string) => Nullable(Type.Number({ minimum: 0, description }))

/** What recurs each month, and what came and went in a month, in units of a currency (docs/ledger.md). */
export const RecurringRevenue = Type.Object(
  {
    ...OF_MONTH,
    mrr_at_start: Amount('Monthly recurring revenue when the month began.'),
    new: Amount('Of customers who had none.'),
    expansion: Amount('More of customers who had some.'),
    contraction: Amount('Less of customers who still have some.'),
    churned: Amount('Of customers who have none any more.'),
    mrr: Amount('At the end of the month, or now.'),
    customers_at_start: Count('Customers when the month began.'),
    customers_new: Count('Those who came.'),
    customers_lost: Count('Those who left.'),
    customers: Count('At the end of the month, or now.'),
    customer_churn_rate: Rate('Lost customers, of those at the start; a fraction.'),
    revenue_churn_rate: Rate('Churned and contracted revenue, of that at the start; a fraction.'),
  },
  { title: 'RecurringRevenue' },
)
export type RecurringRevenue = Static<typeof RecurringRevenue>
