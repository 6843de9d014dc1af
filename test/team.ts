import { addMember } from '../src/accounts/team/members.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import type { Role } from '../src/access/roles.ts'
import { systemScope } from '../src/access/scope.ts'
import type { TestApp } from './app.ts'
import type { CallAs } from './callers.ts'

/** As a person of this role in the team of the test's seller; paths begin after `/developers/{id}`. */
export async function asMember(app: TestApp, role: Role): Promise<CallAs> {
  const { developer, product } = app.seller
  const access = await app.write(async (tx) => {
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    const { id } = await addMember(tx, scope, { email: `${role}@team.example.com`, role })
    const { person_id: personId } = await tx.db
      .updateTable('members')
      .set({ accepted_at: tx.clock.now() })
      .where('id', '=', Number(id))
      .returning('person_id')
      .executeTakeFirstOrThrow()
    return (await issueAccessToken(tx, { developerId: developer.id, userId: null, personId })).access
  })
  const headers = { authorization: `FSA ${developer.id}:${access}` }
  return (method, path, body) =>
    app.call(method, `/developers/${developer.id}${path}`, {
      token: null,
      headers,
      ...(body !== undefined && { body }),
    })
}
