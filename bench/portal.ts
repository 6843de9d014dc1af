import { sql } from 'kysely'
import { transaction } from '../src/context.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import { ENGINES, placeOn } from './place.ts'
import { vacuum } from './postgres.ts'
import { startKeywright } from './processes.ts'
import { quantile, type Benchmark, type Row } from './row.ts'
import { seedBuyers } from './sales-seed.ts'
import { inContext, type Environment } from './seed.ts'

const LICENSES = 500
const SITES = 1_000
const ASKED = 200
/** A buyer who has much waits so many times as long as one who has little, at most. */
const LINE = 2

/** Who has much, and who has one license on one site. */
const [MUCH, LITTLE] = [1, 2]

interface Buyer {
  readonly id: number
  readonly token: string
  readonly license: number
}

/** What the pages of the portal ask for, by a buyer with 500 licenses of 1,000 sites each beside one with one of one. */
export const portal: Benchmark = async ({ quick }) => {
  const results: Row[] = []
  for (const engine of ENGINES) {
    await using closing = new AsyncDisposableStack()
    const place = await placeOn(engine, closing)
    const { productId, buyers } = await seed(place.environment, quick ? SITES / 10 : SITES)
    if (place.url) await vacuum(place.url)
    const server = await startKeywright(place.environment)
    closing.defer(() => server.stop())
    for (const [name, pathOf] of PAGES) {
      const [much, little] = await turns(server.address, buyers, (buyer) => pathOf(buyer, productId))
      const ratio = much / little
      results.push({
        name: `portal, ${name}, ${engine}`,
        ours: `p50 ${much.toFixed(1)} ms`,
        reference: `${little.toFixed(1)} ms`,
        ratio: ratio.toFixed(2),
        line: `≤ ${LINE}`,
        pass: ratio <= LINE,
      })
    }
  }
  return results
}

type PathOf = (buyer: Buyer, productId: number) => string

const PAGES: readonly (readonly [name: string, path: PathOf])[] = [
  ['licenses', ({ id }, product) => `/users/${id}/products/${product}/licenses.json?count=26`],
  ['a license', ({ id, license }, product) => `/users/${id}/products/${product}/licenses/${license}.json`],
  [
    'sites of a license',
    ({ id, license }, product) =>
      `/users/${id}/products/${product}/installs.json?license_id=${license}&count=26`,
  ],
  ['subscriptions', ({ id }, product) => `/users/${id}/products/${product}/subscriptions.json?count=26`],
  ['payments', ({ id }, product) => `/users/${id}/products/${product}/payments.json?count=26`],
]

/** The median of each, asked in turns. */
async function turns(
  address: string,
  buyers: readonly [Buyer, Buyer],
  pathOf: (buyer: Buyer) => string,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let n = -20; n < ASKED; n++)
    for (const [which, buyer] of buyers.entries()) {
      const start = performance.now()
      const reply = await fetch(`${address}/v1${pathOf(buyer)}`, {
        headers: { authorization: `FSA ${buyer.id}:${buyer.token}` },
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${pathOf(buyer)}: ${reply.status} ${text}`)
      if (n >= 0) times[which as 0 | 1].push(performance.now() - start)
    }
  return [quantile(times[0], 0.5), quantile(times[1], 0.5)]
}

/** A number as it stands in a statement: PostgreSQL takes a parameter of a select for text. */
const raw = (value: number) => sql.raw(String(value))

async function seed(environment: Environment, sites: number) {
  return inContext(environment, async (ctx) => {
    const { productId, planId, developerId } = await seedBuyers(ctx)
    const key = ctx.keys.seal('sk_'.padEnd(32, '0'), 'licenses.secret_key')
    const secret = ctx.keys.seal('sk_'.padEnd(32, '0'), 'installs.secret_key')
    const at = '2026-01-31 10:00:00'
    const count = LICENSES + 1
    const owner = sql`case i when ${raw(LICENSES)} then ${raw(LITTLE)} else ${raw(MUCH)} end`
    await transaction(ctx, async ({ db }) => {
      await sql`insert into sites (id, developer_id, address, created) values (1, ${raw(developerId)}, 'bench', ${at})`.execute(
        db,
      )
      await sql`insert into licenses (id, product_id, user_id, plan_id, quota, activated, activated_local, expiration,
          is_free_localhost, is_block_features, is_cancelled, is_whitelabeled, is_trial, environment, source, notice,
          secret_key, key_hash, created)
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ${raw(count - 1)})
        select i + 1, ${raw(productId)}, ${owner}, ${raw(planId)}, null, ${raw(sites)}, 0, null, 1, 1, 0, 0, 0, 0, 0, 0, ${key},
          'hash ' || i, ${at} from n`.execute(db)
    })
    for (let first = 0; first < LICENSES * sites; first += STEP)
      await transaction(ctx, ({ db }) =>
        sql`insert into installs (product_id, user_id, plan_id, site_id, uid, url, host, title, version, license_id,
            counted_as, gross, is_active, is_disconnected, is_premium, is_uninstalled, is_locked, is_beta, environment,
            source, public_key, secret_key, created)
          with recursive n(i) as (select ${raw(first)} union all select i + 1 from n
            where i < ${raw(first + STEP - 1)})
          select ${raw(productId)}, ${raw(MUCH)}, ${raw(planId)}, 1, 'uid ' || i, '', 'site-' || i, '', '1.0.0', 1 + i % ${raw(LICENSES)},
            'production', 0, 1, 0, 1, 0, 0, 0, 0, 0, 'pk ' || i, ${secret}, ${at} from n`.execute(db),
      )
    await transaction(ctx, ({ db }) =>
      sql`insert into installs (product_id, user_id, plan_id, site_id, uid, url, host, title, version, license_id,
          counted_as, gross, is_active, is_disconnected, is_premium, is_uninstalled, is_locked, is_beta, environment,
          source, public_key, secret_key, created)
        values (${raw(productId)}, ${raw(LITTLE)}, ${raw(planId)}, 1, 'uid', '', 'site', '', '1.0.0', ${raw(count)}, 'production', 0, 1, 0, 1,
          0, 0, 0, 0, 0, 'pk', ${secret}, ${at})`.execute(db),
    )
    const buyerOf = async (id: number, license: number): Promise<Buyer> => {
      const { access } = await transaction(ctx, (tx) => issueAccessToken(tx, { developerId, userId: id }))
      return { id, license, token: access }
    }
    const buyers = [await buyerOf(MUCH, 1), await buyerOf(LITTLE, count)] as const
    return { productId, buyers }
  })
}

const STEP = 10_000
