import { type Context, transaction, type TxContext } from '../context.ts'
import { takeTurns } from '../db/take-turns.ts'
import { DAY } from '../lib/time.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { listApiTokens, revokeApiToken } from '../accounts/developers/developer-rows.ts'
import { createDeveloper } from '../accounts/developers/service.ts'
import { createProduct } from '../catalogue/products/service.ts'
import { createStore } from '../catalogue/stores/service.ts'
import { auditCommand } from '../access/audit-command.ts'
import {
  developerKeys,
  productKeys,
  type Keys,
  type SellerProduct,
} from '../catalogue/sellers/create-seller.ts'
import { DEMO_EMAIL, findDemo } from './find-demo.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { demoAccount } from './account.ts'
import { keepCarts } from './carts.ts'
import { demoCoupons } from './coupons.ts'
import { demoLicenses } from './licenses.ts'
import { demoPlans } from './plans.ts'
import { demoProducts } from './products.ts'
import { keepRefused } from './refused.ts'
import { demoReviews } from './reviews.ts'
import { demoSales } from './sales.ts'
import { demoUsers } from './users.ts'
import { demoVersions } from './versions.ts'
import { demoVisitors, keepTold } from './visitors.ts'
import { countProducts, keepSeen } from './upkeep.ts'
import { bookDemo, demoYear, type Guard } from './year.ts'
import { orderDemoEvents } from './event-order-queries.ts'
import { insertDemoMark } from './sales-queries.ts'
import { hasDeveloper } from '../catalogue/sellers/seller-rows.ts'

/** What the demo consists of, in the order in which one needs the other. */
const PARTS: readonly DemoPart[] = [
  demoUsers,
  demoPlans,
  demoCoupons,
  demoProducts,
  demoReviews,
  demoAccount,
  demoVersions,
  demoLicenses,
  demoSales,
  demoYear,
  demoVisitors,
]

const TOKEN_NAME = 'demo'
/** How long the demo seller has been in business. */
const AGE_MS = 560 * DAY

export interface DemoAccess {
  readonly developer: Keys
  readonly storeId: number
  readonly product: SellerProduct
  readonly otherProductId: number
  /** `user_id` and the like: one example of each kind. */
  readonly examples: Readonly<Record<string, string>>
}

/**
 * Fills an empty database with the demo, each part in a transaction of its own, and completes a demo that
 * lacks a part; what is there already stays, and its live history goes on up to now. Null when the database holds
 * another seller's data.
 */
export async function fillDemo(ctx: Context): Promise<Demo | null> {
  const demo = await alone(ctx, async (tx) => {
    const known = await findDemo(tx)
    if (known || (await hasDeveloper(tx.db))) return known
    const made = await createDemoSeller(asOf(tx, tx.clock.real() - AGE_MS))
    await insertDemoMark(tx.db, made.developerId, tx.clock.real())
    return made
  })
  if (!demo) return null
  for (const part of PARTS) {
    await alone(ctx, async (tx) => {
      if ((await part.examples(tx, demo)) === null) await part.fill?.(tx, demo)
    })
    if (part.run && (await part.examples(ctx, demo)) === null) await part.run(ctx, demo)
  }
  await goOn(ctx, demo, { isStart: true })
  await countProducts(ctx)
  return demo
}

/** Brings what goes on in a demo up to now. */
export const goOnWithDemo = (ctx: Context, demo: Demo, guard?: Guard): Promise<void> =>
  goOn(ctx, demo, { isStart: false, guard })

interface GoingOn {
  /** Nobody looks at it yet. */
  readonly isStart: boolean
  readonly guard?: Guard | undefined
}

async function goOn(ctx: Context, demo: Demo, { isStart, guard }: GoingOn): Promise<void> {
  await bookDemo(ctx, demo, guard)
  await keepSeen(ctx, demo)
  await keepRefused(ctx, demo)
  await alone(ctx, async (tx) => {
    await keepCarts(tx, demo)
    if (isStart) await orderDemoEvents(tx.db, demo)
    await keepTold(tx, demo)
  })
}

/** Of several processes that start at once one fills, the others see what it wrote. */
const alone = <T>(ctx: Context, work: (tx: TxContext) => Promise<T>): Promise<T> =>
  transaction(ctx, async (tx) => {
    await takeTurns(tx.db, ctx.database.engine)
    return work(tx)
  })

async function createDemoSeller(tx: TxContext): Promise<Demo> {
  const name = { first: 'Dana', last: 'Demo' }
  const developerId = await createDeveloper(tx, { email: DEMO_EMAIL, ...name, passwordHash: null })
  const storeId = await createStore(tx, { developerId, title: 'Demo Store' })
  // Nobody reads the mails of a demo: its clients are connected at once.
  const owner = { developerId, storeId, redirectHosts: ['shop.example.com'], confirmsOptIn: false }
  const productId = await createProduct(tx, { ...owner, title: 'Aurora Forms' })
  const otherProductId = await createProduct(tx, { ...owner, title: 'Aurora Bookings' })
  return { developerId, storeId, productId, otherProductId }
}

/**
 * A fresh token for the demo's first product, with its keys and examples. Earlier demo tokens end, unless they shall
 * go on for a server that runs.
 */
export async function openDemo(ctx: Context, demo: Demo, keepsTokens = false): Promise<DemoAccess> {
  const token = await transaction(ctx, async (tx) => {
    if (!keepsTokens) await endTokens(tx, demo)
    return newToken(tx, demo)
  })
  const examples: Record<string, string> = {}
  for (const part of PARTS) Object.assign(examples, await part.examples(ctx, demo))
  return {
    developer: await developerKeys(ctx, demo.developerId),
    storeId: demo.storeId,
    product: { ...(await productKeys(ctx, demo.productId)), token },
    otherProductId: demo.otherProductId,
    examples,
  }
}

async function endTokens(tx: TxContext, { productId, otherProductId }: Demo): Promise<void> {
  const now = tx.clock.now()
  for (const id of [productId, otherProductId]) {
    const tokens = await listApiTokens(tx.db, ['product_id', id])
    const old = tokens.filter(({ name, revoked_at: revoked }) => name === TOKEN_NAME && revoked === null)
    for (const one of old) await revokeApiToken(tx.db, one.id, now)
  }
}

async function newToken(tx: TxContext, { productId }: Demo): Promise<string> {
  const { id, token } = await issueApiToken(tx, { productId, name: TOKEN_NAME, expiresAt: null })
  await auditCommand(tx, { command: 'demo', productId, details: { token: id } })
  return token
}
