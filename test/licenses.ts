import { randomBytes } from 'node:crypto'
import { putLicenseOn } from '../src/licensing/activation/license-on-install.ts'
import { systemScope } from '../src/access/scope.ts'
import { createInstall } from '../src/licensing/installs/create.ts'
import type { License } from '../src/licensing/licenses/schema.ts'
import type { TestApp } from './app.ts'
import { createOffer, type Offer } from './catalogue.ts'

type Given = object

interface Sale {
  /** Default: the first product of the test's seller. */
  readonly product?: { readonly id: number; readonly token: string }
  /** What the request says beside the cycle of a year. */
  readonly body?: Given
}

let offers = 0

/** A plan with a price for so many licenses in a product; null: unlimited. */
export async function offerFor(
  app: TestApp,
  licenses: number | null,
  { product = app.seller.product, plan = {} }: { product?: { readonly id: number }; plan?: Given } = {},
): Promise<Offer> {
  const { developer } = app.seller
  const owner = { developerId: developer.id, productId: product.id }
  const offer = await app.write((tx) => createOffer(tx, owner, `plan-${++offers}`))
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('pricing').set({ licenses }).where('id', '=', offer.pricingId).execute()
    if (Object.keys(plan).length > 0)
      await db.updateTable('plans').set(plan).where('id', '=', offer.planId).execute()
  })
  return offer
}

/** Issues a license on an offer over HTTP, for a year unless the body says otherwise. */
export async function licenseOn(
  app: TestApp,
  offer: Pick<Offer, 'planId' | 'pricingId'>,
  { product = app.seller.product, body = {} }: Sale = {},
): Promise<License> {
  const path = `/products/${product.id}/plans/${offer.planId}/pricing/${offer.pricingId}/licenses.json`
  const reply = await app.call('POST', path, { token: product.token, body: { period: 12, ...body } })
  if (reply.status !== 200) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
  return reply.json.license
}

/** Issues a license with this quota on a plan of its own. */
export const licenseOf = async (
  app: TestApp,
  quota: number | null = 1,
  sale: Sale & { readonly plan?: Given } = {},
): Promise<License> => licenseOn(app, await offerFor(app, quota, sale), sale)

/** Creates a user of the product over HTTP; its id. */
export async function userOf(
  app: TestApp,
  email: string,
  product: { readonly id: number; readonly token: string } = app.seller.product,
): Promise<string> {
  const reply = await app.call('POST', `/products/${product.id}/users.json`, {
    token: product.token,
    body: { email, name: 'Some Body' },
  })
  if (reply.status !== 200) throw new Error(`POST users: ${reply.status} ${reply.text}`)
  return reply.json.id
}

interface SentMail {
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The mails of a kind in the outbox, in order. */
export async function mailsOf(app: TestApp, kind: string): Promise<SentMail[]> {
  const { db, keys } = app.ctx
  const rows = await db.selectFrom('mails').selectAll().where('kind', '=', kind).orderBy('id').execute()
  return rows.map(({ recipient, content }) => ({
    recipient,
    ...(JSON.parse(keys.open(content ?? '', 'mails.content')) as Omit<SentMail, 'recipient'>),
  }))
}

interface LicenseEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly user_id: number | null
}

/** What happened to a license, in order. */
export async function eventsOfLicense(app: TestApp, id: string): Promise<LicenseEvent[]> {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'data', 'user_id'])
    .where('data', 'like', `%"license_id":"${id}"%`)
    .orderBy('id')
    .execute()
  return rows.map(({ type, data, user_id }) => ({
    type,
    user_id,
    data: JSON.parse(data ?? '{}') as LicenseEvent['data'],
  }))
}

/** An install of a product, not on any license. */
export async function installOf(
  app: TestApp,
  { productId = app.seller.product.id, userId, url }: { productId?: number; userId: string; url?: string },
): Promise<number> {
  const scope = systemScope({ developerId: app.seller.developer.id, productId })
  const uid = randomBytes(16).toString('hex')
  const { install } = await app.write((tx) =>
    createInstall(tx, scope, { user_id: Number(userId), uid, ...(url !== undefined && { url }) }),
  )
  return install.id
}

/** Puts a license on an install. */
export const activateOn = (app: TestApp, license: License, installId: number) =>
  app.write((tx) => {
    const scope = systemScope({ developerId: app.seller.developer.id, productId: Number(license.plugin_id) })
    return putLicenseOn(tx, scope, { installId, licenseId: Number(license.id) }, { allowUnreleased: true })
  })
