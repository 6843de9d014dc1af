import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { findRecipient } from './recipient-queries.ts'

/** Whom a mail about the product goes to. */
export async function addressed({ db }: TxContext, scope: Scope, userId: number): Promise<Recipient> {
  const found = await findRecipient(db, scope, userId)
  if (!found) throw new Error('Who is mailed is there.')
  return addressOf(scope, found)
}

export interface Recipient {
  readonly developerId: number
  readonly productId: number
  readonly userId: number
  readonly recipient: string
  readonly name: string
  /** What is read where no install of theirs says it. */
  readonly language?: string | null
}

interface Person {
  readonly id: number
  readonly email: string
  readonly first: string
  readonly last: string
}

/** `addressed` of a person who is read already. */
export const addressOf = (
  { developerId, productId }: Scope,
  { id: userId, email: recipient, first, last }: Person,
): Recipient => ({ developerId, productId, userId, recipient, name: `${first} ${last}`.trim() })
