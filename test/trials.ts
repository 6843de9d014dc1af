import assert from 'node:assert/strict'
import { sandboxToken } from '../src/sales/checkouts/signatures.ts'
import { DAY, toUtcTime } from '../src/lib/time.ts'
import type { Reply, TestApp } from './app.ts'
import { allowRedirects } from './checkouts.ts'
import { offerFor } from './licenses.ts'
import { timelineOf } from './sandbox.ts'

async function offersOf(app: TestApp) {
  const free = await offerFor(app, 3, { plan: { trial_period: 7 } })
  const paid = await offerFor(app, 3, { plan: { trial_period: 14, is_require_subscription: true } })
  await app.ctx.database.transaction(async (db) => {
    await allowRedirects(db, app)
    await db.updateTable('pricing').set({ lifetime_price: 20_000 }).execute()
  })
  return { free, paid }
}

/** A shop in the sandbox with a plan that is tried free for 7 days, and one that is for 14 with a method of payment. */
export async function trialShop(app: TestApp) {
  const { free, paid } = await offersOf(app)
  const base = `/products/${app.seller.product.id}`
  let people = 0
  const someone = () => ({ user_email: `trier${++people}@example.com`, country_code: 'US' })

  function open(body: object): Promise<Reply> {
    const { id, secretKey, publicKey } = app.seller.product
    const sandbox = sandboxToken({ context: 'ready', productId: id, secretKey, publicKey })
    return app.call('POST', '/checkout/sessions.json', {
      token: null,
      body: { product_id: id, sandbox, s_ctx_ts: 'ready', ...body },
    })
  }
  const pay = (id: string, payment_token?: string) =>
    app.call('POST', `/checkout/sessions/${id}/pay.json`, {
      token: null,
      body: payment_token === undefined ? {} : { payment_token },
    })
  const get = async (path: string) => (await app.call('GET', base + path)).json

  return {
    free,
    paid,
    base,
    someone,
    open,
    pay,
    get,
    /** On the clock of the sandbox. */
    inDays: (days: number, ms = 0) => toUtcTime(app.ctx.clock.of(app.seller.product.id, 1) + days * DAY + ms),
    /** Begins a trial with a method of payment; its key is mailed, and told here as the seller sees it. */
    async tried(body: object = {}, method = 'test_succeeds') {
      const who = someone()
      const { json: session, text } = await open({ ...who, plan_id: paid.planId, trial: 'true', ...body })
      assert.ok(session.id, text)
      const reply = await pay(session.id, method)
      assert.equal(reply.status, 200, reply.text)
      const { secret_key: license_key } = await get(`/licenses/${reply.json.license_id}.json`)
      return { ...reply.json, license_key, email: who.user_email }
    },
    trialOf: async (id: string) =>
      (await get('/trials.json?count=50')).trials.find((one: { id: string }) => one.id === id),
    paymentsOf: (subscriptionId: string) =>
      app.ctx.db
        .selectFrom('payments')
        .selectAll()
        .where('subscription_id', '=', Number(subscriptionId))
        .orderBy('id')
        .execute(),
    /** What the timeline tells of a license. */
    firedFor: async (licenseId: string) =>
      (await timelineOf(app))
        .filter(({ data }) => JSON.stringify(data).includes(`"license_id":"${licenseId}"`))
        .map(({ what }) => what),
  }
}

export type TrialShop = Awaited<ReturnType<typeof trialShop>>

export const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
