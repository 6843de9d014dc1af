import type { AnyOperation } from './http/operation.ts'
import { addonOperations } from './resources/addons/routes.ts'
import { couponOperations } from './resources/coupons/routes.ts'
import { developerOperations } from './resources/developers/routes.ts'
import { eventOperations } from './resources/events/routes.ts'
import { noteOperations } from './resources/notes/routes.ts'
import { featureOperations } from './resources/plans/feature-routes.ts'
import { pricingOperations } from './resources/plans/pricing-routes.ts'
import { pricingTableOperations } from './resources/plans/pricing-table-routes.ts'
import { planOperations } from './resources/plans/routes.ts'
import { productOperations } from './resources/products/routes.ts'
import { reviewOperations } from './resources/reviews/routes.ts'
import { storeOperations } from './resources/stores/routes.ts'
import { userOperations } from './resources/users/routes.ts'

/** Every operation: the table of contents. */
export const operations: readonly AnyOperation[] = [
  ...addonOperations,
  ...couponOperations,
  ...developerOperations,
  ...eventOperations,
  ...featureOperations,
  ...noteOperations,
  ...planOperations,
  ...pricingOperations,
  ...pricingTableOperations,
  ...productOperations,
  ...reviewOperations,
  ...storeOperations,
  ...userOperations,
]
