import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { findRecipient } from './recipient-queries.ts'

/** Whom a mail about the product goes to. */
export async function addressed({ db }: TxContext, scope: Scope, userId: number) {
  const found = await findRecipient(db, scope, userId)
  if (!found) throw new Error('Who is mailed is there.')
  const { developerId, productId } = scope
  const name = `${found.first} ${found.last}`.trim()
  return { developerId, productId, userId, recipient: found.email, name }
}
