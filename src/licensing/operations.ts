import type { Operation } from '../http/other-replies.ts'
import { activationOperations } from './activation/activation-routes.ts'
import { confirmActivationPage } from './activation/confirm-activation-page.ts'
import { explainOperations } from './activation/explain-routes.ts'
import { installLicenseOperations } from './activation/install-routes.ts'
import { licenseSiteOperations } from './activation/sites-routes.ts'
import { contactOperations } from './contact/routes.ts'
import { installOperations } from './installs/routes.ts'
import { installPartOperations } from './installs/part-routes.ts'
import { installAddonOperations } from './installs/addon-routes.ts'
import { userInstallOperations } from './installs/user-install-routes.ts'
import { licenseOperations } from './licenses/routes.ts'
import { licenseFileOperations } from './license-files/routes.ts'
import { optInOperations } from './opt-in/routes.ts'
import { ownershipPage } from './owners/ownership-page.ts'
import { confirmPage } from './proof/confirm-page.ts'
import { refusalOperations } from './refused/routes.ts'
import { reviewOperations } from './reviews/routes.ts'
import { reviewPage } from './reviews/review-page.ts'
import { trialOperations } from './trials/routes.ts'

/**
 * What was sold, in use: the license, the install that a license is activated on, its owner and a change of that, the
 * trial, the license file, the opt-in of an in-product client, what it writes to the seller's support, and the review that an owner writes. Licenses are for the
 * seller and their user; an install acts by its own keys, whoever knows a license key activates by it, and pages are for
 * who has the link.
 */
export const licensingOperations: readonly Operation[] = [
  ...activationOperations,
  ...explainOperations,
  ...refusalOperations,
  confirmActivationPage,
  ...installLicenseOperations,
  ...licenseSiteOperations,
  ...installOperations,
  ...installPartOperations,
  ...installAddonOperations,
  ...userInstallOperations,
  ...licenseOperations,
  ...licenseFileOperations,
  ...optInOperations,
  ownershipPage,
  confirmPage,
  ...reviewOperations,
  reviewPage,
  ...trialOperations,
  ...contactOperations,
]
