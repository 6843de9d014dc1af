import type { AnyOperation } from './http/operation.ts'
import { addonOperations } from './resources/addons/routes.ts'
import { cartOperations } from './resources/carts/routes.ts'
import { checkoutTokenOperations } from './resources/carts/token-routes.ts'
import { checkoutOperations } from './resources/checkouts/routes.ts'
import { couponOperations } from './resources/coupons/routes.ts'
import { deploymentOperations } from './resources/deployments/routes.ts'
import { updateOperations } from './resources/deployments/update-routes.ts'
import { developerOperations } from './resources/developers/routes.ts'
import { eventOperations } from './resources/events/routes.ts'
import { figureOperations } from './resources/figures/routes.ts'
import { invoiceOperations } from './resources/invoices/routes.ts'
import { cardOperations } from './resources/cards/routes.ts'
import { activationOperations } from './resources/licenses/activation-routes.ts'
import { installPartOperations } from './resources/installs/part-routes.ts'
import { installOperations } from './resources/installs/routes.ts'
import { userInstallOperations } from './resources/installs/user-install-routes.ts'
import { installLicenseOperations } from './resources/licenses/install-routes.ts'
import { licenseLinkOperations } from './resources/licenses/link-routes.ts'
import { licenseOperations } from './resources/licenses/routes.ts'
import { licenseSiteOperations } from './resources/licenses/sites-routes.ts'
import { keyOperations } from './resources/keys/routes.ts'
import { licenseFileOperations } from './resources/license-files/routes.ts'
import { entityNoteOperations } from './resources/notes/entity-routes.ts'
import { noteOperations } from './resources/notes/routes.ts'
import { paymentOperations } from './resources/payments/routes.ts'
import { featureOperations } from './resources/plans/feature-routes.ts'
import { pricingOperations } from './resources/plans/pricing-routes.ts'
import { pricingTableOperations } from './resources/plans/pricing-table-routes.ts'
import { planOperations } from './resources/plans/routes.ts'
import { portalOperations } from './resources/products/portal-routes.ts'
import { productOperations } from './resources/products/routes.ts'
import { reviewOperations } from './resources/reviews/routes.ts'
import { sandboxOperations } from './resources/sandbox/routes.ts'
import { storeOperations } from './resources/stores/routes.ts'
import { subscriptionOperations } from './resources/subscriptions/routes.ts'
import { taxOperations } from './resources/taxes/routes.ts'
import { trialOperations } from './resources/trials/routes.ts'
import { bounceOperations } from './resources/users/bounce-routes.ts'
import { userOperations } from './resources/users/routes.ts'
import { webhookOperations } from './resources/webhooks/routes.ts'

/** Every operation: the table of contents. */
export const operations: readonly AnyOperation[] = [
  ...activationOperations,
  ...installLicenseOperations,
  ...licenseSiteOperations,
  ...installOperations,
  ...installPartOperations,
  ...addonOperations,
  ...cartOperations,
  ...checkoutTokenOperations,
  ...checkoutOperations,
  ...couponOperations,
  ...deploymentOperations,
  ...updateOperations,
  ...developerOperations,
  ...eventOperations,
  ...featureOperations,
  ...figureOperations,
  ...invoiceOperations,
  ...licenseOperations,
  ...licenseFileOperations,
  ...keyOperations,
  ...licenseLinkOperations,
  ...noteOperations,
  ...entityNoteOperations,
  ...cardOperations,
  ...paymentOperations,
  ...planOperations,
  ...pricingOperations,
  ...pricingTableOperations,
  ...portalOperations,
  ...productOperations,
  ...reviewOperations,
  ...sandboxOperations,
  ...storeOperations,
  ...subscriptionOperations,
  ...taxOperations,
  ...trialOperations,
  ...userInstallOperations,
  ...bounceOperations,
  ...userOperations,
  ...webhookOperations,
]
