import { Type } from '../../lib/type.ts'
import { checkPortalUser, generatePortalLink } from '../users/personal-tokens.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Id, Optional, Text } from '../../http/wire.ts'

/** How a user of the product enters the portal. */
export const portalOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'products/generate-portal-login-link',
    summary: 'Make a link of five minutes by which a user enters the portal',
    method: 'POST',
    path: '/portal/login.json',
    scopes: ['product', 'developer', 'store'],
    access: 'customers.write',
    body: Arguments({
      id: Optional(Id('ID of the user.')),
      email: Optional(Text({ max: 254, format: 'email', description: 'Or the address of the user.' })),
      send_email: Optional(Type.Boolean({ description: 'Mail the link to the user too.' })),
    }),
    status: 201,
    response: Type.Object({ token: Type.String(), link: Type.String() }, { title: 'PortalLogin' }),
    credentials: ['token', 'link'],
    emits: [],
    check: (_, { scope, body }, problems) => checkPortalUser(scope, body, problems),
    handle: (ctx, { scope, body }) => generatePortalLink(ctx, scope, body),
  }),
]
