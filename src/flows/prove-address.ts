import type { TxContext } from '../context.ts'
import { audit } from '../http/audit.ts'
import type { Scope } from '../http/scope.ts'
import { newKeyPair } from '../lib/credentials.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'
import { recordEvent } from '../resources/events/record.ts'
import { verifyPerson } from '../resources/users/confirmation-queries.ts'
import {
  endTokensOf,
  installsOfPerson,
  productsOfPerson,
  setCameWith,
  setKeysOfInstall,
  setKeysOfUser,
} from './prove-address-queries.ts'

interface Proof {
  readonly userId: number
  /** The address that the link was mailed to. */
  readonly email: string
  /** The install that had the link mailed, which the mail and the page behind it name; null: none had. */
  readonly installId: number | null
}

/**
 * Notes that a person has proven its address by a mailed link, once, and records `user.email.verified`.
 *
 * A person that an unauthenticated call made may have been made by a stranger who only knew its address, and has
 * keys of it since (DECISIONS 3.1). So its first proof gives it other keys in every product, and its installs
 * other keys and no tokens: what was handed out before opens nothing of what the person gets from then on. Where an
 * install had the link mailed, following it also says that this site is one's own, as the mail and the page name
 * it: it keeps its keys, and if it is one with which the person came, everything else does too. A person that a
 * seller made keeps all: nobody got keys by its address alone.
 */
export async function proveAddress(
  ctx: TxContext,
  scope: Scope,
  { userId, email, installId }: Proof,
): Promise<void> {
  const now = toUtcTime(ctx.clock.real())
  const proven = await verifyPerson(ctx.db, scope, { user_id: userId, email }, now)
  if (!proven) return
  const data = { user_id: String(userId), email }
  await recordEvent(ctx, scope, { type: 'user.email.verified', userId, data })
  if (proven.came_with === null || proven.came_with.split(',').includes(String(installId))) return
  await renewKeys(ctx, scope, { userId, installId }, now)
}

/** Notes with which installs an unauthenticated call made a person. */
export const cameWith = (ctx: TxContext, userId: number, installs: readonly { readonly id: number }[]) =>
  setCameWith(ctx.db, userId, installs.map(({ id }) => id).join(','))

async function renewKeys(
  ctx: TxContext,
  scope: Scope,
  { userId, installId: kept }: Omit<Proof, 'email'>,
  updated: UtcTime,
): Promise<void> {
  const products = await productsOfPerson(ctx.db, userId)
  for (const productId of products) {
    const keys = keysFor(ctx, 'product_users.secret_key')
    await setKeysOfUser(ctx.db, { userId, productId }, { ...keys, updated })
  }
  const installs = (await installsOfPerson(ctx.db, userId)).filter((id) => id !== kept)
  for (const id of installs) {
    await setKeysOfInstall(ctx.db, id, { ...keysFor(ctx, 'installs.secret_key'), updated })
  }
  await endTokensOf(ctx.db, userId, kept)
  const { actor, productId, ip, requestId } = scope
  const details = { user: userId, products: products.length, installs: installs.length }
  await audit(ctx, { action: 'keywright/renew-keys', actor, productId, ip, requestId, details })
}

function keysFor({ keys }: TxContext, place: 'product_users.secret_key' | 'installs.secret_key') {
  const { publicKey, secretKey } = newKeyPair()
  return { public_key: publicKey, secret_key: keys.seal(secretKey, place) }
}
