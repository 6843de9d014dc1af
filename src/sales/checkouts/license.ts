import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { invalidLicenseKey } from '../../licensing/refusals.ts'
import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { isMailedTo } from '../../people/proof/mailed-to.ts'
import { readToken } from '../../lib/signed-token.ts'
import type { OfferRow } from './queries.ts'
import { NAMES_OF_CYCLES, type CheckoutOpen, type CheckoutRow, type CycleName } from './schema.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import { refuseUnchangeable } from '../../licensing/licenses/unchangeable.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import { getUser } from '../../people/users/service.ts'
import { chooseOffer, cycleSoldAt, licensesOf, type Chosen, type Offer, type OfferChoice } from './offer.ts'
import { paymentsOf, subscriptionsOf } from './license-queries.ts'
import { licenseByKey } from '../../licensing/licenses/by-key.ts'
import { findOwnerOfLicense } from './license-links-queries.ts'
import { currentOf } from '../subscriptions/subscriptions.ts'

/** What a checkout changes, and who may go on with it. */
export interface Licensed {
  readonly license: LicenseRow
  /** The subscription that renews it, or else the latest one. */
  readonly current: SubscriptionRow | undefined
  /** Whoever goes on with it holds a key and no more. */
  readonly isHidden: boolean
  /** What the link was made for. */
  readonly wanted: OfferChoice
}

/**
 * The license that a checkout is opened for: by its key, by a link to the checkout, or of a user with a token; null
 * where none is named. 404 `invalid_license_key` and for what is not that user's; 400 `invalid_authorization`,
 * `license_cancelled`, `no_user` for one that is nobody's, `license_error` for one that came with a bundle or a trial.
 */
export async function licenseOfCheckout(
  ctx: TxContext,
  scope: Scope,
  input: CheckoutOpen,
  userId: number | null,
): Promise<Licensed | null> {
  const named = await namedBy(ctx, scope, input, userId)
  if (!named) return null
  const { license } = named
  refuseUnchangeable(license)
  if (license.user_id === null) throw invalid('no_user', 'This license is nobody’s; activate it first.')
  return { ...named, current: await currentSubscription(ctx, scope, license.id) }
}

export async function currentSubscription(
  ctx: ReadContext,
  scope: Scope,
  licenseId: number,
): Promise<SubscriptionRow | undefined> {
  const rows = await subscriptionsOf(ctx.db, scope, licenseId)
  return rows.toReversed().reduce<SubscriptionRow | undefined>(currentOf, undefined)
}

type Named = Omit<Licensed, 'current'>

async function namedBy(
  ctx: TxContext,
  scope: Scope,
  input: CheckoutOpen,
  userId: number | null,
): Promise<Named | null> {
  const { license_key: key, license_id: id, authorization } = input
  if (key !== undefined) return { license: await byKey(ctx, scope, key), isHidden: true, wanted: {} }
  if (id === undefined) {
    if (authorization === undefined) return null
    throw invalid('invalid_authorization', 'An authorization is for a license; name it with license_id.')
  }
  const wanted = authorization === undefined ? null : await settingsOf(ctx, scope, id, authorization)
  const [license] = await findLicense(ctx.db, scope, { id })
  if (!license) throw wanted ? refused() : notFound('license')
  if (wanted) return { license, isHidden: false, wanted }
  if (userId === null) throw invalid('invalid_authorization', 'A license needs its key, or an authorization.')
  if (license.user_id !== userId) throw notFound('license')
  return { license, isHidden: false, wanted: {} }
}

async function byKey(ctx: ReadContext, scope: Scope, key: string): Promise<LicenseRow> {
  const { license } = await licenseByKey(ctx, scope, key)
  if (license.product_id === scope.productId) return license
  throw invalidLicenseKey()
}

const refused = () => invalid('invalid_authorization', 'The authorization is wrong, or older than a day.')

/**
 * What a link was made for; it works for its license of its product for a day (`docs/interface.md` 2.10), and for the
 * owner at the address that it was made for.
 */
async function settingsOf(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  authorization: string,
): Promise<OfferChoice> {
  const claims = readToken(ctx.keys, authorization, { purpose: 'checkout.license', now: ctx.clock.real() })
  const isOf = claims?.['plugin_id'] === String(scope.productId) && claims['license_id'] === String(id)
  if (!isOf || !isMailedTo(claims, await findOwnerOfLicense(ctx.db, id))) throw refused()
  const { plan_id: plan, licenses, billing_cycle: cycle, currency } = claims
  return {
    ...(typeof plan === 'string' && { plan_id: Number(plan) }),
    ...(typeof licenses === 'string' && { licenses }),
    ...(isCycle(cycle) && { billing_cycle: cycle }),
    ...(isCurrency(currency) && { currency }),
  }
}

