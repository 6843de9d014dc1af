import { CompiledQuery } from 'kysely'
import { transaction, type Context } from '../src/context.ts'
import type { UtcTime } from '../src/lib/time.ts'
import { pageOfCoupons } from '../src/sales/coupons/list-queries.ts'
import { createSeller, type TestProduct } from '../test/factories.ts'
import { inTurns } from './in-turns.ts'
import type { Call, Load } from './load.ts'
import { startKeywright, startPeer, type Peer, type Server } from './processes.ts'
import { whole, type Benchmark, type Row } from './row.ts'
import { benchContext, environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const FEW = 1_000
const MANY = 1_000_000
const CONNECTIONS = 8
const ROUNDS = 20
const ROUND_MS = 300
const WARM_UP_MS = 1_500
/** How many times the time among few it may take among many. */
const LINE = 1.5
/** Rows an insert. */
const ROWS = 1_000

/** A page of 50 coupons by prefix among very many and among few, on SQLite, each in a database of its own. */
export const couponPrefix: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const load = await startPeer('load.ts', { connections: CONNECTIONS })
  closing.defer(() => load.stop())
  const many = quick ? MANY / 10 : MANY
  const large = await shop(closing, many)
  const small = await shop(closing, FEW)
  const all = () => ['code-']
  return [
    await compare({ large, small, load }, { what: 'one prefix of all', prefixes: all, quick }),
    await compare({ large, small, load }, { what: 'many prefixes', prefixes: tenths, quick }),
  ]
}

interface Shop {
  readonly server: Server
  readonly product: TestProduct
  readonly coupons: number
}

/** Prefixes of 100 codes each, from all over the table, at most 500 of them. */
const tenths = ({ coupons }: Shop): string[] => {
  const prefixes = Array.from({ length: coupons / 100 }, (_, n) => `code-${String(n).padStart(5, '0')}`)
  return prefixes.filter((_, n) => n % Math.ceil(prefixes.length / 500) === 0)
}

/** A server over a database with so many coupons in one product. */
async function shop(closing: AsyncDisposableStack, coupons: number): Promise<Shop> {
  const environment = environmentOf({
    KEYWRIGHT_DATA: await temporaryFolder(closing),
    KEYWRIGHT_BASE_URL: 'https://keywright.example.com',
  })
  const ctx = await benchContext(environment)
  const { product, developer, store } = await transaction(ctx, (tx) => createSeller(tx))
  await transaction(ctx, ({ db }) =>
    db
      .insertInto('coupons')
      .values({ ...row(0, 'CODE-OF-STORE'), product_id: null, store_id: store.id })
      .execute(),
  )
  for (let first = 0; first < coupons; first += ROWS) await insert(ctx, product.id, { first, coupons })
  console.log(`${whole(coupons)} coupons: ${await planOf(ctx, developer.id, product.id)}`)
  await ctx.database.close()
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  return { server, product, coupons }
}

/** Codes in no order, so that those of a page stand far apart in the table. */
const insert = (ctx: Context, productId: number, { first, coupons }: { first: number; coupons: number }) =>
  transaction(ctx, async ({ db }) => {
    const codes = Array.from({ length: ROWS }, (_, n) => ((first + n) * 7_919) % coupons)
    await db
      .insertInto('coupons')
      .values(codes.map((code) => row(productId, `CODE-${String(code).padStart(7, '0')}`)))
      .execute()
  })

const row = (productId: number, code: string) => ({
  product_id: productId,
  store_id: null,
  code,
  code_folded: code.toLowerCase(),
  discount_type: 'percentage' as const,
  discount: 20,
  discount_eur: null,
  discount_gbp: null,
  plans: '1,2',
  licenses: null,
  billing_cycles: '1,12',
  user_type: 'all' as const,
  start_date: '2026-01-31 10:00:00' as UtcTime,
  end_date: '2026-12-31 23:59:59' as UtcTime,
  redemptions: 3,
  redemptions_limit: 100,
  has_renewals_discount: false,
  has_addons_discount: false,
  is_one_per_user: true,
  is_active: true,
  source: 0 as const,
  deleted_at: null,
  created: '2026-01-31 10:00:00' as UtcTime,
  updated: null,
})

async function planOf(ctx: Context, developerId: number, productId: number): Promise<string> {
  const owner = { developerId, productId, userId: null, installId: null }
  const filter = {
    code: undefined,
    prefix: 'code-',
    part: undefined,
    id: undefined,
    count: 50,
    offset: 0,
    isAlone: false,
  }
  const { sql, parameters } = pageOfCoupons(ctx.db, owner, filter).compile()
  const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
  const { rows } = await ctx.db.executeQuery<{ detail: string }>(plan)
  return rows.map(({ detail }) => detail).join('; ')
}

interface Contest {
  readonly large: Shop
  readonly small: Shop
  readonly load: Peer
}

interface Setting {
  readonly what: string
  readonly prefixes: (shop: Shop) => readonly string[]
  readonly quick: boolean
}

async function compare({ large, small, load }: Contest, { what, prefixes, quick }: Setting): Promise<Row> {
  const runOf = (one: Shop) => async (ms: number) => {
    const { server, product } = one
    const calls = prefixes(one).map((prefix): Call => {
      return { method: 'GET', path: `/v1/products/${product.id}/coupons.json?count=50&prefix=${prefix}` }
    })
    const result = await load.ask<Load>({ address: server.address, token: product.token, calls, ms })
    if (result.failures > 0) throw new Error(`${result.failures} calls failed at ${server.address}.`)
    return result
  }
  const name = `50 coupons by ${what}, among ${whole(large.coupons)} and ${whole(small.coupons)}`
  const turns = { rounds: ROUNDS, roundMs: ROUND_MS, warmUpMs: WARM_UP_MS, quick }
  const { ratio, ...figures } = await inTurns(name, [runOf(large), runOf(small)], turns)
  const times = 1 / ratio
  return { name, ...figures, ratio: times.toFixed(2), line: `≤ ${LINE}`, pass: times <= LINE }
}
