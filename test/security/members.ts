import { transaction } from '../../src/context.ts'
import { systemScope } from '../../src/access/scope.ts'
import type { Role } from '../../src/access/roles.ts'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import { addMember } from '../../src/accounts/team/members.ts'
import type { World } from './world.ts'

interface Joined {
  readonly memberId: number
  readonly access: string
}

/** A member of the first seller's team with an access token. */
export function newMember(world: World, role: Role): Promise<Joined> {
  const { developer, product } = world.seller
  return transaction(world.ctx, async (tx) => {
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    const { id } = await addMember(tx, scope, { email: `${role}-of-team@example.com`, role })
    const member = await tx.db
      .updateTable('members')
      .set({ accepted_at: tx.clock.now() })
      .where('id', '=', Number(id))
      .returning('person_id')
      .executeTakeFirstOrThrow()
    const owner = { developerId: developer.id, userId: null, personId: member.person_id }
    return { memberId: member.person_id, access: (await issueAccessToken(tx, owner)).access }
  })
}
