import type { AnyOperation } from './http/operation.ts'
import type { Refusal, RefusalCode } from './lib/errors.ts'
import { ACCOUNTS_REFUSALS } from './accounts/refusals.ts'
import { CATALOGUE_REFUSALS } from './catalogue/refusals.ts'
import { DEPLOYMENTS_REFUSALS } from './deployments/refusals.ts'
import { EVENTS_REFUSALS } from './events/refusals.ts'
import { GATEWAYS_REFUSALS } from './gateways/refusals.ts'
import { HTTP_REFUSALS } from './http/refusals.ts'
import { LICENSING_REFUSALS } from './licensing/refusals.ts'
import { PEOPLE_REFUSALS } from './people/refusals.ts'
import { SALES_REFUSALS } from './sales/refusals.ts'
import { installAddonOperations } from './licensing/installs/addon-routes.ts'
import { migrationOperations } from './sales/migration/routes.ts'
import { userEventOperations } from './people/users/event-routes.ts'
import { cartEventOperations } from './sales/carts/event-routes.ts'
import { addonOperations } from './catalogue/addons/routes.ts'
import { cartOperations } from './sales/carts/routes.ts'
import { checkoutTokenOperations } from './sales/carts/token-routes.ts'
import { checkoutOperations } from './sales/checkouts/routes.ts'
import { couponOperations } from './sales/coupons/routes.ts'
import { deploymentOperations } from './deployments/versions/routes.ts'
import { updateOperations } from './deployments/downloads/update-routes.ts'
import { developerOperations } from './accounts/developers/routes.ts'
import { eventOperations } from './events/log/routes.ts'
import { figureOperations } from './sales/figures/routes.ts'
import { invoiceOperations } from './sales/invoices/routes.ts'
import { cardOperations } from './sales/cards/routes.ts'
import { activationOperations } from './licensing/activation/activation-routes.ts'
import { installPartOperations } from './licensing/installs/part-routes.ts'
import { installOperations } from './licensing/installs/routes.ts'
import { userInstallOperations } from './licensing/installs/user-install-routes.ts'
import { installLicenseOperations } from './licensing/activation/install-routes.ts'
import { licenseLinkOperations } from './sales/checkouts/link-routes.ts'
import { licenseOperations } from './licensing/licenses/routes.ts'
import { licenseSiteOperations } from './licensing/activation/sites-routes.ts'
import { keyOperations } from './catalogue/keys/routes.ts'
import { licenseFileOperations } from './licensing/license-files/routes.ts'
import { entityNoteOperations } from './sales/notes/entity-routes.ts'
import { noteOperations } from './sales/notes/routes.ts'
import { paymentOperations } from './sales/payments/routes.ts'
import { featureOperations } from './catalogue/plans/feature-routes.ts'
import { pricingOperations } from './catalogue/plans/pricing-routes.ts'
import { pricingTableOperations } from './sales/pricing-table/pricing-table-routes.ts'
import { planOperations } from './catalogue/plans/routes.ts'
import { portalOperations } from './people/portal/portal-routes.ts'
import { productOperations } from './catalogue/products/routes.ts'
import { reviewOperations } from './licensing/reviews/routes.ts'
import { sandboxOperations } from './catalogue/sandbox/routes.ts'
import { storeOperations } from './catalogue/stores/routes.ts'
import { subscriptionOperations } from './sales/subscriptions/routes.ts'
import { taxOperations } from './sales/taxes/routes.ts'
import { trialOperations } from './licensing/trials/routes.ts'
import { bounceOperations } from './people/users/bounce-routes.ts'
import { userOperations } from './people/users/routes.ts'
import { webhookOperations } from './events/listeners/routes.ts'

/** Every operation: the table of contents. */
export const operations: readonly AnyOperation[] = [
  ...activationOperations,
  ...installLicenseOperations,
  ...licenseSiteOperations,
  ...installOperations,
  ...installPartOperations,
  ...addonOperations,
  ...installAddonOperations,
  ...cartOperations,
  ...checkoutTokenOperations,
  ...checkoutOperations,
  ...couponOperations,
  ...deploymentOperations,
  ...updateOperations,
  ...developerOperations,
  ...eventOperations,
  ...userEventOperations,
  ...cartEventOperations,
  ...featureOperations,
  ...figureOperations,
  ...invoiceOperations,
  ...licenseOperations,
  ...migrationOperations,
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

/** Every code that anything may be refused with, as each module lists its own. */
export const refusals: Readonly<Record<RefusalCode, Refusal>> = {
  ...HTTP_REFUSALS,
  ...GATEWAYS_REFUSALS,
  ...EVENTS_REFUSALS,
  ...ACCOUNTS_REFUSALS,
  ...PEOPLE_REFUSALS,
  ...CATALOGUE_REFUSALS,
  ...DEPLOYMENTS_REFUSALS,
  ...LICENSING_REFUSALS,
  ...SALES_REFUSALS,
}
