import assert from 'node:assert/strict'
import type { GatewayEvent, Webhook } from '../src/gateways/gateway.ts'
import { testWebhook } from './test-webhook.ts'
import type { PaymentRow } from '../src/sales/payments/schema.ts'
import { startServer } from '../src/start.ts'
import { START, type Reply, type TestApp, type TestContext } from './app.ts'
import { openSandboxCheckout } from './checkouts.ts'
import { dyingProcess } from './dying.ts'
import { scopeOf } from './sales.ts'

let buyers = 0

/** Opens a checkout of a price in the sandbox for a new buyer, and pays it; the token that names it and the reply. */
export async function buy(app: TestApp, pricingId: number, method: string) {
  const email = `reported${++buyers}@example.com`
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  return { token, email, reply: await payCheckout(app, token, method) }
}

export const payCheckout = (app: TestApp, token: string, method: string): Promise<Reply> =>
  app.call('POST', `/checkout/sessions/${token}/pay.json`, {
    token: null,
    body: { payment_token: method, is_waiver_accepted: true },
  })

/** The rows of a purchase that was paid. */
export async function boughtBy({ ctx: { db } }: TestApp, { json, text }: Reply) {
  assert.equal(json?.state, 'paid', text)
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', Number(json.payment.id))
    .executeTakeFirstOrThrow()
  return { payment, licenseId: Number(json.license_id), subscriptionId: payment.subscription_id ?? 0 }
}

/** What undoes a payment, as types and amounts with tax, in order. */
export async function undoneOf({ ctx: { db } }: TestApp, { id }: Pick<PaymentRow, 'id'>) {
  const rows = await db
    .selectFrom('payments')
    .select(['type', 'gross', 'tax'])
    .where('bound_payment_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ type, gross, tax }) => [type, gross + tax])
}

/** What is left of a payment, with tax. */
export async function leftOfPayment({ ctx: { db } }: TestApp, { id }: Pick<PaymentRow, 'id'>) {
  const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return row.gross + row.tax - row.refunded_gross - row.refunded_tax
}

/** A report of the test gateway, as its own server would send it. */
export function reportOfTest({ ctx }: { readonly ctx: TestContext }, event: GatewayEvent) {
  const secret = ctx.keys.keyedHash('webhooks', 'test_gateway')
  return testWebhook(secret, { event, now: ctx.clock.real() })
}

type Report = Pick<Webhook, 'headers' | 'body'>

/** Sends what a gateway reports to the address for it. */
export const send = (app: TestApp, gateway: string, { headers, body }: Report): Promise<Reply> =>
  app.call('POST', `/gateways/${gateway}/webhook.json`, {
    token: null,
    headers: headers as Record<string, string>,
    body,
  })

/** Sends what Stripe reports to a process that dies over it. */
export async function sendToDying(app: TestApp, { headers, body }: Report): Promise<number> {
  const dying = dyingProcess(app, 8)
  const server = await startServer(dying.ctx)
  const given = { 'content-type': 'application/json', connection: 'close', ...headers }
  const init = { method: 'POST', headers: given as Record<string, string>, body: body as Buffer<ArrayBuffer> }
  const { status } = await fetch(`${server.address}/v1/gateways/stripe/webhook.json`, init)
  await server.stop()
  await dying.close()
  return status
}

/** The test gateway reports that the last charge of a subscription that it has named was paid. */
export async function reportPaid(app: TestApp, subscriptionId: number): Promise<void> {
  const { external_id: chargeId } = await app.ctx.db
    .selectFrom('charges')
    .select('external_id')
    .where('subscription_id', '=', subscriptionId)
    .where('external_id', 'is not', null)
    .orderBy('id', 'desc')
    .$narrowType<{ external_id: string }>()
    .executeTakeFirstOrThrow()
  const paid = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const event = { type: 'charge', id: `paid ${chargeId}`, at: START, chargeId, charge: paid } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
}
