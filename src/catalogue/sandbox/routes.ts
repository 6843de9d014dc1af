import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { ClockMove, Firing, SandboxClock, SandboxToken, TimelinePage, TokenWanted } from './schema.ts'
import { advanceClock, checkMove, getClock, getTimeline, issueSandboxToken } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** The clock of a product's sandbox (`docs/decisions.md` 5.10). */
export const sandboxOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-sandbox-clock',
    summary: 'Tell how the clock of the sandbox stands',
    method: 'GET',
    path: '/sandbox/clock.json',
    scopes,
    access: 'catalogue.read',
    status: 200,
    response: SandboxClock,
    handle: (ctx, { scope }) => getClock(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/advance-sandbox-clock',
    summary: 'Move the clock of the sandbox forward, and let everything happen that is due until then',
    method: 'POST',
    path: '/sandbox/clock.json',
    scopes,
    access: 'catalogue.write',
    body: ClockMove,
    status: 202,
    response: SandboxClock,
    emits: [],
    refuses: ['clock_advancing', 'clock_not_forward', 'clock_too_far'],
    check: (_, { body }, problems) => checkMove(body, problems),
    handle: (ctx, { scope, body }) => advanceClock(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/create-sandbox-token',
    summary: 'Issue a token by which checkouts are opened in the sandbox until its end',
    method: 'POST',
    path: '/sandbox/token.json',
    scopes,
    access: 'catalogue.write',
    body: TokenWanted,
    status: 201,
    response: SandboxToken,
    emits: [],
    handle: async (ctx, { scope, body }) => issueSandboxToken(ctx, scope, body.days),
  }),
  readOperation({
    id: 'keywright/list-sandbox-timeline',
    summary: 'List what happened of itself in the sandbox, newest first',
    method: 'GET',
    path: '/sandbox/timeline.json',
    scopes,
    access: 'catalogue.read',
    query: TimelinePage,
    status: 200,
    response: Type.Object({ timeline: Type.Array(Firing) }),
    items: 'timeline',
    handle: async (ctx, { scope, query }) => ({ timeline: await getTimeline(ctx, scope, query) }),
  }),
]
