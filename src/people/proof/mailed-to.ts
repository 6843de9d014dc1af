import { hashToken } from '../../lib/credentials.ts'
import { fold } from '../../lib/fold.ts'
import type { TokenClaims } from '../../lib/signed-token.ts'

interface Mailed {
  readonly id: number
  readonly email: string
}

/** What binds a mailed link to its person and the address it goes to: with another of either it opens nothing. */
export const mailedTo = ({ id, email }: Mailed) => ({ user_id: String(id), ...mailedToAddress(email) })

/** What binds a mailed link to an address that need be nobody's. */
export const mailedToAddress = (email: string) => ({ address: addressOf(email) })

/** Whether a link was made for this person at this address; for nobody where nobody is there. */
export const isMailedTo = (claims: TokenClaims, user: Mailed | undefined): boolean =>
  user === undefined
    ? claims['user_id'] === undefined
    : claims['user_id'] === String(user.id) && isMailedToAddress(claims, user.email)

/** Whether a link was mailed to this address, whatever its case. */
export const isMailedToAddress = (claims: TokenClaims, email: string): boolean =>
  claims['address'] === addressOf(email)

const addressOf = (email: string) => hashToken(fold(email))
