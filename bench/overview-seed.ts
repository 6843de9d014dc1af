import { sql } from 'kysely'
import { transaction, type TxContext } from '../src/context.ts'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { foldChanges } from '../src/db/fold-counts.ts'
import { BUYERS, seedBuyers, type SeededSales } from './sales-seed.ts'
import { inContext, type Environment } from './seed.ts'

/** Over how many days from today the licenses of the seed end, and over how many until today its rows are made. */
const DAYS = 1_095
/** Of every so many payments one is disputed. */
const DISPUTED = 1_000

export interface SeededOverview extends SeededSales {
  /** Opens the whole account. */
  readonly accountToken: string
  /** The day on which the rows in the middle were made. */
  readonly middle: string
}

/** Fills an empty database with as many licenses, installs, payments and events, and a tenth as many others. */
export async function seedOverview(environment: Environment, count: number): Promise<SeededOverview> {
  return inContext(environment, async (ctx) => {
    const seeded = await seedBuyers(ctx)
    const { developerId } = seeded
    const everything = {
      developerId,
      productIds: null,
      rights: null,
      name: 'bench',
      expiresAt: null,
      madeBy: null,
    }
    const { token: accountToken } = await transaction(ctx, (tx) => issueApiToken(tx, everything))
    const dayOf = (n: number) => new Date(ctx.clock.real() + n * 86_400_000).toISOString().slice(0, 10)
    const days = Array.from({ length: DAYS }, (_, n) => [dayOf(n), dayOf(n - DAYS)] as const)
    await transaction(ctx, async ({ db }) => {
      await sql`create table bench_days (n integer primary key, day text, past text)`.execute(db)
      for (const [n, [day, past]] of days.entries())
        await sql`insert into bench_days values (${n}, ${day}, ${past})`.execute(db)
    })
    await transaction(ctx, ({ db }) =>
      sql`insert into sites (id, developer_id, address, created)
        values (1, ${seeded.developerId}, 'bench', '2026-01-31 10:00:00')`.execute(db),
    )
    for (let first = 0; first < count; first += STEP)
      await transaction(ctx, (tx) => insert(tx, seeded, { first, count }))
    // As the server does while it is written.
    while (
      ctx.database.engine === 'postgres' &&
      (await transaction(ctx, ({ db }) => foldChanges(db, STEP))) > 0
    );
    await transaction(ctx, ({ db }) => sql`drop table bench_days`.execute(db))
    return { ...seeded, accountToken, middle: days[(DAYS / 2) | 0]?.[1] ?? '' }
  })
}

const STEP = 50_000

async function insert(
  { db, keys }: TxContext,
  { productId, planId, developerId }: SeededSales,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  const raw = (text: string) => sql.raw(text)
  const numbers = (of: number) =>
    raw(`with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${first + of - 1})`)
  const sealed = (field: string) => keys.seal('sk_bench', field)
  const at = `(select past from bench_days where bench_days.n = i * ${DAYS} / ${count}) || ' 10:00:00'`
  const owner = `${productId}, 1 + i % ${BUYERS}, ${planId}`
  await sql`insert into licenses (product_id, user_id, plan_id, quota, activated, activated_local, expiration,
      is_free_localhost, is_block_features, is_cancelled, is_whitelabeled, is_trial, environment, source, notice,
      secret_key, key_hash, created)
    ${numbers(STEP)} select ${raw(owner)}, 5, 1, 0,
      case i % 4 when 0 then null else (select day from bench_days where n = i % 1000 * 7919 % ${raw(String(DAYS))}) ||
        case i % 3 when 0 then ' 00:00:30' when 1 then ' 12:00:00' else ' 23:59:30' end end,
      1, 1, case i % 10 when 0 then 1 else 0 end, 0, 0, 0, 0, 0, ${sealed('licenses.secret_key')}, 'hash ' || i, ${raw(at)} from n`.execute(
    db,
  )
  await sql`insert into installs (product_id, user_id, plan_id, site_id, uid, url, host, title, version, license_id,
      counted_as, gross, is_active, is_disconnected, is_premium, is_uninstalled, is_locked, is_beta, environment,
      source, public_key, secret_key, created)
    ${numbers(STEP)} select ${raw(owner)}, 1, 'uid ' || i, '', 'site-' || i, '', '1.0.0', null, null, 0,
      1, 0, 1, case i % 5 when 0 then 1 else 0 end, 0, 0, 0, 0, 'pk ' || i, ${sealed('installs.secret_key')}, ${raw(at)} from n`.execute(
    db,
  )
  const sold = raw(`${owner}, 'stripe', 'usd', 200000, 'DE', 0, 0`)
  const columns = sql`product_id, user_id, plan_id, gateway, currency, tax_rate, country_code, source, environment`
  await sql`insert into payments (${columns}, external_id, billing_cycle, type, gross, tax, gateway_fee,
      refunded_gross, refunded_tax, is_renewal, processed_at, created, bound_payment_id)
    ${numbers(STEP)} select ${sold}, 'ch ' || i, 12, case i % ${raw(String(DISPUTED))} when 1 then 'disputed' else
      'payment' end, 4999, 1000, 175, 0, 0, 0, ${raw(at)}, ${raw(at)},
      case i % ${raw(String(DISPUTED))} when 1 then i end from n`.execute(db)
  await sql`insert into subscriptions (${columns}, billing_cycle, amount_per_cycle, initial_amount,
      renewals_discount, renewals_discount_type, renewal_amount, total_gross, outstanding_balance,
      failed_payments, period_anchor, period_start, next_payment, canceled_at, started_at, attempt,
      lease_until, fence, created)
    ${numbers(STEP / 5)} select ${sold}, 12, 4999, 4999, 0, 'percentage', 4999, 5999, 0,
      case i % 100 when 0 then 1 else 0 end, ${raw(at)}, ${raw(at)}, '2090-01-01 10:00:00', null, ${raw(at)}, 0, 0, 0,
      ${raw(at)} from n`.execute(db)
  await sql`insert into events (developer_id, product_id, user_id, type, data, event_trigger, state, created)
    ${numbers(STEP)} select ${raw(`${developerId}, ${productId}`)}, 1 + i % ${raw(String(BUYERS))},
      'license.created', null, 'system', 'processed', ${raw(at)} from n`.execute(db)
  await sql`insert into audit_log (at, action, actor_kind, actor_id, credential, product_id, developer_id, user_id,
      license_id, request_id, details)
    ${numbers(STEP)} select 1769853600000 + i, 'licenses/update', 'token', 1, 'token:1',
      ${raw(`${productId}, ${developerId}`)}, 1 + i % ${raw(String(BUYERS))}, 1 + i, 'request ' || i, '{}' from n`.execute(
    db,
  )
}
