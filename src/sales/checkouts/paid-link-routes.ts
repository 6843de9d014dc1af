import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, SecretText } from '../../http/wire.ts'
import { PDF } from '../invoices/file.ts'
import { pdfOf } from '../invoices/routes.ts'
import { PAID_LINKS } from './paid-links.ts'
import { receiptOf } from './receipt.ts'
import { resendKey } from './resend.ts'

const tokenOf = (of: string) => Arguments({ token: SecretText({ max: 2048, description: `Of \`${of}\`.` }) })

const shared = { scopes: ['root'], caller: 'open', access: 'everybody', isAnybodys: true } as const

/** What who has just paid may do by the addresses of the result. */
export const paidLinkOperations: readonly AnyOperation[] = [
  writeOperation({
    ...shared,
    id: 'keywright/resend-key-of-checkout',
    summary: 'Mail who has just bought the license key again',
    method: 'POST',
    path: PAID_LINKS.resend.path,
    isForPages: true,
    query: tokenOf('user.resend_email_endpoint'),
    keyOf: ({ query }) => query.token,
    status: 200,
    response: Type.Object({ success: Type.Boolean() }),
    emits: [],
    async handle(ctx, { scope, query }) {
      await resendKey(ctx, scope, query.token)
      return { success: true }
    },
  }),
  readOperation({
    ...shared,
    id: 'keywright/download-receipt-of-checkout',
    summary: 'Download the invoice of what was just paid',
    method: 'GET',
    path: PAID_LINKS.receipt.path,
    query: tokenOf('receipt_url'),
    keyOf: ({ query }) => query.token,
    status: 200,
    produces: PDF,
    handle: async (ctx, { scope, query }) => pdfOf(await receiptOf(ctx, scope, query.token)),
  }),
]
