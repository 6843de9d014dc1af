import assert from 'node:assert/strict'
import { sandboxToken } from '../src/sales/checkouts/signatures.ts'
import type { TestApp } from './app.ts'
import { asDeveloper } from './callers.ts'

interface Prices {
  readonly licenses: number | null
  readonly currency: string
  readonly monthly_price?: number
  readonly annual_price?: number
  readonly lifetime_price?: number
}

const USD: Readonly<Record<'basic' | 'pro', readonly Prices[]>> = {
  basic: [
    { licenses: 1, currency: 'usd', monthly_price: 10, annual_price: 100, lifetime_price: 300 },
    { licenses: 1, currency: 'eur', annual_price: 90 },
  ],
  pro: [
    { licenses: 1, currency: 'usd', monthly_price: 20, annual_price: 200, lifetime_price: 500 },
    { licenses: 5, currency: 'usd', annual_price: 800 },
    { licenses: 1, currency: 'eur', annual_price: 180 },
  ],
}

let people = 0

/** A product with two plans, `basic` and `pro`, and calls of its checkout in the sandbox. */
export async function changeShop(app: TestApp) {
  const { product } = app.seller
  const base = `/products/${product.id}`
  const developer = await asDeveloper(app)
  const plans = { basic: '', pro: '' }
  for (const name of ['basic', 'pro'] as const) {
    const made = await developer('POST', `${base}/plans.json`, { name, title: name })
    plans[name] = made.json.id
    for (const price of USD[name]) {
      const added = await developer('POST', `${base}/plans/${plans[name]}/pricing.json`, price)
      assert.ok(added.status < 300, added.text)
    }
  }
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    app.call(method, `/checkout/sessions${path}`, { token: null, ...(body && { body }) })
  const open = (body: object) => call('POST', '.json', { product_id: product.id, ...body })
  const pay = (id: string, payment_token: string | null = 'test_succeeds', more: object = {}) =>
    call('POST', `/${id}/pay.json`, { ...(payment_token !== null && { payment_token }), ...more })
  const sandbox = () => {
    const context = String(app.ctx.clock.real() / 1000)
    const { id: productId, secretKey, publicKey } = product
    return { s_ctx_ts: context, sandbox: sandboxToken({ context, productId, secretKey, publicKey }) }
  }
  return {
    base,
    plans,
    call,
    open,
    pay,
    sandbox,
    /** Buys a plan, a year of `basic` unless the body says otherwise. */
    async buy(body: object = {}, token: string | null = 'test_succeeds') {
      const email = `changes${++people}@example.com`
      const who = { user_email: email, user_firstname: 'Grace', user_lastname: 'Hopper', country_code: 'us' }
      const { json: session, text } = await open({ ...sandbox(), ...who, plan_id: plans.basic, ...body })
      assert.ok(session.id, text)
      const paid = await pay(session.id, token)
      assert.equal(paid.json.state, 'paid', paid.text)
      const { license_id: id, license_key: key, purchase } = paid.json
      return { id: id as string, key: key as string, email, purchase }
    },
    /** Opens the checkout of a license by a link of the seller. */
    async openFor(id: string, body: object = {}, link: object = {}) {
      const made = await app.call('POST', `${base}/licenses/${id}/checkout/link.json`, { body: link })
      assert.equal(made.status, 201, made.text)
      const { authorization } = made.json.settings
      return open({ license_id: id, authorization, ...body })
    },
    ...readsOf(app, base),
  }
}

const readsOf = ({ call, ctx }: TestApp, base: string) => {
  const get = async (path: string) => (await call('GET', `${base}${path}`)).json
  return {
    get,
    licenseOf: (id: string) => get(`/licenses/${id}.json`),
    subscriptionOf: (id: string) => get(`/licenses/${id}/subscription.json`),
    async subscriptionsOf(id: string) {
      const rows = ctx.db.selectFrom('subscriptions').selectAll().where('license_id', '=', Number(id))
      return rows.orderBy('id').execute()
    },
    async paymentsOf(id: string) {
      const rows = ctx.db.selectFrom('payments').selectAll().where('license_id', '=', Number(id))
      return rows.orderBy('id').execute()
    },
    /** What was recorded of a license after it was made. */
    async eventsOf(id: string) {
      const rows = await ctx.db
        .selectFrom('events')
        .select('type')
        .where('data', 'like', `%"license_id":"${id}"%`)
        .orderBy('id')
        .execute()
      return rows.map(({ type }) => type)
    },
  }
}

export type ChangeShop = Awaited<ReturnType<typeof changeShop>>
