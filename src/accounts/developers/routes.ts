import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { toRfc2822 } from '../../lib/time.ts'
import { issueAccessToken } from '../tokens/access-tokens.ts'
import { accountOperations } from './account-routes.ts'
import { personSessionOperations } from '../sessions/person-session-routes.ts'
import { signInOperations } from '../sessions/sign-in-routes.ts'
import { twoFactorOperations } from '../sessions/two-factor-routes.ts'

export const developerOperations = [
  ...accountOperations,
  ...signInOperations,
  ...personSessionOperations,
  ...twoFactorOperations,
  writeOperation({
    id: 'keywright/developer-token',
    summary: 'Issue an access token (FSA) of the developer, good for 24 hours',
    method: 'GET',
    path: '/token.json',
    scopes: ['account'],
    caller: 'signature',
    access: 'own.write',
    status: 200,
    response: Type.Object({
      access: Type.String(),
      expires: Type.Integer({ description: 'Unix seconds.' }),
      refresh: Type.Null(),
    }),
    emits: [],
    handle: (ctx, { scope }) => issueAccessToken(ctx, { developerId: scope.developerId, userId: null }),
  }),
  readOperation({
    id: 'keywright/ping',
    summary: 'Answer with the time of the server',
    method: 'GET',
    path: '/ping.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    ignoresSignatures: true,
    status: 200,
    response: Type.Object({ api: Type.String(), timestamp: Type.String() }),
    handle: async ({ clock }) => ({ api: 'pong', timestamp: toRfc2822(clock.real()) }),
  }),
]
