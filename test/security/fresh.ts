import { transaction, type TxContext } from '../../src/context.ts'
import { startOwnershipChange } from '../../src/licensing/owners/change-owner.ts'
import { touchCart } from '../../src/sales/carts/touch-cart.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import { systemScope, type Scope } from '../../src/access/scope.ts'
import { DAY, toUtcTime } from '../../src/lib/time.ts'
import { CONTENT_PLACE } from '../../src/mail/outbox.ts'
import { OWNERSHIP_PATH } from '../../src/licensing/owners/ownership.ts'
import { holdInstall } from '../../src/licensing/installs/service.ts'
import { makeSpecial } from '../../src/sales/coupons/special.ts'
import { insertClock } from '../../src/catalogue/sandbox/queries.ts'
import { addNewUser } from '../../src/people/users/create.ts'
import { createVersion } from '../archives.ts'
import { createOffer } from '../catalogue.ts'
import { openSandboxCheckout } from '../checkouts.ts'
import { createCoupons } from '../coupons.ts'
import { createTriedWebhook } from '../webhooks.ts'
import { FRESH_OF_ACCOUNT } from './of-account.ts'
import { freshNote } from './fresh-notes.ts'
import { FRESH_FOR_PAGES } from './fresh-pages.ts'
import { licenseUser, newClone, newInstall, newLicense, offerIn, remove, tryPlan } from './licensed.ts'
import type { Ids, World } from './world.ts'

/** Where something is made: in the first product, for a user of it. */
interface Place {
  readonly tx: TxContext
  readonly scope: Scope
  readonly storeId: number
  readonly userId: number
  /** What lives there already. */
  readonly own: Ids
}

type Make = (place: Place) => Promise<Ids>

const bare: Make = ({ tx, scope, userId }) => newInstall(tx, scope, userId)

/** A license of its own, active on an install of its own. */
const licensed: Make = (place) => licenseUser(place.tx, place.scope, offerIn(place.own), place.userId)
const license: Make = (place) =>
  newLicense(place.tx, place.scope, { ...offerIn(place.own), userId: place.userId })

const orphan: Make = (place) => newLicense(place.tx, place.scope, { ...offerIn(place.own), userId: null })

const ending: Make = (place) => {
  const expiration = toUtcTime(place.tx.clock.real() + 20 * DAY)
  return newLicense(place.tx, place.scope, { ...offerIn(place.own), userId: place.userId, expiration })
}

/** A license of its own, with the coupon against cancelling, of which a product has one. */
const discountable: Make = async (place) => {
  const { tx, scope, storeId } = place
  const known = await tx.db
    .selectFrom('special_coupons')
    .select('coupon_id')
    .where('type', '=', 'subscription_cancellation')
    .where('product_id', '=', scope.productId)
    .executeTakeFirst()
  if (known) return { ...(await licensed(place)), coupon_id: String(known.coupon_id) }
  const { coupon_id: id = '' } = await createCoupons(tx, { ...scope, storeId }, { isSpecial: false })
  await makeSpecial(tx, scope, { coupon_id: Number(id), special_id: 'subscription_cancellation' })
  return { ...(await licensed(place)), coupon_id: id }
}

const removed: Make = async ({ tx, scope, userId }) => {
  const install = await newInstall(tx, scope, userId)
  await remove(tx, scope, install)
  return install
}

const onTrial: Make = async ({ tx, scope, userId, own }) => {
  const install = await newInstall(tx, scope, userId)
  await tryPlan(tx, scope, install, own['tried_plan_id'] ?? '')
  return install
}

const cloned: Make = async ({ tx, scope, userId }) => {
  const install = await newInstall(tx, scope, userId)
  return { ...install, clone_id: await newClone(tx, scope, install) }
}

let people = 0

/** An address without digits, which a search for an id would find. */
const newEmail = (name: string) =>
  `${name}-${String(++people).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}@example.com`

/** A user with a license, whom nobody was mailed anything about yet. */
const customer: Make = async (place) => {
  const email = newEmail('customer')
  const user = await addNewUser(place.tx, place.scope, {
    email,
    source: 'freemius',
    is_verified: false,
    is_migration: false,
    send_verification_email: false,
  })
  const userId = user?.id ?? 0
  const install = await newInstall(place.tx, place.scope, userId)
  return { ...(await license({ ...place, userId })), ...install, email, user_id: String(userId) }
}

