import type { Refusal } from '../lib/errors.ts'

/** What products, plans and prices are the reason of. */
export const CATALOGUE_REFUSALS = {
  clock_advancing: { status: 409, says: 'The clock of the sandbox is being moved.' },
  clock_not_forward: { status: 400, says: 'The clock of a sandbox only moves forward.' },
  clock_too_far: { status: 400, says: 'The clock of a sandbox is moved further than it may be at once.' },
  license_review_taken: { status: 400, says: 'There is a review under this license.' },
  mail_not_kept: { status: 400, says: 'The mail was sent, or what it says is no longer kept.' },
  plan_in_use: { status: 400, says: 'The plan has been sold, so it can only be hidden.' },
  plan_name_taken: { status: 400, says: 'The product has a plan of this name.' },
  pricing_in_use: { status: 400, says: 'The price has been sold, so it can only be hidden.' },
  pricing_licenses_taken: {
    status: 400,
    says: 'The plan has a price for this number of licenses in this currency.',
  },
  product_not_sold: { status: 400, says: 'The product is not sold any more.' },
  product_slug_taken: { status: 400, says: 'The developer has a product of this name.' },
} as const satisfies Readonly<Record<string, Refusal>>

type CatalogueRefusals = typeof CATALOGUE_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends CatalogueRefusals {}
}
