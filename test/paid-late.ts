import assert from 'node:assert/strict'
import type { RecurringJob } from '../src/job.ts'
import { checkLedger } from '../src/sales/ledger/check-ledger.ts'
import { lookAgainAtCharges } from '../src/sales/charges/look-again-job.ts'
import { prune } from '../src/jobs/prune.ts'
import { settlePurchases } from '../src/sales/checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import { hashToken } from '../src/lib/credentials.ts'
import { DAY, HOUR } from '../src/lib/time.ts'
import type { CheckoutRow } from '../src/sales/checkouts/schema.ts'
import { START, type Reply } from './app.ts'
import { newestCharge } from './charges.ts'
import { openSandboxCheckout, proofOf, sandboxProof } from './checkouts.ts'
import { offerFor } from './licenses.ts'
import { payCheckout } from './reports.ts'
import { ledgerFaults, scopeOf } from './sales.ts'
import { chargingShop, type ChargingShop } from './stripe/charging.ts'

const all = [settlePurchases, prune, lookAgainAtCharges]
let buyers = 0

type Shop = Pick<ChargingShop, 'app' | 'stripe' | 'gateway' | 'pricingId'>

async function look({ app }: Pick<Shop, 'app'>, jobs: readonly RecurringJob[] = all): Promise<void> {
  await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
  await runDue(app.ctx, [...jobs])
}

/** How checkouts are opened. */
function opening({ app, pricingId }: Shop, name: string) {
  const someone = () => `${name}${++buyers}@example.com`
  const open = (email: string, of = pricingId, coupon?: string) =>
    app.write((tx) =>
      openSandboxCheckout(tx, scopeOf(app), {
        pricingId: of,
        email,
        ...(coupon !== undefined && { coupon }),
      }),
    )

  /** A checkout of who has proven to have the address. */
  async function openProven(email: string, more: { readonly trial?: 'true' } = {}): Promise<string> {
    const proof = await proofOf(app, email)
    const body = { pricing_id: pricingId, country_code: 'US', cart: false, ...more, ...proof }
    const product = await sandboxProof(app.ctx, app.seller.product.id)
    const { json, text } = await app.call('POST', '/checkout/sessions.json', {
      token: null,
      body: { ...product, ...body },
    })
    assert.ok(json.id, text)
    return json.id
  }
  return { someone, open, openProven }
}

/**
 * Pays a checkout whose request is on its way until after its charge was let go, and whose answer is lost; meanwhile
 * something else happens. The id of the charge, which is paid.
 */
async function paidLate(
  { app, stripe, gateway }: Shop,
  token: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<number> {
  const charge: typeof gateway.charge = async (request) => {
    for (const hours of [25, 2]) {
      app.ctx.clock.advance(hours * HOUR)
      await look({ app }, [settlePurchases, prune])
    }
    Object.assign(app.ctx, { gateways: [gateway] })
    await meanwhile()
    stripe.faults.push('none', 'lost', 'lost')
    return gateway.charge(request)
  }
  Object.assign(app.ctx, { gateways: [{ ...gateway, charge }] })
  const { id: before } = await newestCharge(app).catch(() => ({ id: 0 }))
  const reply = await payCheckout(app, token, 'pm_card_visa')
  assert.equal(reply.status, 503, reply.text)
  const found = await app.ctx.db
    .selectFrom('charges')
    .select(['id', 'state'])
    .where('id', '>', before)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  assert.equal(found.state, 'declined')
  return found.id
}

/** What an address has in the end, once everything was looked at: licenses, payments, and what of them it paid for good. */
async function endedWith(
  { app }: Shop,
  email: string,
): Promise<[licenses: number, payments: number, left: number]> {
  for (const day of [1, 2, 3]) {
    app.ctx.clock.advance(day * DAY)
    await look({ app })
    await look({ app }, [settleRefunds])
  }
  assert.deepEqual(await ledgerFaults(app), [])
  assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
  const { db } = app.ctx
  const of = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', email)
    .executeTakeFirstOrThrow()
  const licenses = await db.selectFrom('licenses').select('id').where('user_id', '=', of.id).execute()
  const rows = await db.selectFrom('payments').selectAll().where('user_id', '=', of.id).execute()
  const payments = rows.filter(({ type }) => type === 'payment')
  const left = payments.filter(({ refunded_gross: refunded }) => refunded === 0)
  const given = rows.filter(({ type }) => type === 'refund')
  assert.equal(given.length, payments.length - left.length)
  return [licenses.length, payments.length, left.length]
}

/** What is done to checkouts. */
function checkouts({ app }: Shop) {
  async function paid(token: string): Promise<Reply> {
    const reply = await payCheckout(app, token, 'pm_card_visa')
    assert.equal(reply.json.state, 'paid', reply.text)
    return reply
  }

  /** Lets a checkout be about something else than it was opened for. */
  async function changed(token: string, change: Partial<CheckoutRow>): Promise<string> {
    await app.write(({ db }) =>
      db.updateTable('checkouts').set(change).where('token_hash', '=', hashToken(token)).execute(),
    )
    return token
  }

  /** Undefined: it was open when its time was over, and is removed. */
  async function stateOf(token: string) {
    const query = app.ctx.db
      .selectFrom('checkouts')
      .select('state')
      .where('token_hash', '=', hashToken(token))
    return (await query.executeTakeFirst())?.state
  }
  return { paid, changed, stateOf }
}

/** A shop in which charges are let go while their requests are on the way, and are paid after all. */
export async function lateShop(name: string) {
  const shop = await chargingShop(name)
  const { app, stripe, pricingId } = shop
  const { plan_id: planId } = await app.ctx.db
    .selectFrom('pricing')
    .select('plan_id')
    .where('id', '=', pricingId)
    .executeTakeFirstOrThrow()

  return {
    ...shop,
    planId,
    other: await offerFor(app, 1),
    ...opening(shop, name),
    ...checkouts(shop),
    look: () => look(shop),
    paidLate: (token: string, meanwhile?: () => Promise<unknown>) => paidLate(shop, token, meanwhile),
    endedWith: (email: string) => endedWith(shop, email),
    /** Before each test. */
    reset() {
      app.ctx.clock.set(START)
      stripe.faults.length = 0
    },
  }
}
export type LateShop = Awaited<ReturnType<typeof lateShop>>

export const ONCE = [1, 2, 1]
export const TWICE = [2, 2, 2]
