import { readOperation } from '../http/operation.ts'
import { ServerState } from './schema.ts'
import { serverState } from './service.ts'

export const serverOperations = [
  readOperation({
    id: 'keywright/retrieve-server',
    summary: 'Say how the server is set up and fares, with what to do about it',
    method: 'GET',
    path: '/server.json',
    scopes: ['account'],
    access: 'members.read',
    status: 200,
    response: ServerState,
    handle: (ctx, { scope }) => serverState(ctx, scope),
  }),
]
