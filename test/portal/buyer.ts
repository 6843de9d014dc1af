import type { TestContext as T } from 'node:test'
import type { Reader } from '../../src/db/database.ts'
import { portalLink } from '../../src/people/portal/portal-link.ts'
import type { Context } from '../../src/context.ts'
import { HOUR, type UtcTime } from '../../src/lib/time.ts'
import { startServer } from '../../src/start.ts'
import { demoContext } from '../demo.ts'
import { sharedBrowser } from '../web/browser.ts'
import { built } from '../web/built.ts'
import { watched, type Watched } from '../web/watched.ts'

export type BuyerApp = Awaited<ReturnType<typeof startBuyerApp>>

interface Entering {
  readonly path?: string | null
  readonly user?: { readonly id: number; readonly email: string }
}

interface Sold {
  readonly id: number
  readonly user_id: number
  readonly productId: number
  readonly next_payment: UtcTime | null
}

/** Has a subscription paid here: what the demo sold is paid where it came from. */
const chargedHere = (ctx: Context, { id, user_id, productId, next_payment }: Sold) =>
  ctx.database.transaction(async (db) => {
    const method = await db
      .insertInto('payment_methods')
      .values({
        product_id: productId,
        user_id,
        gateway: 'test',
        kind: 'card',
        token: ctx.keys.seal('test_succeeds', 'payment_methods.token'),
        environment: 0,
        created: ctx.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('subscriptions')
      .set({ payment_method_id: method.id, is_elsewhere: false, due_at: next_payment })
      .where('id', '=', id)
      .execute()
  })

/** The cookie that a browser keeps which follows a link. */
export async function cookieOf(link: string, url: string) {
  const reply = await fetch(link, { method: 'POST', headers: { accept: 'text/html' }, redirect: 'manual' })
  const [pair = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = pair.split('=')
  return { name, value, url, httpOnly: true, sameSite: 'Lax' } as const
}

/** Who has an active license with a subscription that goes on. */
export const boughtOf = (db: Reader, productId: number) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('licenses', 'licenses.id', 'subscriptions.license_id')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .select(['users.id as user_id', 'users.email', 'subscriptions.id', 'licenses.id as license_id'])
    .select('subscriptions.next_payment')
    .where('licenses.product_id', '=', productId)
    .where('subscriptions.canceled_at', 'is', null)
    .where('licenses.activated', '>', 0)
    .orderBy('subscriptions.id', 'desc')
    .executeTakeFirstOrThrow()

/** A server with built pages and the demo's year of data, into whose portal a buyer comes who has an active license. */
export async function startBuyerApp(name: string) {
  await built()
  const { ctx, demo, drop } = await demoContext(name)
  const running = await startServer(ctx)
  const { address } = running
  Object.assign(ctx, { baseUrl: address })
  const { productId } = demo
  const browser = await sharedBrowser()
  const bought = await boughtOf(ctx.db, productId)

  const linkOf = (
    user: { readonly id: number; readonly email: string },
    how: { readonly isForOnce?: true } = {},
  ): string => portalLink(ctx, { productId }, { user, lastsMs: HOUR, isEverywhere: true, ...how }).link

  /**
   * A page of a browser that is in the portal by the link of a user, at a path below it; null: at no page yet. How a link
   * is followed by clicks is a test of its own.
   */
  async function entered(
    t: T,
    { path = `${productId}`, user = { id: bought.user_id, email: bought.email } }: Entering = {},
  ): Promise<Watched> {
    const opened = await page(t)
    await opened.page.context().addCookies([await cookieOf(linkOf(user), address)])
    if (path === null) return opened
    await opened.page.goto(`${address}/portal/${path}`)
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    return opened
  }

  /** A page of a browser that was never here. */
  async function page(t: T, origins: readonly string[] = []): Promise<Watched> {
    const opened = await watched(browser, { origins: [address, ...origins] })
    t.after(() => opened.close())
    await opened.page.clock.setFixedTime(ctx.clock.real())
    return opened
  }

  return {
    ctx,
    chargeHere: () => chargedHere(ctx, { ...bought, productId }),
    otherBuyer: () => otherBuyer(ctx.db, { productId, not: bought.user_id }),
    address,
    productId,
    bought,
    keyNow: () => keyOf(ctx, bought.license_id),
    linkOf,
    entered,
    page,
    pathOf: (path: string) => `${address}/portal/${path}`,
    async close() {
      await running.stop()
      await drop()
    },
  }
}

/** The key of a license, as it is now. */
async function keyOf({ db, keys }: Context, id: number): Promise<string> {
  const license = db.selectFrom('licenses').select('secret_key').where('id', '=', id)
  return keys.open((await license.executeTakeFirstOrThrow()).secret_key, 'licenses.secret_key')
}

interface Other {
  readonly productId: number
  /** Who it is not. */
  readonly not: number
}

/** Another buyer, of whom no other test knows. */
const otherBuyer = (db: Reader, { productId, not }: Other) =>
  db
    .selectFrom('product_users')
    .innerJoin('users', 'users.id', 'product_users.user_id')
    .select(['users.id', 'users.email'])
    .where('product_users.product_id', '=', productId)
    .where('product_users.gross', '>', 0)
    .where('users.id', '<>', not)
    .orderBy('users.id')
    .executeTakeFirstOrThrow()
