import type { Operation } from '../http/other-replies.ts'
import { userOperations } from './users/routes.ts'
import { userEventOperations } from './users/event-routes.ts'
import { bounceOperations } from './users/bounce-routes.ts'
import { portalOperations } from './portal/portal-routes.ts'
import { portalSessionOperations } from './portal/portal-session-routes.ts'
import { portalLoginPage } from './portal/portal-login-page.ts'

/**
 * The customers: the user, a person by its address in a developer's account, with its place and keys in each product;
 * the portal, into which a link leads, and the bounce of a mail. Users are for the seller of their product; a user's own
 * keys read and change what is its own.
 */
export const peopleOperations: readonly Operation[] = [
  ...userOperations,
  ...userEventOperations,
  ...bounceOperations,
  ...portalOperations,
  ...portalSessionOperations,
  portalLoginPage,
]
