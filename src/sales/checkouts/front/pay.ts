/** Paying a checkout: asking its gateway, hearing of it, and removing what was never paid. */
export { askForPurchase, reportedPurchase } from '../pay-checkout.ts'
export { deleteUnpaidCheckouts } from '../unpaid-queries.ts'