/** The first thing that somebody bought, to whose account nothing else is added up. */
const firstSale: Make = async (place) => {
  const { user_id: id = '', email = '' } = await customer(place)
  return { ...(await licensed({ ...place, userId: Number(id) })), user_id: id, email }
}

/** An install whose owner and next owner were asked, with what their mails say. */
const changing: Make = async ({ tx, scope, userId }) => {
  const install = await newInstall(tx, scope, userId)
  const email = newEmail('next')
  const held = await holdInstall(tx, scope, Number(install.install_id))
  const wanted = { next: { email }, transferType: 'transfer', installIds: [], redirectUrl: null }
  await startOwnershipChange(tx, scope, held, wanted)
  const { candidate, owner } = await linksTo(tx, email)
  return {
    ...install,
    next_owner: email,
    token_salt: owner?.[1] ?? '',
    owner_token: owner?.[2] ?? '',
    candidate_token: candidate?.[2] ?? '',
  }
}

/** The links that both sides were mailed, as the next owner and as the present one; both have one salt. */
async function linksTo({ db, keys }: TxContext, email: string) {
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'content'])
    .where('kind', '=', 'ownership_change')
    .orderBy('id', 'desc')
    .limit(40)
    .execute()
  const link = new RegExp(`${OWNERSHIP_PATH}([\\w-]+)\\.([\\w-]+)`)
  const opened = mails.map(({ recipient, content }) => {
    const { text } = JSON.parse(keys.open(content ?? '', CONTENT_PLACE)) as { text: string }
    return { recipient, link: link.exec(text) }
  })
  const candidate = opened.find(({ recipient }) => recipient === email)?.link
  const owner = opened.find((one) => one.recipient !== email && one.link?.[1] === candidate?.[1])?.link
  return { candidate, owner }
}

const cart: Make = async ({ tx, scope }) => {
  const email = newEmail('cart')
  const { id } = await touchCart(tx, scope, { environment: 0, visitor: null, email })
  return { cart_id: String(id) }
}

let offers = 0

/** A plan with a price, of which a plan has one for a number of licenses. */
const priced: Make = async ({ tx, scope }) => {
  const { planId, pricingId } = await createOffer(tx, scope, `offer-made-anew-${++offers}`)
  return { plan_id: String(planId), pricing_id: String(pricingId) }
}

/** A cart, and what can be put into it. */
const offered: Make = async (place) => {
  const { tx, scope, storeId } = place
  const { coupon_id = '' } = await createCoupons(tx, { ...scope, storeId }, { isSpecial: false })
  return { ...(await cart(place)), ...(await priced(place)), coupon_id }
}

/** A checkout in the sandbox of a price that is sold. */
const checkout: Make = async (place) => {
  const { tx, scope } = place
  const { plan_id = '', pricing_id = '' } = await priced(place)
  await tx.db.updateTable('plans').set({ trial_period: 7 }).where('id', '=', Number(plan_id)).execute()
  const sold = { pricingId: Number(pricing_id), email: newEmail('checkout') }
  const token = await openSandboxCheckout(tx, scope, sold)
  return { plan_id, pricing_id, checkout_token: token, email: newEmail('buyer') }
}

/** A license, and what it can be changed to. */
const upgradable: Make = async (place) => ({ ...(await offered(place)), ...(await license(place)) })

/** A sandbox whose clock is ready. */
const readyClock: Make = async ({ tx, scope }) => {
  await insertClock(tx.db, scope.productId)
  await tx.db
    .updateTable('sandbox_clocks')
    .set({ state: 'ready', at_ms: null, target_ms: null, due_at: null })
    .execute()
  return {}
}

/** An account that has said nothing of taxes. */
const untaxed: Make = async ({ tx, scope }) => {
  await tx.db.deleteFrom('tax_settings').where('developer_id', '=', scope.developerId).execute()
  return {}
}

/** A version that nobody is offered. */
const pendingVersion: Make = async ({ tx, scope }) => ({ tag_id: await createVersion(tx, scope) })