const isCycle = (text: unknown): text is CycleName => NAMES_OF_CYCLES.some((name) => name === text)
const isCurrency = (text: unknown): text is Currency => CURRENCIES.some((name) => name === text)

/** What is chosen for a license; what it has already is no choice, and without any it is renewed as it is. */
export function offerOfLicense(
  prices: readonly OfferRow[],
  { license, current, wanted }: Licensed,
  input: OfferChoice,
): Offer {
  const choice = withoutOwn(license, { ...wanted, ...choiceOf(input) })
  if (!isSome(choice)) return renewalOf(prices, { license, current }) ?? notSold()
  const known = prices.find(({ id }) => id === license.pricing_id)
  const { billing_cycle: _cycle, ...others } = choice
  const isOther = isSome(others)
  const named = known && !isOther ? { ...choice, pricing_id: known.id } : choice
  return chooseOffer(prices, chosenBefore(license, current, known), named)
}

/** As what a license is renewed where nothing is chosen; null: its plan is not sold any more. */
export function renewalOf(
  prices: readonly OfferRow[],
  { license, current }: { readonly license: Renewed; readonly current: SubscriptionRow | undefined },
): Offer | null {
  const known = prices.find(({ id }) => id === license.pricing_id)
  if (known) return { price: known, cycle: cycleOf(license, current, known) }
  if (prices.every(({ plan_id: plan }) => plan !== license.plan_id)) return null
  return chooseOffer(prices, chosenBefore(license, current, known), {})
}

/** What of a license says how it is renewed. */
export type Renewed = Pick<LicenseRow, 'plan_id' | 'pricing_id' | 'quota' | 'expiration'>

const chosenBefore = (
  license: Renewed,
  current: SubscriptionRow | undefined,
  known: OfferRow | undefined,
): Chosen => ({
  planId: license.plan_id,
  licenses: license.quota,
  cycle: cycleOf(license, current, known),
  currency: current?.currency ?? known?.currency ?? 'usd',
})

function notSold(): never {
  throw invalid('plan_not_sold', 'The plan of this license is not sold any more.')
}

const choiceOf = ({ plan_id, pricing_id, licenses, billing_cycle, currency }: OfferChoice): OfferChoice => ({
  ...(plan_id !== undefined && { plan_id }),
  ...(pricing_id !== undefined && { pricing_id }),
  ...(licenses !== undefined && { licenses }),
  ...(billing_cycle !== undefined && { billing_cycle }),
  ...(currency !== undefined && { currency }),
})

const isSome = (choice: object) => Object.values(choice).some((one) => one !== undefined)

function withoutOwn(license: LicenseRow, choice: OfferChoice): OfferChoice {
  const isOwnPlan = choice.plan_id === undefined || choice.plan_id === license.plan_id
  const isOwn: Readonly<Record<keyof OfferChoice, boolean>> = {
    plan_id: isOwnPlan,
    pricing_id: choice.pricing_id === license.pricing_id,
    licenses: isOwnPlan && choice.licenses !== undefined && licensesOf(choice.licenses) === license.quota,
    billing_cycle: false,
    currency: choice.currency === 'auto',
  }
  const others = Object.entries(choice).filter(([name]) => !isOwn[name as keyof OfferChoice])
  return Object.fromEntries(others) as OfferChoice
}

/**
 * How often a license is paid; one that nobody has a subscription for by the year, or as its price is sold else
 * (`docs/decisions.md` 5.19).
 */
export function cycleOf(
  { expiration }: Renewed,
  current: SubscriptionRow | undefined,
  price: OfferRow | undefined,
): CheckoutRow['billing_cycle'] {
  if (expiration === null) return 0
  return current?.billing_cycle ?? (price ? cycleSoldAt(price, 12) : 12)
}

/** The columns of a checkout of a license: its owner is the buyer, of whom who holds a key is told nothing. */
export async function columnsOfLicense(
  ctx: ReadContext,
  scope: Scope,
  { license, current, isHidden }: Licensed,
) {
  const { id, user_id: userId, environment } = license
  const owner = {
    of_license_id: id,
    user_id: userId,
    environment,
    is_readonly: true,
    is_recorded: false,
  } as const
  if (isHidden) return { ...owner, is_hidden: true, country_code: null, region: null } as const
  const { email, first, last } = await getUser(ctx, scope, userId ?? 0)
  const [payment] = await paymentsOf(ctx.db, scope, id)
  const { country_code = null, zip_postal_code = null, vat_id = null } = current ?? payment ?? {}
  return {
    ...owner,
    email,
    first,
    last,
    country_code,
    region: current?.region ?? null,
    zip_postal_code,
    vat_id,
  }
}
