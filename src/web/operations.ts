import type { WebOperation } from '../http/other-replies.ts'
import { checkoutPage } from './checkout.ts'
import { confirmedPage } from './confirmed.ts'
import { fileOperations } from './file-operations.ts'
import { pricingPage } from './pricing.ts'

/**
 * The pages that people open, and the files that those load: the hosted checkout and the pricing table, for anybody
 * who has its address. A page asks the interface for what it shows, as anybody could; it has no way of its own to the data.
 */
export const webOperations: readonly WebOperation[] = [
  checkoutPage,
  confirmedPage,
  pricingPage,
  ...fileOperations,
]
