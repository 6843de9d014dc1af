import type { Operation } from '../http/other-replies.ts'
import { cartOperations } from './carts/routes.ts'
import { cartEventOperations } from './carts/event-routes.ts'
import { checkoutTokenOperations } from './carts/token-routes.ts'
import { unsubscribePage } from './carts/unsubscribe-page.ts'
import { checkoutOperations } from './checkouts/routes.ts'
import { licenseLinkOperations } from './checkouts/link-routes.ts'
import { couponOperations } from './coupons/routes.ts'
import { dueOperations } from './due/routes.ts'
import { paymentOperations } from './payments/routes.ts'
import { invoiceOperations } from './invoices/routes.ts'
import { disputeOperations } from './disputes/routes.ts'
import { ledgerOperations } from './ledger/routes.ts'
import { planChangeOperations } from './plan-change/routes.ts'
import { priceUseOperations } from './price-use/routes.ts'
import { subscriptionOperations } from './subscriptions/routes.ts'
import { cardOperations } from './cards/routes.ts'
import { gatewayReportOperation } from './charges/routes.ts'
import { taxOperations } from './taxes/routes.ts'
import { figureOperations } from './figures/routes.ts'
import { seriesOperations } from './figures/series-routes.ts'
import { pricingTableOperations } from './pricing-table/pricing-table-routes.ts'
import { checkoutProductOperations } from './pricing-table/checkout-product-routes.ts'
import { migrationOperations } from './migration/routes.ts'
import { overviewOperations } from './overview/routes.ts'
import { searchOperations } from './search/routes.ts'
import { privacyOperations } from './privacy/routes.ts'
import { timelineOperations } from './timeline/routes.ts'
import { noteOperations } from './notes/routes.ts'
import { entityNoteOperations } from './notes/entity-routes.ts'

/**
 * How it is paid: the cart and the checkout, coupons, payments and their invoices, subscriptions and what renews them,
 * refunds, cards, taxes, and the figures that come of it; notes on what was sold, the search over all of an account, the timeline of a user and of a license, what
 * there is of it, counted, and what falls due in a sandbox. The seller reads and writes it, a user reads its own; a checkout is for whoever opens it,
 * and a gateway reports by its own signature.
 */
export const salesOperations: readonly Operation[] = [
  ...cartOperations,
  ...cartEventOperations,
  ...checkoutTokenOperations,
  unsubscribePage,
  ...checkoutOperations,
  ...licenseLinkOperations,
  ...couponOperations,
  ...paymentOperations,
  ...disputeOperations,
  ...ledgerOperations,
  ...planChangeOperations,
  ...priceUseOperations,
  ...invoiceOperations,
  ...subscriptionOperations,
  ...cardOperations,
  gatewayReportOperation,
  ...taxOperations,
  ...figureOperations,
  ...seriesOperations,
  ...pricingTableOperations,
  ...checkoutProductOperations,
  ...migrationOperations,
  ...noteOperations,
  ...entityNoteOperations,
  ...searchOperations,
  ...timelineOperations,
  ...overviewOperations,
  ...dueOperations,
  ...privacyOperations,
]
