import { sql } from 'kysely'
import { transaction, type Context, type TxContext } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { monthOf, monthsAfter, type Month } from '../src/lib/months.ts'
import { createPlan } from '../src/catalogue/plans/service.ts'
import { environmentOf, inContext, seedSeller, type Environment } from './seed.ts'
import { copyOfTemplate } from './template.ts'

export const BUYERS = 10_000
/** Months over which the payments are spread. */
const MONTHS = 24

export interface SeededSales {
  readonly token: string
  readonly developerId: number
  readonly productId: number
  readonly planId: number
}

/** A data folder on SQLite with this many payments, their postings, and a fifth as many subscriptions. */
export async function salesFolder(payments: number) {
  const files = ['./sales-seed.ts', './seed.ts'].map((name) => new URL(name, import.meta.url))
  const { folder, manifest, remove } = await copyOfTemplate(`sales-${payments}`, files, (draft) =>
    seedSales(environmentOf({ KEYWRIGHT_DATA: draft }), payments),
  )
  return { folder, environment: environmentOf({ KEYWRIGHT_DATA: folder }), seeded: manifest, remove }
}

/** Fills an empty database. */
export async function seedSales(environment: Environment, payments: number): Promise<SeededSales> {
  return inContext(environment, async (ctx) => {
    const seeded = await seedBuyers(ctx)
    const present = monthOf(ctx.clock.now())
    for (let ago = MONTHS; ago > 0; ago--) {
      const month = monthsAfter(present, 1 - ago)
      await transaction(ctx, (tx) => sellIn(tx, seeded, { month, count: Math.round(payments / MONTHS) }))
    }
    return seeded
  })
}

/** A seller with a plan, and who buys it: the ids of the users are 1 to `BUYERS`. */
export async function seedBuyers(ctx: Context): Promise<SeededSales> {
  const seller = await seedSeller(ctx, BUYERS)
  const plan = await transaction(ctx, (tx) => createPlan(tx, systemScope(seller), PLAN))
  return { ...seller, planId: Number(plan.id) }
}

const PLAN = {
  name: 'professional',
  license_type: 1,
  is_free_localhost: true,
  is_block_features: true,
  is_block_features_monthly: true,
} as const

interface Sold {
  readonly month: Month
  readonly count: number
}

async function sellIn({ db }: TxContext, seeded: SeededSales, { month, count }: Sold): Promise<void> {
  const { productId, planId } = seeded
  const at = sql.lit(`${month}-15 10:00:00`)
  const bought = sql`${sql.lit(productId)}, 1 + i % ${sql.lit(BUYERS)}, ${sql.lit(planId)}, 'stripe',
    case i % 10 when 0 then 'eur' when 1 then 'gbp' else 'usd' end, 200000, 'DE', 0, 0`
  const columns = sql`product_id, user_id, plan_id, gateway, currency, tax_rate, country_code, source, environment`
  await sql`insert into subscriptions (${columns}, billing_cycle, amount_per_cycle, initial_amount,
      renewals_discount, renewals_discount_type, renewal_amount, total_gross, outstanding_balance,
      failed_payments, period_anchor, period_start, next_payment, canceled_at, started_at, attempt,
      lease_until, fence, created)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(Math.round(count / 5))})
    select ${bought}, case i % 2 when 0 then 12 else 1 end, 4999, 4999, 0, 'percentage', 4999, 5999, 0, 0,
      ${at}, ${at}, '2090-01-01 10:00:00', case i % 4 when 0 then '2090-01-01 10:00:00' end, ${at}, 0, 0, 0, ${at}
    from n`.execute(db)
  await sql`insert into payments (${columns}, external_id, billing_cycle, type, gross, tax, gateway_fee,
      refunded_gross, refunded_tax, is_renewal, processed_at, created)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    select ${bought}, 'ch_${sql.raw(month)}_' || i, 12, 'payment', 4999, 1000, 175, 0, 0,
      case i % 5 when 0 then 0 else 1 end, ${at}, ${at}
    from n`.execute(db)
  await sql`insert into postings (payment_id, account, currency, amount, environment, product_id, created)
    select payments.id, sides.account, currency, sides.amount, environment, product_id, created
    from payments cross join (
      select 'gateway:stripe' as account, 5824 as amount union all select 'gateway_fees', 175
      union all select 'revenue', -4999 union all select 'tax', -1000) as sides
    where payments.processed_at = ${at} order by payments.id`.execute(db)
}
