import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { explain } from './explain.ts'
import { Explain, Explanation } from './explain-schema.ts'

export const explainOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/explain-license',
    summary: 'Say of every check of an activation, a verification and an update what it answers',
    method: 'POST',
    path: '/licenses/explain.json',
    scopes: ['product', 'developer', 'store'],
    access: 'licenses.read',
    body: Explain,
    status: 200,
    response: Explanation,
    check: async (_, { body }, problems) => {
      if (body.license_key === undefined && body.license_id === undefined && !problems.has('license_key'))
        problems.missing.push({ field: 'license_key', message: 'is required without license_id' })
    },
    handle: (ctx, { scope, body }) => explain(ctx, scope, body),
  }),
]
