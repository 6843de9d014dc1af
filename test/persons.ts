import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { auditCommand } from '../src/access/audit-command.ts'
import { placeOf, SEALED_COLUMNS } from '../src/db/sealed-columns.ts'
import { openDispute } from '../src/sales/refunds/disputes.ts'
import type { TestApp, TestContext } from './app.ts'
import { asDeveloper, type CallAs } from './callers.ts'
import { openSandboxCheckout } from './checkouts.ts'
import { createInstallOf, createOwner, expectOk } from './installs.ts'
import { offerFor } from './licenses.ts'
import { payCheckout } from './reports.ts'
import { scopeOf, sell } from './sales.ts'

type Product = { readonly id: number; readonly token: string }

/** Who a person of a test is; the last name is like nobody's. */
export interface Who {
  readonly email: string
  readonly last: string
  /** Where the person is in the net. */
  readonly ip?: string
}

/** Somebody with something in every table that knows persons: bought, given back, disputed, tried, left, told and noted. */
export async function livedPerson(
  app: TestApp,
  { email, last, ip = '198.51.100.7' }: Who,
  product: Product = app.seller.product,
) {
  const { token } = product
  const base = `/products/${product.id}`
  const call: CallAs = async (method, path, body) =>
    expectOk(await app.call(method, base + path, { token, ...(body !== undefined && { body }) }))
  const owner = await createOwner(app, email, product)
  const id = owner.id
  await call('PUT', `/users/${id}.json`, { first: 'Ada', last, is_marketing_allowed: true })
  await call('PUT', `/users/${id}/billing.json`, {
    first: 'Ada',
    last,
    email,
    phone: '555 0199',
    business_name: `${last} Ltd`,
  })
  const live = await sell(app, { product, owner })
  const refunded = await sell(app, { product, owner, payment: { gateway: null } })
  const seller = await asOwner(app, product)
  const reason = `asked for by ${email}`
  expectOk(await seller('POST', `/payments/${refunded.payment.id}/refunds.json`, { reason }))
  const disputed = await sell(app, { product, owner })
  await app.write((tx) =>
    openDispute(tx, scopeOf(app, product), { paymentId: disputed.payment.id, minor: 5999, fee: 1500 }),
  )
  const offer = await offerFor(app, 3, { product, plan: { trial_period: 7 } })
  const site = `https://site-of-${last.toLowerCase()}.example/?by=${encodeURIComponent(email)}`
  const install = await createInstallOf(app, owner, { url: site, title: `Site of ${email}` }, product)
  const paying = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app, product), { pricingId: offer.pricingId, email }),
  )
  const paid = await payCheckout(app, paying, 'test_succeeds')
  assert.equal(paid.json.state, 'paid', paid.text)
  await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app, product), { pricingId: offer.pricingId, email }),
  )
  const { id: reviewId } = (
    await call('POST', '/reviews.json', { rate: 90, text: `By ${email}`, name: `Ada ${last}` })
  ).json
  for (const [noun, entity] of [
    ['users', id],
    ['payments', live.payment.id],
    ['licenses', live.license.id],
    ['subscriptions', live.subscription.id],
  ] as const)
    await call('POST', `/${noun}/${entity}/note.json`, { note: `Called ${email}` })
  await call('POST', '/licenses/resend.json', { email }).catch(() => undefined)
  await app.write(async (tx) => {
    await tx.db
      .updateTable('reviews')
      .set({ user_id: id, license_id: Number(live.license.id) })
      .where('id', '=', Number(reviewId))
      .execute()
    await tx.db
      .updateTable('users')
      .set({ ip, picture: `https://pictures.example/${last}.png` })
      .where('id', '=', id)
      .execute()
    await auditCommand(tx, {
      command: 'mail-test',
      productId: product.id,
      details: { to: email.toUpperCase(), user: id },
    })
    await tx.db
      .insertInto('audit_log')
      .values({
        at: tx.clock.real(),
        action: 'users/update',
        actor_kind: 'user',
        actor_id: id,
        credential: 'portal:1',
        product_id: product.id,
        developer_id: app.seller.developer.id,
        ip,
        request_id: null,
        details: '{}',
        seq: null,
        hash: null,
      } as never)
      .execute()
    await tx.db
      .insertInto('mail_counts')
      .values({ name: `to:${email.toLowerCase()}`, count: 1, until_ms: tx.clock.real() + 3_600_000 })
      .onConflict((one) => one.doNothing())
      .execute()
    await tx.db
      .insertInto('refusals')
      .values({
        product_id: product.id,
        day: '2026-01-31',
        slot: id % 1000,
        same: String(id),
        occasion: 'activation',
        license_id: Number(live.license.id),
        install_id: null,
        user_id: id,
        environment: 0,
        uid: null,
        url: site,
        version: null,
        code: 'license_expired',
        message: `for ${email}`,
        count: 1,
        created: tx.clock.now(),
        last_at: tx.clock.now(),
      })
      .execute()
    await tx.db
      .insertInto('gateway_events')
      .values({
        gateway: 'stripe',
        event_id: `evt_${id}`,
        refund_id: null,
        report: JSON.stringify({ note: email }),
        method: null,
        due_at: null,
        created: tx.clock.now(),
      })
      .execute()
  })
  return { id, owner, live, refunded, disputed, install, offer, product }
}

/** What of a database is one of some texts, raw, as a part of an address of the web, or in base64; sealed texts are opened: `table.column`. */
export async function placesOf(ctx: TestContext, texts: readonly string[]): Promise<string[]> {
  const { engine, reader } = ctx.database
  const { rows: tables } = await (
    engine === 'sqlite'
      ? sql<{
          name: string
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(reader as never)
  const forms = texts.flatMap(formsOf)
  const places = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      reader as never,
    )
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (forms.some((form) => textOf(ctx, name, column, value).includes(form)))
          places.add(`${name}.${column}`)
  }
  return [...places].toSorted()
}

const formsOf = (text: string): string[] => [
  text.toLowerCase(),
  encodeURIComponent(text).toLowerCase(),
  ...[0, 1, 2].flatMap((offset) =>
    [text, text.toLowerCase()].map((one) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(one)])
      // The first and the last characters depend on what is around.
      return bytes
        .toString('base64')
        .slice(offset === 0 ? 0 : 4, -4)
        .toLowerCase()
    }),
  ),
]

function textOf(ctx: TestContext, table: string, column: string, value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1').toLowerCase()
  if (typeof value === 'object' && value !== null) return JSON.stringify(value).toLowerCase()
  const sealed = SEALED_COLUMNS.find((one) => one.table === table && one.column === column)
  const text = String(value)
  if (!sealed || value === null || !text.startsWith('v1.')) return text.toLowerCase()
  return `${text} ${ctx.keys.open(text, placeOf(sealed))}`.toLowerCase()
}

/** As the developer of a test's seller, below a product. */
export async function asOwner(app: TestApp, product: Product = app.seller.product): Promise<CallAs> {
  const call = await asDeveloper(app)
  return (method, path, body) => call(method, `/products/${product.id}${path}`, body)
}
