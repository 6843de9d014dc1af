import type { TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { hold } from '../../db/hold.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import { endChangesOfOwner } from '../owners/ownership-rows.ts'
import { userExists } from '../../people/proof/change-email.ts'
import { getConfirmation } from '../../people/proof/confirm-email.ts'
import {
  agreeToAddress,
  endAddressChanges,
  replaceAddress,
  useConfirmation,
} from '../../people/proof/confirmation-rows.ts'
import { isInOther } from '../../people/users/elsewhere-rows.ts'
import { foldedName } from '../../people/users/names.ts'
import { updateTwins } from '../../people/users/user-rows.ts'
import { getUser } from '../../people/users/service.ts'
import { endPending } from '../activation/pending-rows.ts'
import { proveAddress } from '../../people/proof/prove-address.ts'

/**
 * Proves the address that a link was mailed to (`proveAddress`), which becomes the person's where it was to replace
 * another one; where both addresses are asked, when both were followed. False: the other one is waited for. 404 when the link was used or is too old, or the person has another address by now; 400 `user_exist`
 * when somebody else has got the address meanwhile.
 */
export async function confirmEmail(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<boolean> {
  const found = await getConfirmation(ctx, token)
  const isByAll = await follow(ctx, found)
  const scope: Scope = {
    kind: 'user',
    developerId: found.developer_id,
    productId: found.product_id,
    userId: found.user_id,
    installId: null,
    actor: { kind: 'user', id: found.user_id, credential: 'link' },
    ...from,
  }
  await audit(ctx, {
    action: 'keywright/confirm-email',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { confirmation: found.id, ...(found.former_hash !== null && { at: found.at }) },
  })
  if (!isByAll) return false
  const { user_id: userId, email, replaces, product_ids: ids } = found
  const productIds = parseIdList(ids ?? String(found.product_id)) ?? []
  if (replaces !== null) await changeAddress(ctx, scope, { userId, email, replaces, productIds })
  await proveAddress(ctx, scope, { userId, email })
  return true
}

/** Uses a link up, and with the last one of a confirmation that; false: another one is to be followed too. */
async function follow(ctx: TxContext, found: Awaited<ReturnType<typeof getConfirmation>>): Promise<boolean> {
  const now = ctx.clock.now()
  if (found.former_hash !== null) {
    const agreed = await agreeToAddress(ctx.db, found, now)
    if (!agreed) throw notFound('link')
    if (!agreed.isByBoth) return false
  }
  if (!(await useConfirmation(ctx.db, found.id, now))) throw notFound('link')
  return true
}

interface AddressChange {
  readonly userId: number
  readonly email: string
  readonly replaces: string
  /** Those that the person was in when it was asked for. */
  readonly productIds: readonly number[]
}

/**
 * Gives a person another address, tells the one that it had, and ends what was mailed there and waits: who reads
 * that address is not asked for this person any more. 404 when the person has come into another product since it was
 * asked for, which who asked may not reach (`docs/decisions.md` 3.20). That is looked at last: who comes into a product
 * meanwhile is waited for by the new address, or waits for it.
 */
async function changeAddress(
  ctx: TxContext,
  scope: Scope,
  { userId, email, replaces, productIds }: AddressChange,
): Promise<void> {
  if (!(await hold(ctx.db, 'users', scope, userId))) throw notFound('link')
  const before = await getUser(ctx, scope, userId)
  await replaceOrRefuse(ctx, scope, { userId, email, replaces })
  if (await isInOther(ctx.db, userId, productIds)) throw notFound('link')
  await updateTwins(ctx.db, userId, { email_folded: fold(email), name_folded: foldedName(before) })
  const now = ctx.clock.now()
  await endAddressChanges(ctx.db, userId, now)
  await endPending(ctx.db, userId, now)
  await endChangesOfOwner(ctx.db, userId, now)
  const data = { user_id: String(userId), from: before.email, to: email }
  await recordEvent(ctx, scope, { type: 'user.email.changed', userId, data })
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: null,
    recipient: before.email,
    template: 'email_changed',
    name: `${before.first} ${before.last}`.trim(),
    values: { to: email },
  })
}

async function replaceOrRefuse(
  ctx: TxContext,
  scope: Scope,
  { email, ...person }: Omit<AddressChange, 'productIds'>,
): Promise<void> {
  const now = ctx.clock.now()
  try {
    const change = { ...person, email, email_folded: fold(email) }
    if (!(await replaceAddress(ctx.db, scope, change, now))) throw notFound('link')
  } catch (error) {
    throw isDuplicate(error) ? userExists() : error
  }
}
