import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hold } from '../../db/hold.ts'
import { asksForConsent } from '../../lib/countries.ts'
import { invalid } from '../../lib/errors.ts'
import { getUser, updateUser } from '../../people/users/service.ts'
import { taxRates } from '../taxes/rates.ts'
import type { Asked, Priced } from './action.ts'
import { isForNothing, isProvenBuyer, isUnprovenGift } from './buyer.ts'
import type { Checkout, CheckoutPay, CheckoutRow } from './schema.ts'
import { waiverIn } from './waiver.ts'

type Costs = Pick<Priced, 'quote' | 'needsMethod'>

/** VAT ids of who may be a company: the others are those of nobody. */
const OF_COMPANIES: ReadonlySet<CheckoutRow['vat_check']> = new Set(['valid', 'unchecked'])

/**
 * Whether the buyer has a right to withdraw that access at once takes away, and so must say to know that: a consumer of
 * the union, of what is paid for, now or after a trial (`docs/decisions.md` 3.27).
 */
const needsWaiver = ({ country_code: country, vat_id: id, vat_check, action }: CheckoutRow, costs: Costs) => {
  const isConsumer = id === null || !OF_COMPANIES.has(vat_check)
  const isSale = action !== 'payment_method_update' && !isForNothing(costs)
  return country !== null && taxRates.isInUnion(country) && isConsumer && isSale
}

/** What the buyer must agree to before it is paid, or has agreed to; null: nothing. */
export function waiverOf(row: CheckoutRow, costs: Costs): Checkout['waiver'] {
  if (row.state === 'open')
    return needsWaiver(row, costs) ? { text: waiverIn(row.language), accepted_at: null } : null
  return row.waiver === null ? null : { text: row.waiver, accepted_at: row.waived_at }
}

/** Ticked beforehand only where the law lets silence be a yes, and the page asks so. */
const isPreticked = ({ gdpr, country_code: country }: CheckoutRow) =>
  gdpr === 'opt_out' && country !== null && !asksForConsent(country)

/** Nobody is asked who need not be, nor whose answer would not count as theirs: anybody could have typed their address. */
function asksForMarketing(row: CheckoutRow, costs: Costs): boolean {
  const { gdpr, action, country_code: country } = row
  if (gdpr === 'hidden' || action === 'payment_method_update' || country === null) return false
  return !row.is_hidden && !isUnprovenGift(row, costs) && (gdpr === 'opt_out' || asksForConsent(country))
}

/** How the buyer is asked for consent to marketing, and what was said; null: nobody asks. */
export function marketingOf(row: CheckoutRow, costs: Costs): Checkout['marketing'] {
  const said = row.state === 'open' ? null : row.is_marketing_allowed
  if (row.state === 'open' ? !asksForMarketing(row, costs) : said === null) return null
  return { is_preticked: isPreticked(row), is_allowed: said }
}

/**
 * What a buyer says who begins to pay, to be kept with the checkout; what nobody asked for is left out. 400
 * `waiver_required` without the consent that is needed.
 */
export function consentsIn(
  { clock }: Pick<TxContext, 'clock'>,
  row: CheckoutRow,
  { costs, input }: { readonly costs: Costs; readonly input: CheckoutPay },
): Pick<CheckoutRow, 'waiver' | 'waived_at' | 'is_marketing_allowed'> {
  const isNeeded = needsWaiver(row, costs)
  if (isNeeded && input.is_waiver_accepted !== true) {
    const message = 'A consumer of the EU agrees to the waiver of a checkout before it is paid.'
    throw invalid('waiver_required', message, 'is_waiver_accepted')
  }
  const { is_marketing_allowed: said = null } = input
  return {
    waiver: isNeeded ? waiverIn(row.language) : null,
    waived_at: isNeeded ? clock.now() : null,
    is_marketing_allowed: asksForMarketing(row, costs) ? said : null,
  }
}

/**
 * Writes to the user what a buyer said of marketing. A first decision counts as it is; later only a box that was changed
 * says something, and a no becomes a yes only for who has proven to be the user.
 */
export async function keepConsent(
  tx: TxContext,
  { scope, checkout }: { readonly scope: Scope; readonly checkout: Asked['checkout'] },
  userId: number,
): Promise<void> {
  const { is_marketing_allowed: said } = checkout
  if (said === null || !(await hold(tx.db, 'users', scope, userId))) return
  const { is_marketing_allowed: before } = await getUser(tx, scope, userId)
  const isChanged = said !== isPreticked(checkout)
  const isHeard = before === null || (isChanged && (!said || isProvenBuyer(checkout)))
  if (isHeard) await updateUser(tx, scope, userId, { is_marketing_allowed: said })
}
