import { activate } from './activate.ts'
import { deactivate } from './deactivate.ts'
import { countSitesByKey } from './sites-by-key.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { isSeller } from '../../access/scope.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { LICENSE_OFF, SITE_CONNECTED } from '../installs/emits.ts'
import { Install, InstallId } from '../installs/schema.ts'
import { Activate, Activation, Deactivate, VerifiedLicense, Verify } from './activation-schema.ts'
import { plainKey } from '../licenses/key.ts'
import { verify } from './verify.ts'

const scopes = ['product', 'developer', 'store'] as const

const keyOf = ({ body }: { readonly body: { readonly license_key: string } }) => plainKey(body.license_key)

const activateAt = (id: string, path: string): AnyOperation =>
  writeOperation({
    id,
    summary: 'Activate a license by its key, without authorization',
    method: 'POST',
    path,
    scopes,
    caller: 'open',
    access: 'licenses.write',
    body: Activate,
    takesQuery: true,
    keyOf,
    keepsRefusals: 'activation',
    status: 200,
    response: Activation,
    credentials: ['user_secret_key', 'install_secret_key', 'install_api_token'],
    emits: SITE_CONNECTED,
    refuses: [
      'account_verification_required',
      'install_uid_taken',
      'invalid_license_key',
      'invalid_uid',
      'license_activated',
      'license_cancelled',
      'license_error',
      'license_expired',
      'license_utilized',
      'user_exist',
    ],
    async prepare(ctx, { scope, body }, limits) {
      const { license_key: key, uid, url } = body
      if (!isSeller(scope))
        await countSitesByKey(ctx, scope.productId, { key, sites: [{ uid, url }], limits })
    },
    handle: (ctx, { scope, body }) => activate(ctx, scope, body),
  })

const deactivateAt = (id: string, path: string): AnyOperation =>
  writeOperation({
    id,
    summary: 'Deactivate a license by its key, without authorization',
    method: 'POST',
    path,
    scopes,
    caller: 'open',
    access: 'licenses.write',
    query: Arguments(Fields),
    body: Deactivate,
    takesQuery: true,
    keyOf,
    status: 200,
    response: Install,
    emits: LICENSE_OFF,
    refuses: ['invalid_license_key', 'invalid_uid', 'license_error'],
    handle: (ctx, { scope, body }) => deactivate(ctx, scope, body),
  })

/** What whoever knows a license key may do with it; the two of ours are where older clients look for it. */
export const activationOperations: readonly AnyOperation[] = [
  activateAt('licenses/activate', '/licenses/activate.json'),
  activateAt('keywright/activate-license', '/activate.json'),
  deactivateAt('licenses/deactivate', '/licenses/deactivate.json'),
  deactivateAt('keywright/deactivate-license', '/deactivate.json'),
  readOperation({
    id: 'installations/retrieve-active-license-by-uid',
    summary: 'Verify a license by its key and the uid of the install, without authorization',
    method: 'GET',
    path: '/installs/{install_id}/license.json',
    scopes: [...scopes, 'install'],
    caller: 'open',
    access: 'licenses.read',
    params: InstallId,
    query: Verify,
    keyOf: ({ query }) => plainKey(query.license_key),
    keepsRefusals: 'verification',
    status: 200,
    response: VerifiedLicense,
    refuses: ['invalid_uid'],
    handle: (ctx, { scope, params, query }) => verify(ctx, scope, params.install_id, query),
  }),
]
