import type { TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { addMember, changeRole } from '../../accounts/team/members.ts'
import type { NewTeamMember } from './request-schema.ts'
import { getInstall } from './service.ts'

/** The newcomer is named by its address, or, being in the team already, by its id. */
export async function checkTeamMember(body: NewTeamMember, problems: Problems): Promise<void> {
  if (body.email !== undefined || body.member_id !== undefined) return
  if (problems.has('email') || problems.has('member_id')) return
  problems.missing.push({ field: 'email', message: 'or member_id is required' })
}

/**
 * Invites a person to the team, on the page of an install. By an id only who is in the team gets the role: nobody
 * learns another's address by its id. 404 when the product has no such install or the team no such person.
 */
export async function addTeamMember(
  ctx: TxContext,
  scope: Scope,
  installId: number,
  { email, member_id: memberId, role }: NewTeamMember,
) {
  await getInstall(ctx, scope, installId)
  const member =
    email === undefined
      ? await changeRole(ctx, scope, memberId ?? 0, { role })
      : await addMember(ctx, scope, { email, role })
  const { first, last, picture } = member
  const productId = String(scope.productId)
  return { id: Number(member.id), email: member.email, first, last, picture, role, plugin_id: productId }
}
