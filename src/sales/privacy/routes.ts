import { isSeller, requireUnlimited, type Scope } from '../../access/scope.ts'
import { withHeaders } from '../../http/answer.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { noPortalCookie } from '../../http/portal-session.ts'
import { notFound, unauthorized } from '../../lib/errors.ts'
import { eraseUser, isAddressOf } from './erase-user.ts'
import { exportPage } from './export-user.ts'
import { findPerson } from './queries.ts'
import { EraseUser, Erasure, ExportUser, PersonId, PersonPage } from './schema.ts'

/** It is about all products of the seller, so that nobody has it who has some, or a part of the rights. */
const scopes = ['developer', 'user'] as const

function requirePerson(scope: Scope, what: string): void {
  if (isSeller(scope)) return requireUnlimited(scope, what)
  if (!scope.actor.isPerson)
    throw unauthorized(
      undefined,
      `${what} is for who has followed a link that was mailed to the address: ask for one.`,
    )
}

/** What is stored of a person, read and erased (`docs/privacy.md`). */
export const privacyOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/export-user',
    summary: 'Read everything that is stored of a user over all products of the seller, page by page',
    method: 'GET',
    path: '/users/{user_id}/export.json',
    scopes,
    isForNarrowed: false,
    access: 'customers.read',
    portal: ['export'],
    params: PersonId,
    query: ExportUser,
    status: 200,
    response: PersonPage,
    async handle(ctx, { scope, params, query }) {
      if (!(await findPerson(ctx.db, scope, params.user_id))) throw notFound('user')
      requirePerson(scope, 'The archive of a user')
      return exportPage(ctx, scope, { userId: params.user_id, after: query.after })
    },
  }),
  writeOperation({
    id: 'keywright/erase-user',
    summary: 'Erase a user from all products of the seller; payments and invoices stay',
    method: 'POST',
    path: '/users/{user_id}/erasure.json',
    scopes,
    isForNarrowed: false,
    access: 'customers.write',
    portal: ['erase'],
    params: PersonId,
    body: EraseUser,
    status: 202,
    response: Erasure,
    emits: ['user.erased', 'subscription.cancelled'],
    refuses: ['payment_under_way'],
    async check(ctx, { scope, params, body }, problems) {
      if (problems.has('email') || problems.has('user_id')) return
      requirePerson(scope, 'To erase a user')
      if (!(await isAddressOf(ctx, scope, params.user_id, body.email)))
        problems.malformed.push({ field: 'email', message: 'must be the address of the user' })
    },
    async handle(ctx, { scope, params }) {
      const erasure = await eraseUser(ctx, scope, params.user_id)
      return scope.actor.portalId === undefined
        ? erasure
        : withHeaders(erasure, { 'set-cookie': noPortalCookie(ctx, scope) })
    },
  }),
]
