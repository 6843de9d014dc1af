import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { askForPortalLink } from './ask-for-link.ts'
import { AskForPortalLink, LeavePortal, PortalSession, PutPortalLanguage } from './portal-session-schema.ts'
import { getPortalSession, leavePortal, putPortalLanguage } from './portal-session.ts'
import { findPortalPlace, type PortalPlace } from './portal-rows.ts'

/** How a user comes into the portal by the pages of the server, and leaves it (`docs/portal.md`). */
export const portalSessionOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/ask-for-portal-link',
    summary: 'Mail a user a link into the portal; the answer is the same for every address',
    method: 'POST',
    path: '/portal/link.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isAnybodys: true,
    isLogin: true,
    body: AskForPortalLink,
    status: 202,
    emits: [],
    check: (ctx, { body }, problems) => checkPlace(ctx, body, problems),
    prepare: async (ctx, { body }) => {
      const place = placeIn(body)
      if (place) askForPortalLink(ctx, { place, email: body.email, language: body.language ?? null })
    },
    handle: async () => undefined,
  }),
  readOperation({
    id: 'keywright/retrieve-portal-session',
    summary: 'Say who is in the portal, and which products of the seller the user has',
    method: 'GET',
    path: '/portal/session.json',
    scopes: ['root'],
    caller: 'portal',
    access: 'own.read',
    status: 200,
    response: PortalSession,
    handle: (ctx, { scope }) => getPortalSession(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/put-portal-language',
    summary: 'Choose the language in which a user is shown the portal and written mails',
    method: 'PUT',
    path: '/portal/language.json',
    scopes: ['root'],
    caller: 'portal',
    access: 'own.write',
    portal: ['profile'],
    body: PutPortalLanguage,
    status: 204,
    emits: [],
    handle: (ctx, { scope, body }) => putPortalLanguage(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/leave-portal',
    summary: 'Leave the portal, in this browser or everywhere',
    method: 'POST',
    path: '/portal/logout.json',
    scopes: ['root'],
    caller: 'portal',
    access: 'own.write',
    body: LeavePortal,
    status: 204,
    emits: [],
    handle: (ctx, { scope, body }) => leavePortal(ctx, scope, body),
  }),
]

function placeIn({ product_id: productId, store_id: storeId }: AskForPortalLink): PortalPlace | null {
  if (productId !== undefined) return { productId }
  return storeId === undefined ? null : { storeId }
}

async function checkPlace(ctx: ReadContext, body: AskForPortalLink, problems: Problems): Promise<void> {
  const { product_id: productId, store_id: storeId } = body
  const named = [
    ...(productId === undefined ? [] : [['product_id', { productId }] as const]),
    ...(storeId === undefined ? [] : [['store_id', { storeId }] as const]),
  ]
  if (named.length === 0 && !problems.has('product_id') && !problems.has('store_id'))
    problems.missing.push({ field: 'product_id', message: 'is required, or store_id' })
  for (const [field, place] of named) {
    if (!(await findPortalPlace(ctx.db, place)))
      problems.malformed.push({ field, message: 'must be one of this server' })
  }
}
