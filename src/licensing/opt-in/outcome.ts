import type { Scope } from '../../access/scope.ts'
import type { TxContext } from '../../context.ts'
import { findAbout } from '../../mail/mail-rows.ts'
import type { Connection } from '../activation/pending-activations.ts'
import type { Connected } from './connect-installs.ts'

export interface From {
  readonly ip: string | null
  readonly requestId: string | null
}

/** What became of an opt-in: keys, or a mail to a person that only its own link can speak for. */
export type OptInOutcome =
  | { readonly kind: 'connected'; readonly connected: Connected; readonly connection: Connection }
  | {
      readonly kind: 'pending'
      readonly email: string
      /** Where the person asks when no mail comes; null: the seller says nowhere. */
      readonly supportEmail: string | null
    }

/** A client that has no keys yet. */
export const scopeOfClient = (of: Pick<Scope, 'developerId' | 'productId'>, from: From): Scope => ({
  kind: 'install',
  developerId: of.developerId,
  productId: of.productId,
  userId: null,
  installId: null,
  actor: { kind: 'anonymous', id: 0, credential: 'none' },
  ip: from.ip,
  requestId: from.requestId,
})

/** What a client is answered whose person is mailed, with where answers to mails about the product go. */
export async function pendingAt(
  { db }: TxContext,
  { productId }: Scope,
  email: string,
): Promise<OptInOutcome & { readonly kind: 'pending' }> {
  const about = await findAbout(db, { productId, userId: null })
  return { kind: 'pending', email, supportEmail: about?.helpers.support?.address ?? null }
}
