import type { Refusal } from '../lib/errors.ts'

/** What products, plans and prices are the reason of. */
export const CATALOGUE_REFUSALS = {
  clock_advancing: {
    status: 409,
    says: 'The clock of the sandbox is being moved.',
    help: 'Wait until the clock says that it is ready, and move it then.',
  },
  clock_not_forward: {
    status: 400,
    says: 'The clock of a sandbox only moves forward.',
    help: 'Name a time after the one that the clock shows.',
  },
  clock_too_far: {
    status: 400,
    says: 'The clock of a sandbox is moved further than it may be at once.',
    help: 'Move the clock by two years at most, more than once where need be.',
  },
  last_store: {
    status: 400,
    says: 'The store is the only one of the account.',
    help: 'Open another store first; products need one.',
  },
  license_review_taken: {
    status: 400,
    says: 'There is a review under this license.',
    help: 'Change the review that is there.',
  },
  mail_not_kept: {
    status: 400,
    says: 'The mail was sent, or what it says is no longer kept.',
    help: 'Do anew what the mail was about, as by another link or by mailing the keys.',
  },
  plan_in_use: {
    status: 400,
    says: 'The plan has been sold, so it can only be hidden.',
    help: 'Hide the plan; licenses of it go on.',
  },
  plan_name_taken: {
    status: 400,
    says: 'The product has a plan of this name.',
    help: 'Choose another name.',
  },
  plan_order_mismatch: {
    status: 400,
    says: 'The order does not name each plan of the product once.',
    help: 'List the plans of the product again and order those.',
  },
  pricing_in_use: {
    status: 400,
    says: 'The price has been sold, so it can only be hidden.',
    help: 'Hide the price; subscriptions that pay it go on.',
  },
  pricing_licenses_taken: {
    status: 400,
    says: 'The plan has a price for this number of licenses in this currency.',
    help: 'Change the price that is there.',
  },
  product_not_sold: {
    status: 400,
    says: 'The product is not sold any more.',
    help: 'Nobody can buy it; offer another product.',
  },
  product_slug_taken: {
    status: 400,
    says: 'The developer has a product of this name.',
    help: 'Choose another slug.',
  },
  store_in_use: {
    status: 400,
    says: 'The store has, or had, products or coupons, or is named by a sender address of a product.',
    help: 'Keep the store; only one that nothing refers to can be deleted.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type CatalogueRefusals = typeof CATALOGUE_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends CatalogueRefusals {}
}
