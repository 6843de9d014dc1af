import { sql } from 'kysely'
import { transaction } from '../src/context.ts'
import { testGateway } from '../src/gateways/test/gateway.ts'
import { DAY, toUtcTime } from '../src/lib/time.ts'
import { seedLicenses, type SeededLicenses } from './licenses-seed.ts'
import { benchContext, type Environment } from './seed.ts'

/** Licenses with installs, to verify. */
const VERIFIED = 1_000
/** Users of the seeded product. */
const USERS = 10_000
/** Rows a transaction. */
const ROWS = 10_000

/** A license lives as long after the end of its period. */
const GRACE_MS = 3 * DAY

/** Fills an empty database with licenses to verify, and as many yearly subscriptions that are due. */
export async function seedRenewals(environment: Environment, due: number): Promise<SeededLicenses> {
  const seeded = await seedLicenses(environment, VERIFIED)
  const ctx = await benchContext(environment)
  try {
    const token = ctx.keys.seal(await storedMethod(), 'payment_methods.token')
    const { productId, planId } = seeded
    const now = ctx.clock.now()
    await transaction(ctx, ({ db }) =>
      sql`insert into payment_methods (product_id, user_id, gateway, kind, token, environment, created)
        select product_id, user_id, 'test', 'card', ${token}, 0, created from product_users
        where product_id = ${productId}`.execute(db),
    )
    for (let first = 1; first <= due; first += ROWS) {
      const ends = toUtcTime(ctx.clock.real() + GRACE_MS)
      const part = { first, last: Math.min(due, first + ROWS - 1), productId, planId, now, ends }
      await transaction(ctx, ({ db }) => sql`${licenses(part)}`.execute(db))
    }
    await transaction(ctx, ({ db }) => subscriptions(now).execute(db))
    return seeded
  } finally {
    await ctx.database.close()
  }
}

/** What the test gateway charges later. */
async function storedMethod(): Promise<string> {
  const outcome = await testGateway({ webhookSecret: '' }).setUp({
    key: 'bench',
    token: 'test_succeeds',
    email: 'buyer@example.com',
    returnUrl: 'https://shop.example.com',
  })
  if (outcome.outcome !== 'ready') throw new Error(`The test gateway says ${outcome.outcome}.`)
  return outcome.method.token
}

interface Part {
  readonly first: number
  readonly last: number
  readonly productId: number
  readonly planId: number
  readonly now: string
  readonly ends: string
}

const licenses = ({ first, last, productId, planId, now, ends }: Part) => sql`
  insert into licenses (product_id, user_id, plan_id, quota, activated, activated_local, expiration, secret_key,
    key_hash, is_free_localhost, is_block_features, is_cancelled, is_whitelabeled, is_trial, environment, source,
    notice, created)
  with recursive n(i) as (select ${sql.lit(first)} union all select i + 1 from n where i < ${sql.lit(last)})
  select ${sql.lit(productId)}, 1 + i % ${sql.lit(USERS)}, ${sql.lit(planId)}, 1, 0, 0, ${sql.lit(ends)}, 'due', 'due_' || i,
    1, 1, 0, 0, 0, 0, 0, 0, ${sql.lit(now)}
  from n`

/** Each license that was made to be renewed has fallen due now. */
const subscriptions = (now: string) => sql`
  insert into subscriptions (product_id, user_id, plan_id, license_id, payment_method_id, gateway, billing_cycle,
    currency, tax_rate, country_code, source, environment, amount_per_cycle, initial_amount, renewals_discount,
    renewals_discount_type, renewal_amount, total_gross, outstanding_balance, failed_payments, period_anchor,
    period_start, next_payment, due_at, started_at, attempt, lease_until, fence, created)
  select licenses.product_id, licenses.user_id, licenses.plan_id, licenses.id, payment_methods.id, 'test', 12,
    'usd', 0, 'US', 0, 0, 4999, 4999, 0, 'percentage', 4999, 4999, 0, 0, ${now},
    ${now}, ${now}, ${now}, ${now}, 0, 0, 0, ${now}
  from licenses inner join payment_methods on payment_methods.user_id = licenses.user_id
  where licenses.secret_key = 'due'`
