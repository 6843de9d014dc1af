import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { fold } from '../../lib/fold.ts'
import { addKnownUser, addNewUser } from '../../people/users/create.ts'
import { findUser, findUserByEmail } from '../../people/users/user-rows.ts'
import type { UserRow } from '../../people/users/schema.ts'
import { getUser, updateUser } from '../../people/users/service.ts'
import { makeUser, NEW_USER } from './child-license.ts'
import type { LicenseAssign } from './input-schema.ts'

/**
 * The owner of a license as a user of the scope's product, which it becomes when it is none yet. `allowed` is what
 * a caller says who only knows the license: it may open what is undecided and take consent back, but not give it
 * in the place of a no.
 */
export async function customerOf(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  allowed: boolean | null | undefined,
): Promise<UserRow> {
  const [known] = await findUser(ctx.db, scope, { id: userId })
  if (!known) await makeUser(ctx, scope, userId)
  const present = known?.is_marketing_allowed ?? null
  const isHeard = allowed === false || (allowed === true && present === null)
  if (isHeard) await updateUser(ctx, scope, userId, { is_marketing_allowed: allowed })
  return known && !isHeard ? known : getUser(ctx, scope, userId)
}

/** Who has an address as a user of the product: whom it knows, or a person who becomes one now; nobody is mailed. */
export async function ownerByAddress(
  ctx: TxContext,
  scope: Scope,
  person: Omit<LicenseAssign, 'license_key'>,
): Promise<number> {
  const known = await findUserByEmail(ctx.db, scope, fold(person.email))
  if (known) return known.user_id
  const input = { ...NEW_USER, ...person }
  return ((await addNewUser(ctx, scope, input)) ?? (await addKnownUser(ctx, scope, input))).id
}
