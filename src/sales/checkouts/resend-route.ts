import { Type } from '../../lib/type.ts'
import { writeOperation } from '../../http/operation.ts'
import { Arguments, SecretText } from '../../http/wire.ts'
import { resendKey, RESEND_PATH } from './resend.ts'

export const resendOperations = [
  writeOperation({
    id: 'keywright/resend-key-of-checkout',
    summary: 'Mail who has just bought the license key again',
    method: 'POST',
    path: RESEND_PATH,
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isForPages: true,
    isAnybodys: true,
    query: Arguments({ token: SecretText({ max: 2048, description: 'Of `user.resend_email_endpoint`.' }) }),
    keyOf: ({ query }) => query.token,
    status: 200,
    response: Type.Object({ success: Type.Boolean() }),
    emits: [],
    async handle(ctx, { scope, query }) {
      await resendKey(ctx, scope, query.token)
      return { success: true }
    },
  }),
]