const webhook: Make = async ({ tx, scope }) => ({
  webhook_id: await createTriedWebhook(tx, scope),
})

const withoutNote: Make = async ({ tx, scope, storeId }) => {
  const { coupon_id: id = '' } = await createCoupons(tx, { ...scope, storeId }, { isSpecial: false })
  await tx.db
    .deleteFrom('notes')
    .where('entity_type', '=', 'coupon')
    .where('entity_id', '=', Number(id))
    .execute()
  return { coupon_id: id }
}

/** What a call needs that a call before it would have used up, or changed for others. */
const MAKE: Readonly<Record<string, Make>> = {
  ...FRESH_FOR_PAGES,
  'licenses/activate': bare,
  'keywright/activate-license': bare,
  'licenses/deactivate': licensed,
  'keywright/deactivate-license': licensed,
  'installations/activate-license': bare,
  'installations/deactivate-license': licensed,
  'installations/update-install': bare,
  'installations/delete-install': licensed,
  'installations/downgrade-default-plan': licensed,
  'installations/update-permissions': bare,
  'installations/create-clone': bare,
  'installations/resolve-clone': cloned,
  'installations/retrieve-uninstall-details': removed,
  'installations/create-new-license': bare,
  'installations/start-trial': customer,
  'installations/cancel-trial': onTrial,
  'installations/change-ownership': changing,
  'installations/send-verification-email': customer,
  'keywright/ask-for-owner': bare,
  'keywright/create-addon-install': bare,
  'keywright/create-user-installs': bare,
  'keywright/update-user-installs': bare,
  'keywright/delete-user-installs': licensed,
  'keywright/update-user-permissions': bare,
  'keywright/add-license-site': license,
  'keywright/remove-license-site': licensed,
  'keywright/white-label-license': license,
  'licenses/update': license,
  'licenses/cancel': license,
  'licenses/assign': orphan,
  'licenses/deactivate-installs': licensed,
  'licenses/sync-activations': license,
  'licenses/send-renewal-email': ending,
  'licenses/resend-keys': customer,
  'licenses/create-review': license,
  'plans/create-pricing': priced,
  'plans/update-pricing': priced,
  'coupons/create-note': withoutNote,
  'subscriptions/cancel': licensed,
  'subscriptions/update': discountable,
  'subscriptions/create-new-migrated-payment': firstSale,
  'licenses/cancel-current-subscription': licensed,
  'keywright/refund-payment': firstSale,
  'keywright/open-checkout': checkout,
  'keywright/retrieve-checkout': checkout,
  'keywright/update-checkout': checkout,
  'keywright/pay-checkout': checkout,
  'deployments/update': pendingVersion,
  'keywright/delete-deployment': pendingVersion,
  'keywright/delete-deployment-archive': pendingVersion,
  'carts/update': offered,
  'carts/delete': cart,
  'keywright/switch-cart-recovery': cart,
  'licenses/generate-upgrade-link': upgradable,
  'products/generate-portal-login-link': customer,
  'keywright/advance-sandbox-clock': readyClock,
  'keywright/update-tax-settings': untaxed,
  'keywright/update-webhook': webhook,
  'keywright/delete-webhook': webhook,
  'keywright/rotate-webhook-secret': webhook,
  'keywright/resend-events': webhook,
  'keywright/test-webhook': webhook,
  'keywright/report-bounce': customer,
  ...FRESH_OF_ACCOUNT,
}

const noted = { user: customer, license, payment: firstSale, subscription: licensed }

/** Whether a call leaves nothing for the next one. */
export const isFresh = ({ id }: AnyOperation): boolean => id in MAKE || freshNote(id, noted) !== undefined

/** The ids of the first product, with what a call to the operation needs for itself; of this user, by default Ada. */
export async function freshIds(
  world: World,
  { id }: AnyOperation,
  userId = world.people.ada.id,
): Promise<Ids> {
  const { seller, ctx, ids } = world
  const make = MAKE[id] ?? freshNote(id, noted)
  if (!make) return ids.own
  const { developer, product, store } = seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const place = { scope, storeId: store.id, userId, own: ids.own }
  const made = await transaction(ctx, (tx) => make({ ...place, tx }))
  return { ...ids.own, user_id: String(userId), ...made }
}
