import type { Operation } from '../http/other-replies.ts'
import { auditOperations } from './audit/routes.ts'
import { developerOperations } from './developers/routes.ts'
import { ownEmailPage } from './developers/own-email-page.ts'
import { invitationPage } from './team/invitation-page.ts'
import { passwordPage } from './sessions/password-page.ts'
import { signInPage } from './sessions/sign-in-page.ts'

/**
 * Who sells: the developer, its team with a role for each member, the sessions of who is logged in, and the API tokens
 * of its products. An account is for its own keys and its team; logging in, and what is behind a mailed link (an
 * invitation, an address that is confirmed), is for anybody who has the password or the link.
 */
export const accountsOperations: readonly Operation[] = [
  ...developerOperations,
  ...auditOperations,
  ownEmailPage,
  invitationPage,
  signInPage,
  passwordPage,
]
