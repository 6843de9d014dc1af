import { writeOperation } from '../../http/operation.ts'
import { Contact, Taken } from './schema.ts'
import { contact } from './service.ts'

export const contactOperations = [
  writeOperation({
    id: 'keywright/contact-support',
    summary: 'Write to the support of a product',
    method: 'POST',
    path: '/contact.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isForPages: true,
    isAnybodys: true,
    body: Contact,
    status: 200,
    response: Taken,
    emits: [],
    refuses: ['no_support_address'],
    async handle(ctx, { scope, body }) {
      await contact(ctx, scope, body)
      return { success: true }
    },
  }),
]
