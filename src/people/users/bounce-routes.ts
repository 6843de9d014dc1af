import { Type } from '../../lib/type.ts'
import { reportStatus } from './email-status.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Choice, IdText, Optional, Text } from '../../http/wire.ts'

/** Ours: says what has become of mail, for who reads what comes back (`docs/mail.md`). */
export const bounceOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/report-bounce',
    summary: 'Say that mail to a user came back, or arrives again',
    method: 'POST',
    path: '/bounces.json',
    scopes: ['account'],
    access: 'customers.write',
    body: Arguments({
      email: Text({ max: 254, format: 'email', description: 'Where the mail went.' }),
      status: Optional(
        Choice(['bounce', 'dropped', 'delivered'], {
          description:
            'There is no such mailbox; it takes no mail of ours; it takes it again. Default: bounce.',
        }),
      ),
    }),
    status: 200,
    response: Type.Object(
      { id: IdText(), email: Type.String(), email_status: Type.String() },
      { title: 'EmailStatus' },
    ),
    emits: ['user.email_status.bounced', 'user.email_status.dropped', 'user.email_status.delivered'],
    handle: (ctx, { scope, body: { email, status = 'bounce' } }) =>
      reportStatus(ctx, scope, { email, status }),
  }),
]
