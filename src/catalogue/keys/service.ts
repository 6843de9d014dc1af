import type { ReadContext, TxContext } from '../../context.ts'
import { FORMER_PLACE } from '../../db/former-keys.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { HOUR, toUtcTime } from '../../lib/time.ts'
import { deleteFormer, findKeys, insertFormer, replaceSecret } from './queries.ts'
import type { KeyHolder, RenewedKeys, ShownKeys } from './schema.ts'

const NAMES = { developers: 'developer', stores: 'store', products: 'product' } as const

/** The keys of a developer, store or product as they are; 404 when the account has no such store or product. */
export async function showKeys(ctx: ReadContext, holder: KeyHolder): Promise<ShownKeys> {
  const held = await findKeys(ctx.db, holder)
  if (!held) throw notFound(NAMES[holder.owner])
  const secret = ctx.keys.open(held.secret_key, `${holder.owner}.secret_key`)
  return { id: String(holder.id), public_key: held.public_key, secret_key: secret }
}

/**
 * Replaces the secret key of a developer, store or product (`docs/decisions.md` 3.16). The one so far goes on for so
 * many hours, as do those before it for theirs; with 0 hours all of them end at once. The public key stays: what was
 * shipped has it. Renewals at once come one after the other, so that every secret key that was answered is good for its
 * time. 404 when the account has no such store or product.
 */
export async function renewKeys(
  ctx: TxContext,
  holder: KeyHolder,
  overlapHours: number,
): Promise<RenewedKeys> {
  const now = ctx.clock.real()
  const place = `${holder.owner}.secret_key`
  const { secretKey } = newKeyPair()
  const held = await replaced(ctx, holder, ctx.keys.seal(secretKey, place))
  const until = now + overlapHours * HOUR
  if (overlapHours === 0) await deleteFormer(ctx.db, holder)
  else {
    const former = ctx.keys.seal(ctx.keys.open(held.secret_key, place), FORMER_PLACE)
    await insertFormer(ctx.db, holder, { secret_key: former, until_ms: until, created: toUtcTime(now) })
  }
  return {
    id: String(holder.id),
    public_key: held.public_key,
    secret_key: secretKey,
    former_until: overlapHours === 0 ? null : toUtcTime(until),
  }
}

/** Ends every former secret key of who is no more. */
export const endFormer = ({ db }: TxContext, holder: KeyHolder): Promise<unknown> => deleteFormer(db, holder)

/** The keys as they were. */
async function replaced(ctx: TxContext, holder: KeyHolder, to: string) {
  const updated = ctx.clock.now()
  for (;;) {
    const held = await findKeys(ctx.db, holder)
    if (!held) throw notFound(NAMES[holder.owner])
    if (await replaceSecret(ctx.db, holder, { from: held.secret_key, to, updated })) return held
  }
}
