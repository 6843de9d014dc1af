import { randomBytes } from 'node:crypto'
import { transaction, type TxContext } from '../../src/context.ts'
import { insertInstallToken } from '../../src/licensing/activation/activate-queries.ts'
import { putRefusals, type NewRefusal } from '../../src/licensing/refused/queries.ts'
import { putLicenseOn } from '../../src/licensing/activation/license-on-install.ts'
import { numberPayment } from '../../src/sales/invoices/number-payment.ts'
import { startTrial } from '../../src/licensing/trials/trials.ts'
import { updateInstall } from '../../src/licensing/installs/update-install.ts'
import { systemScope, type Scope } from '../../src/access/scope.ts'
import { hashToken, newInstallToken } from '../../src/lib/credentials.ts'
import { type UtcTime } from '../../src/lib/time.ts'
import { noteClone } from '../../src/licensing/installs/clones.ts'
import { createInstall } from '../../src/licensing/installs/create.ts'
import { rotateLicenseKeys } from '../../src/licensing/license-files/service.ts'
import { issueLicense } from '../../src/licensing/licenses/service.ts'
import { addSite } from '../../src/licensing/activation/sites.ts'
import { insertMethod } from '../../src/sales/payments/payment-rows.ts'
import { createPlan } from '../../src/catalogue/plans/service.ts'
import { createProduct } from '../../src/catalogue/products/service.ts'
import type { TestContext } from '../app.ts'
import { openDispute } from '../../src/sales/refunds/disputes.ts'
import { mailAbout } from '../mails.ts'
import { sellOn, type Bought } from '../sales.ts'
import { createOffer, type Offer, type Owned } from '../catalogue.ts'
import type { Ids } from './world.ts'

/** What a client of a product was refused. */
const refusalIn = ({ productId }: Scope): NewRefusal => ({
  product_id: productId,
  day: '2026-01-31',
  slot: 0,
  same: '',
  occasion: 'activation',
  license_id: null,
  install_id: null,
  user_id: null,
  environment: 0,
  uid: `uid of ${productId}`,
  url: null,
  version: null,
  code: 'invalid_license_key',
  message: 'Invalid license key.',
  count: 1,
  created: '2026-01-31 10:00:00' as UtcTime,
  last_at: '2026-01-31 10:00:00' as UtcTime,
})

/**
 * A license of a user on a plan of its own, for life and unlimited, an install on which it is active, another one
 * that tries a plan, a payment that is disputed, a license of a bundle that the product is in, and a key that signs license files.
 */
export const createLicensed = (ctx: TestContext, owner: Owned, userId: number): Promise<Ids> =>
  transaction(ctx, async (tx) => {
    const scope = systemScope(owner)
    const plan = await createPlan(tx, scope, {
      name: 'tried',
      trial_period: 14,
      is_free_localhost: true,
      is_block_features: true,
      is_block_features_monthly: true,
      license_type: 0,
    })
    await rotateLicenseKeys(tx, scope)
    await putRefusals(tx.db, [refusalIn(scope)])
    await licenseBundle(tx, owner, userId)
    const offer = await createOffer(tx, owner, 'licensed')
    const ids = await licenseUser(tx, scope, offer, userId)
    const disputed = await soldElsewhere(tx, scope, { ...offer, userId, licenseId: null })
    await openDispute(tx, scope, { paymentId: disputed.payment.id, minor: 100, fee: 0 })
    const trial = await newInstall(tx, scope, userId)
    const { id: trialId } = await tryPlan(tx, scope, trial, plan.id)
    return {
      ...ids,
      tried_plan_id: plan.id,
      trial_id: String(trialId),
      mail_id: await mailAbout(tx, owner, userId),
      template_name: 'license',
      licensed_plan_id: String(offer.planId),
      licensed_pricing_id: String(offer.pricingId),
    }
  })

async function licenseBundle(tx: TxContext, owner: Owned, userId: number): Promise<void> {
  const title = `Bundle with ${owner.productId}`
  const more = { kind: 'bundle', type: 'plugin', type_alias: '' } as const
  const bundleId = await createProduct(tx, { ...owner, title, redirectHosts: [], more })
  await tx.db
    .insertInto('bundle_members')
    .values({ bundle_id: bundleId, product_id: owner.productId })
    .execute()
  const bundle = { ...owner, productId: bundleId }
  await newLicense(tx, systemScope(bundle), { ...(await createOffer(tx, bundle, 'bundle')), userId })
}

