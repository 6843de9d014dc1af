import { Type } from '../../lib/type.ts'
import { mailKeys, mailRenewal } from './mail-licenses.ts'
import { resendLicense } from './resend-license.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { ResendKeys } from './input-schema.ts'
import { LicenseId } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const

/** What mails the owners of licenses. */
export const mailOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'licenses/resend-keys',
    summary: 'Mail somebody all keys that are theirs',
    method: 'POST',
    path: '/licenses/resend.json',
    scopes,
    caller: 'public',
    access: 'licenses.write',
    isAnybodys: true,
    body: ResendKeys,
    status: 200,
    emits: [],
    refuses: ['invalid_email', 'no_license', 'no_user'],
    handle: (ctx, { scope, body }) => mailKeys(ctx, scope, body.email),
  }),
  writeOperation({
    id: 'licenses/resend-upgrade-email',
    summary: 'Mail the owner of a license its key and receipt again',
    method: 'POST',
    path: '/licenses/{license_id}/resend.json',
    scopes,
    access: 'licenses.write',
    params: LicenseId,
    status: 200,
    emits: [],
    refuses: ['no_user'],
    handle: (ctx, { scope, params }) => resendLicense(ctx, scope, params.license_id),
  }),
  writeOperation({
    id: 'licenses/send-renewal-email',
    summary: 'Mail the owner of a license that it can be renewed, unless it renews itself',
    method: 'POST',
    path: '/licenses/{license_id}/renewals.json',
    scopes,
    access: 'licenses.write',
    params: LicenseId,
    status: 200,
    response: Type.Object({ sent: Type.Boolean() }),
    emits: ['license.renewal_reminder.sent'],
    refuses: ['plan_not_sold'],
    handle: (ctx, { scope, params }) => mailRenewal(ctx, scope, params.license_id),
  }),
]
