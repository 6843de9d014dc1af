import { readOperation } from '../../http/operation.ts'
import { readAudit } from './read-audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const auditOperations = [
  readOperation({
    id: 'keywright/list-audit',
    summary:
      'List who did what in the account and its products, newest first, and whether the chain holds there',
    method: 'GET',
    path: '/audit.json',
    scopes: ['account'],
    access: 'members.read',
    query: AuditQuery,
    status: 200,
    response: AuditPage,
    items: 'entries',
    handle: (ctx, { scope, query }) => readAudit(ctx, scope, query),
  }),
]
