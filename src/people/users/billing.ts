import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import {
  codeOfCountry,
  COUNTRY_MESSAGE,
  countryName,
  isCountryText,
  isState,
  STATE_MESSAGE,
} from '../../lib/countries.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import { isMalformedVatId, VAT_FORM_MESSAGE } from '../../lib/vat-form.ts'
import type { OwnReach } from '../../db/tables/reach.ts'
import { recordEvent } from '../../events/log/record.ts'
import { findBillingInReach, putBilling, putBillingOfPair } from './billing-queries.ts'
import { findBilling } from './billing-rows.ts'
import {
  BILLING_FIELDS,
  presentBilling,
  type Billing,
  type BillingField,
  type BillingUpdate,
} from './billing-schema.ts'
import { pairInReach } from './keys.ts'
import { getUser } from './service.ts'

/**
 * 404 when the product has no such user, or the user no billing address yet. Who is not proven to be the person has an
 * address of its own.
 */
export async function getBilling(ctx: ReadContext, scope: Scope, userId: number): Promise<Billing> {
  await getUser(ctx, scope, userId)
  const row = scope.reach ? await findBillingInReach(ctx.db, scope.reach) : await findBilling(ctx.db, userId)
  if (!row) throw notFound('billing address')
  return presentBilling(row)
}

type Address = Record<BillingField, string>

/**
 * Writes what was given; what is left out stays. A change of the tax id is its own event. 400 for a state that the
 * country does not have, and for a VAT id that has not the form of its country.
 */
export async function updateBilling(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  input: BillingUpdate,
): Promise<Billing> {
  if (!(await hold(ctx.db, 'users', scope, userId))) throw notFound('user')
  const user = await getUser(ctx, scope, userId)
  if (scope.reach) {
    const pairId = await pairInReach(ctx, { reach: scope.reach, actor: scope.actor }, user)
    return updateBillingOfPair(ctx, { pairId, reach: scope.reach }, input)
  }
  const known = await findBilling(ctx.db, userId)
  const before = known ? addressOf(known) : EMPTY
  const after = addressAfter(before, input)
  const changed = BILLING_FIELDS.filter((field) => before[field] !== after[field])
  if (known && changed.length === 0) return presentBilling(known)
  const now = ctx.clock.now()
  const row = await putBilling(ctx.db, { ...after, user_id: user.id, created: now, updated: null }, now)
  await recordChange(ctx, scope, user.id, { before, after, changed })
  return presentBilling(row)
}

/** It is nothing of the person's, and so no event of the person. */
async function updateBillingOfPair(
  ctx: TxContext,
  { pairId, reach }: { readonly pairId: number; readonly reach: OwnReach },
  input: BillingUpdate,
): Promise<Billing> {
  const known = await findBillingInReach(ctx.db, reach)
  const before = known ? addressOf(known) : EMPTY
  const now = ctx.clock.now()
  const address = addressAfter(before, input)
  const row = { ...address, user_key_id: pairId, created: now, updated: null }
  return presentBilling(await putBillingOfPair(ctx.db, row, now))
}

interface Change {
  readonly before: Address
  readonly after: Address
  readonly changed: readonly BillingField[]
}

async function recordChange(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  { before, after, changed }: Change,
) {
  const id = { user_id: String(userId) }
  if (changed.includes('tax_id')) {
    const data = { ...id, from: before.tax_id, to: after.tax_id }
    await recordEvent(ctx, scope, { type: 'user.billing.tax_id.updated', userId, data })
  }
  const fields = changed.filter((field) => field !== 'tax_id')
  if (fields.length > 0 || changed.length === 0) {
    await recordEvent(ctx, scope, { type: 'user.billing.updated', userId, data: { ...id, fields } })
  }
}

const EMPTY = Object.fromEntries(BILLING_FIELDS.map((field) => [field, ''])) as Address

const addressOf = (row: Address): Address =>
  Object.fromEntries(BILLING_FIELDS.map((field) => [field, row[field]])) as Address

/** A state goes with its country: one that another country does not have is taken back with the former country. */
function addressAfter(before: Address, input: BillingUpdate): Address {
  const given = addressGiven(input)
  refuseUnknown(before, given)
  const after = { ...before, ...given, ...countryAfter(before, given) }
  const { address_country_code: country, address_state: state } = after
  const isMoved = country !== before.address_country_code
  if ((input.address_state === undefined && !isMoved) || isState(country || null, state)) return after
  if (input.address_state === undefined) return { ...after, address_state: '' }
  throw invalidFields([{ field: 'address_state', message: STATE_MESSAGE }])
}

/**
 * The name of a country is one that there is, and a VAT id has the form of its country; what stands there already may be
 * sent back.
 */
function refuseUnknown(before: Address, given: Partial<Address>): void {
  const isNew = (field: BillingField) => given[field] !== undefined && given[field] !== before[field]
  const { address_country: name = '', tax_id: taxId = '' } = given
  const problems = [
    ...(isNew('address_country') && !isCountryText(name)
      ? [{ field: 'address_country', message: COUNTRY_MESSAGE }]
      : []),
    ...(isNew('tax_id') && isMalformedVatId(taxId) ? [{ field: 'tax_id', message: VAT_FORM_MESSAGE }] : []),
  ]
  if (problems.length > 0) throw invalidFields(problems)
}

type Country = Pick<Address, 'address_country' | 'address_country_code'>

/**
 * An address is in one country: who tells its code or its name changes the other with it. Of both the one that is new
 * counts, and the code where both are (`docs/decisions.md` 3.24). A name whose code nobody knows goes with any that is
 * told beside it.
 */
function countryAfter(before: Country, given: Partial<Country>): Partial<Country> {
  const { address_country: name, address_country_code: code } = given
  if (code === undefined) return name === undefined ? {} : { address_country_code: codeOfName(name) }
  if (name === undefined) return namedBy(code, before.address_country)
  const isNewName = name !== before.address_country
  const isNewCode = code !== before.address_country_code
  if (isUnknown(name) || (!isNewName && !isNewCode)) return {}
  const isByName = isNewName && name !== '' && (code === '' || !isNewCode)
  return isByName ? { address_country_code: codeOfName(name) } : namedBy(code, name)
}

const namedBy = (code: string, name: string): Partial<Country> => ({
  address_country: code !== '' && codeOfName(name) === code ? name : countryName(code),
})

const isUnknown = (name: string) => name !== '' && codeOfName(name) === '' && isCountryText(name)

const codeOfName = (name: string) => codeOfCountry(name)?.toLowerCase() ?? ''

/** Country codes are kept in lower case. */
function addressGiven({ address_country_code: code, ...rest }: BillingUpdate): Partial<Address> {
  return code === undefined ? rest : { ...rest, address_country_code: code.toLowerCase() }
}
