import assert from 'node:assert/strict'
import { auditCommand } from '../src/access/audit-command.ts'
import { insertAudit } from '../src/access/audit-queries.ts'
import type { TxContext } from '../src/context.ts'
import { openDispute } from '../src/sales/refunds/disputes.ts'
import type { TestApp } from './app.ts'
import { asDeveloper, type CallAs } from './callers.ts'
import { openSandboxCheckout } from './checkouts.ts'
import { createInstallOf, createOwner, expectOk } from './installs.ts'
import { offerFor } from './licenses.ts'
import { payCheckout } from './reports.ts'
import { scopeOf, sell } from './sales.ts'
import { tryPlan } from './security/licensed.ts'

type Product = { readonly id: number; readonly token: string }

/** Who a person of a test is; the last name is like nobody's. */
export interface Who {
  readonly email: string
  readonly last: string
  /** Where the person is in the net. */
  readonly ip?: string
}

/** Somebody with something in every table that knows persons: bought, given back, disputed, tried, left, told and noted. */
export async function livedPerson(app: TestApp, who: Who, product: Product = app.seller.product) {
  const owner = await createOwner(app, who.email, product)
  const { live } = await bought(app, who, { product, owner })
  const site = `https://site-of-${who.last.toLowerCase()}.example/?by=${encodeURIComponent(who.email)}`
  await tried(app, who, { product, owner, site })
  const reviewId = await said(app, who, { product, id: owner.id, live })
  const of = { id: owner.id, licenseId: Number(live.license.id), reviewId, site, product }
  await app.write((tx) => left(tx, app, who, of))
  return { id: owner.id, owner }
}

type Owner = Awaited<ReturnType<typeof createOwner>>
type Sold = Awaited<ReturnType<typeof sell>>

const calling =
  (app: TestApp, { id, token }: Product): CallAs =>
  async (method, path, body) =>
    expectOk(await app.call(method, `/products/${id}${path}`, { token, ...(body !== undefined && { body }) }))

async function bought(app: TestApp, { email, last }: Who, of: { product: Product; owner: Owner }) {
  const { product, owner } = of
  const call = calling(app, product)
  const names = { first: 'Ada', last }
  await call('PUT', `/users/${owner.id}.json`, { ...names, is_marketing_allowed: true })
  const business = { email, phone: '555 0199', business_name: `${last} Ltd` }
  await call('PUT', `/users/${owner.id}/billing.json`, { ...names, ...business })
  const live = await sell(app, of)
  const refunded = await sell(app, { ...of, payment: { gateway: null } })
  const seller = await asOwner(app, product)
  const reason = `asked for by ${email}`
  expectOk(await seller('POST', `/payments/${refunded.payment.id}/refunds.json`, { reason }))
  const { payment } = await sell(app, of)
  await app.write((tx) =>
    openDispute(tx, scopeOf(app, product), { paymentId: payment.id, minor: 5999, fee: 1500 }),
  )
  return { live }
}

interface Tried {
  readonly product: Product
  readonly owner: Owner
  readonly site: string
}

/** A trial on a site, a purchase at the checkout, and another one that was left. */
async function tried(app: TestApp, { email }: Who, { product, owner, site }: Tried): Promise<void> {
  const scope = scopeOf(app, product)
  const offer = await offerFor(app, 3, { product, plan: { trial_period: 7 } })
  const install = await createInstallOf(app, owner, { url: site, title: `Site of ${email}` }, product)
  await app.write((tx) => tryPlan(tx, scope, { install_id: install.id }, String(offer.planId)))
  const opening = () =>
    app.write((tx) => openSandboxCheckout(tx, scope, { pricingId: offer.pricingId, email }))
  const paid = await payCheckout(app, await opening(), 'test_succeeds')
  assert.equal(paid.json.state, 'paid', paid.text)
  await opening()
}

interface Said {
  readonly product: Product
  readonly id: number
  readonly live: Sold
}

/** A review, notes, and keys that were asked for; the id of the review. */
async function said(app: TestApp, { email, last }: Who, { product, id, live }: Said): Promise<number> {
  const call = calling(app, product)
  const review = { rate: 90, text: `By ${email}`, name: `Ada ${last}` }
  const { json } = await call('POST', '/reviews.json', review)
  const { payment, license, subscription } = live
  const noted = [
    `users/${id}`,
    `payments/${payment.id}`,
    `licenses/${license.id}`,
    `subscriptions/${subscription.id}`,
  ]
  for (const path of noted) await call('POST', `/${path}/note.json`, { note: `Called ${email}` })
  await call('POST', '/licenses/resend.json', { email }).catch(() => undefined)
  return Number(json.id)
}

interface Left {
  readonly id: number
  readonly licenseId: number
  readonly reviewId: number
  readonly site: string
  readonly product: Product
}

/** What callers, gateways and clients leave behind them. */
async function left(tx: TxContext, app: TestApp, who: Who, of: Left): Promise<void> {
  const { db, clock } = tx
  const { email, last, ip = '198.51.100.7' } = who
  const { id, product } = of
  const written = { user_id: id, license_id: of.licenseId }
  await db.updateTable('reviews').set(written).where('id', '=', of.reviewId).execute()
  const picture = `https://pictures.example/${last}.png`
  await db.updateTable('users').set({ ip, picture }).where('id', '=', id).execute()
  const details = { to: email.toUpperCase(), user: id }
  await auditCommand(tx, { command: 'mail-test', productId: product.id, details })
  await insertAudit(db, {
    at: clock.real(),
    action: 'users/update',
    actor_kind: 'user',
    actor_id: id,
    credential: 'portal:1',
    product_id: product.id,
    developer_id: app.seller.developer.id,
    ip,
    request_id: null,
    details: '{}',
  })
  await refused(tx, who, of)
  const event = { gateway: 'stripe', event_id: `evt_${id}`, refund_id: null, method: null, due_at: null }
  const report = JSON.stringify({ note: email })
  await db
    .insertInto('gateway_events')
    .values({ ...event, report, created: clock.now() })
    .execute()
}

/** What a client was refused. */
const refused = ({ db, clock }: TxContext, { email }: Who, { id, licenseId, site, product }: Left) =>
  db
    .insertInto('refusals')
    .values({
      product_id: product.id,
      day: '2026-01-31',
      slot: id % 1000,
      same: String(id),
      occasion: 'activation',
      license_id: licenseId,
      install_id: null,
      user_id: id,
      environment: 0,
      uid: null,
      url: site,
      version: null,
      code: 'license_expired',
      message: `for ${email}`,
      count: 1,
      created: clock.now(),
      last_at: clock.now(),
    })
    .execute()

/** As the developer of a test's seller, below a product. */
export async function asOwner(app: TestApp, product: Product = app.seller.product): Promise<CallAs> {
  const call = await asDeveloper(app)
  return (method, path, body) => call(method, `/products/${product.id}${path}`, body)
}
