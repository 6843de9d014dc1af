import type { Operation } from '../http/other-replies.ts'
import { storeOperations } from './stores/routes.ts'
import { productOperations } from './products/routes.ts'
import { planOperations } from './plans/routes.ts'
import { pricingOperations } from './plans/pricing-routes.ts'
import { featureOperations } from './plans/feature-routes.ts'
import { addonOperations } from './addons/routes.ts'
import { pictureOperation } from './pictures/routes.ts'
import { keyOperations } from './keys/routes.ts'
import { mailOperations } from './mails/routes.ts'
import { sandboxOperations } from './sandbox/routes.ts'

/**
 * What is sold: the store and its products, plans with their prices and features, add-ons and bundles, pictures, the keys
 * of all of these, the mails about a product with their texts, and its sandbox with its clock. The seller writes it; what a buyer chooses from is for
 * whoever has the public key of the product, and pictures for anybody.
 */
export const catalogueOperations: readonly Operation[] = [
  ...storeOperations,
  ...productOperations,
  ...planOperations,
  ...pricingOperations,
  ...featureOperations,
  ...addonOperations,
  pictureOperation,
  ...keyOperations,
  ...mailOperations,
  ...sandboxOperations,
]
