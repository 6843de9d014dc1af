import { Type } from '../../lib/type.ts'
import { checkPortalUser, generatePortalLink, viewPortal } from '../users/personal-tokens.ts'
import { VIEWING } from '../../access/viewing.ts'
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
  writeOperation({
    id: 'keywright/view-portal',
    summary: 'Make a link of five minutes to see the portal as a customer, without changing anything',
    method: 'POST',
    path: '/users/{user_id}/portal/view.json',
    scopes: ['developer'],
    caller: 'session',
    access: VIEWING,
    params: Type.Object({ user_id: Id() }),
    status: 201,
    response: Type.Object({ link: Type.String() }, { title: 'PortalView' }),
    emits: [],
    handle: (ctx, { scope, params }) => viewPortal(ctx, scope, params.user_id),
  }),
]
