import type { WebOperation } from '../http/other-replies.ts'
import { checkoutPage } from './checkout.ts'
import { contactPage } from './contact.ts'
import { confirmedPage } from './confirmed.ts'
import { dashboardPage } from './dashboard.ts'
import { designerPage } from './designer.ts'
import { fileOperations } from './file-operations.ts'
import { portalPage } from './portal.ts'
import { pricingPage } from './pricing.ts'

/**
 * The pages that people open, and the files that those load: the hosted checkout with its designer, the pricing table
 * and the contact page, for anybody who has its address; the dashboard of sellers and the portal of buyers. A page asks the interface for what it shows, as anybody could;
 * it has no way of its own to the data.
 */
export const webOperations: readonly WebOperation[] = [
  checkoutPage,
  confirmedPage,
  pricingPage,
  contactPage,
  designerPage,
  dashboardPage,
  portalPage,
  ...fileOperations,
]
