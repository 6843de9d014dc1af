import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { isStateCode } from '../../lib/countries.ts'
import { invalid, invalidFields, missingFields } from '../../lib/errors.ts'
import { readToken } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { guard } from './guard-queries.ts'
import type { CheckoutChange, CheckoutPay, CheckoutRow } from './schema.ts'
import type { Priced } from './action.ts'
import { findUser } from '../../people/users/user-rows.ts'

/** Longer than any checkout that was opened with the token can be paid. */
const TOKEN_HELD_MS = 2 * DAY

/**
 * Whether who goes on with a checkout has proven to be its buyer: by a token of the user, or by a link to the license.
 * Of anybody else, who typed an address or shows a license key, nothing is told that depends on who they are, and it is
 * judged when they pay (`docs/decisions.md` 3.14).
 */
export const isProvenBuyer = ({
  is_readonly: cameWithProof,
  is_hidden: isHidden,
}: Pick<CheckoutRow, 'is_readonly' | 'is_hidden'>) => cameWithProof && !isHidden

/**
 * Whether what is bought costs nothing and goes to an address that was only typed, so that anybody could have done it
 * in the name of its owner: until its key is put on a site it says nothing of that person.
 */
export const isUnprovenGift = (
  row: Pick<CheckoutRow, 'is_readonly' | 'is_hidden'>,
  { quote }: Pick<Priced, 'quote'>,
): boolean => !isProvenBuyer(row) && quote.total === 0

/** The user of a token, who stays the buyer. */
export async function userOf(ctx: TxContext, scope: Scope, token: string | undefined) {
  if (token === undefined) return {}
  const claims = readToken(ctx.keys, token, { purpose: 'checkout', now: ctx.clock.real() })
  const isOfProduct = claims?.['plugin_id'] === String(scope.productId)
  const [user] = isOfProduct ? await findUser(ctx.db, scope, { id: Number(claims?.['user_id']) }) : []
  if (!user) throw invalid('invalid_user_token', 'The token of the user is wrong, or older than a minute.')
  const { id, email, first, last } = user
  return { user_id: id, email, first, last, is_readonly: true, buyer_token: claims?.jti ?? null }
}

/**
 * Keeps the token of a user for one of the checkouts that were opened with it: a token pays once
 * (`docs/decisions.md` 3.10). 400 `invalid_user_token` for all others. A checkout that is not paid lets go of it.
 */
export async function holdToken(tx: TxContext, { id, buyer_token: token }: CheckoutRow): Promise<void> {
  if (token === null) return
  const now = tx.clock.real()
  const held = { name: `token:${token}`, email_folded: '', checkout_id: id, forMs: TOKEN_HELD_MS }
  if (await guard(tx.db, { ...held, isSpent: true }, now)) return
  throw invalid('invalid_user_token', 'Another checkout was paid with this token of the user.')
}

/** Where nothing is paid, nobody asks for the place whose tax it would have; nor where a license has it already. */
export function requireBuyer(row: CheckoutRow): void {
  const { action, email, user_id: userId, country_code: country, trial } = row
  const isTaxedHere = trial !== 'free' && action !== 'payment_method_update'
  const missing = [
    ...(email === '' && userId === null ? [{ field: 'user_email', message: 'is required to pay' }] : []),
    ...(country === null && isTaxedHere ? [{ field: 'country_code', message: 'is required to pay' }] : []),
  ]
  if (missing.length > 0) throw missingFields(missing)
}

/** Whether a checkout is paid without any method of payment. */
export const isForNothing = ({ quote, needsMethod }: Pick<Priced, 'quote' | 'needsMethod'>) =>
  quote.total === 0 && !needsMethod

/** 402 without a method of payment for what needs one. */
export function requireMethod(
  priced: Pick<Priced, 'quote' | 'needsMethod'>,
  { payment_token: method }: CheckoutPay,
): void {
  if (method !== undefined || isForNothing(priced)) return
  throw missingFields([{ field: 'payment_token', message: 'is required for what costs something' }])
}

export const codeOf = (code: string | undefined) => code?.trim() || undefined

type Place = Partial<Pick<CheckoutRow, 'country_code' | 'region'>>

/**
 * Where the buyer is. A region goes with its country: one that another country does not have is taken back with the
 * former country, and 400 where it was told for this one.
 */
export function placeOf(input: CheckoutChange, before: Place) {
  const place = told({
    country_code: input.country_code?.toUpperCase(),
    region: input.region?.trim().toUpperCase(),
    zip_postal_code: input.zip_postal_code,
    vat_id: input.vat_id,
    ...companyAsked(input),
  })
  const { country_code: country = null, region = null } = { ...before, ...place }
  if (region === null || isStateCode(country, region)) return place
  if (place.region === undefined) return { ...place, region: null }
  throw invalidFields([
    { field: 'region', message: 'must be the code of a state of the country (ISO 3166-2)' },
  ])
}

export const buyerOf = (input: CheckoutChange, before: Place) => ({
  ...(input.user_email !== undefined && { email: input.user_email.trim() }),
  ...(input.user_firstname !== undefined && { first: input.user_firstname.trim() }),
  ...(input.user_lastname !== undefined && { last: input.user_lastname.trim() }),
  ...placeOf(input, before),
})

/** What is told of the company that is bought for. */
export const companyAsked = (input: CheckoutChange) => ({
  business_name: input.business_name?.trim(),
  address_street: input.address_street?.trim(),
  address_apt: input.address_apt?.trim(),
  address_city: input.address_city?.trim(),
})

/** Empty text takes back what was told. */
const told = <T extends Record<string, string | undefined>>(given: T) =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : value]),
  ) as { [K in keyof T]?: string | null }