/** The plan and the price on which licenses are sold. */
export const offerIn = (ids: Ids) => ({
  planId: Number(ids['licensed_plan_id']),
  pricingId: Number(ids['licensed_pricing_id']),
})

/** A license of a user with a list of sites, an install on which it is active, and a clone of that. */
export async function licenseUser(
  tx: TxContext,
  scope: Scope,
  offer: Pick<Offer, 'planId' | 'pricingId'>,
  userId: number,
): Promise<Ids> {
  const license = await newLicense(tx, scope, { ...offer, userId })
  const install = await newInstall(tx, scope, userId)
  await putOn(tx, scope, { ...license, ...install })
  const site = await addSite(tx, scope, Number(license.license_id), {
    kind: 'deny',
    pattern: 'denied.example.com',
  })
  await updateInstall(tx, scope, Number(install.install_id), { plugins: [{ slug: 'told' }] })
  const { subscription, payment } = await soldElsewhere(tx, scope, {
    ...offer,
    userId,
    licenseId: Number(license.license_id),
  })
  const card = await insertMethod(tx.db, {
    product_id: scope.productId,
    user_id: userId,
    gateway: 'test',
    kind: 'card',
    token: tx.keys.seal('a token', 'payment_methods.token'),
    brand: 'visa',
    last4: '4242',
    expiry_month: 12,
    expiry_year: 2099,
    environment: 0,
    created: tx.clock.now(),
    updated: null,
  })
  await numberPayment(tx, scope, { payment: { ...payment, gateway: 'test' }, discounts: [] })
  return {
    ...license,
    ...install,
    license_site_id: site.id,
    card_id: String(card.id),
    clone_id: await newClone(tx, scope, install),
    subscription_id: String(subscription.id),
    payment_id: String(payment.id),
  }
}

/** A subscription and its payment, which no gateway here took. */
const soldElsewhere = (tx: TxContext, scope: Scope, bought: Bought) => {
  const elsewhere = { gateway: null, external_id: null, source: 2 as const }
  return sellOn(tx, scope, bought, {
    now: tx.clock.real(),
    payment: elsewhere,
    subscription: elsewhere,
  })
}

interface Sold extends Pick<Offer, 'planId' | 'pricingId'> {
  readonly userId: number | null
  /** Null unless given: never. */
  readonly expiration?: UtcTime | null
}

/** A license for as many installs as one likes. */
export async function newLicense(
  tx: TxContext,
  scope: Scope,
  { planId, pricingId, userId, expiration = null }: Sold,
) {
  const license = await issueLicense(tx, scope, {
    plan_id: planId,
    pricing_id: pricingId,
    user_id: userId,
    quota: null,
    expiration,
    is_free_localhost: true,
    is_block_features: true,
    is_whitelabeled: false,
  })
  const key = tx.keys.open(license.secret_key, 'licenses.secret_key')
  return { license_id: String(license.id), license_key: key }
}

/** An install of a user with its keys and a token, not on any license. */
export async function newInstall(tx: TxContext, scope: Scope, userId: number) {
  const uid = randomBytes(16).toString('hex')
  const { install } = await createInstall(tx, scope, { user_id: userId, uid })
  const token = newInstallToken()
  const created = tx.clock.now()
  await insertInstallToken(tx.db, { install_id: install.id, token_hash: hashToken(token), created })
  return {
    install_id: String(install.id),
    uid,
    install_public_key: install.public_key,
    install_secret_key: tx.keys.open(install.secret_key, 'installs.secret_key'),
    install_token: token,
  }
}

interface Named {
  readonly install_id: string
}

const putOn = (tx: TxContext, scope: Scope, ids: Named & { readonly license_id: string }) => {
  const on = { installId: Number(ids.install_id), licenseId: Number(ids.license_id) }
  return putLicenseOn(tx, scope, on, { allowUnreleased: true })
}

export const newClone = async (tx: TxContext, scope: Scope, { install_id: id }: Named) =>
  (await noteClone(tx, scope, Number(id), 'https://copy.example')).id

export const remove = (tx: TxContext, scope: Scope, { install_id: id }: Named) =>
  updateInstall(tx, scope, Number(id), { is_uninstalled: true, reason_id: 4 })

export const tryPlan = (tx: TxContext, scope: Scope, { install_id: id }: Named, planId: string) =>
  startTrial(tx, scope, { install_id: Number(id), plan_id: Number(planId) }, { is_migration: false })
