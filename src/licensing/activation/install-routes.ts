import { Type } from '../../lib/type.ts'
import {
  activateOn,
  activeLicense,
  activeLicenses,
  checkKey,
  checkKeyToFree,
  deactivateOn,
} from './license-of-install.ts'
import { shownLicenses } from '../licenses/list-licenses.ts'
import { countSiteOfInstall } from './sites-of-install.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { LICENSE_OFF, LICENSE_ON } from '../installs/emits.ts'
import { InstallId } from '../installs/schema.ts'
import { ByKey, InstallLicenseId, OfInstall, ReadByKey, WriteByKey } from './activation-schema.ts'
import { UserLicense } from '../licenses/list-schema.ts'
import { License, presentLicense } from '../licenses/schema.ts'

const scopes = ['product', 'developer', 'store', 'install'] as const
const path = '/installs/{install_id}/licenses/{license_id}.json'

/** What stands under an install: the license that is active on it. */
export const installLicenseOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'installations/list-active-licenses',
    summary: 'List the licenses that are active on an install: one, or none',
    method: 'GET',
    path: '/installs/{install_id}/licenses.json',
    scopes,
    access: 'licenses.read',
    params: InstallId,
    query: OfInstall,
    status: 200,
    response: Type.Object({ licenses: Type.Array(UserLicense) }),
    items: 'licenses',
    handle: async (ctx, { scope, params, query }) => {
      const rows = await activeLicenses(ctx, scope, params.install_id)
      return { licenses: await shownLicenses(ctx, rows, query.is_enriched) }
    },
  }),
  readOperation({
    id: 'installations/retrieve-active-license-by-id',
    summary: 'Retrieve the license that is active on an install',
    method: 'GET',
    path,
    scopes,
    access: 'licenses.read',
    params: InstallLicenseId,
    query: ReadByKey,
    keepsRefusals: 'verification',
    status: 200,
    response: License,
    refuses: ['invalid_license_key'],
    check: async (_, { scope, query }, problems) => checkKey(scope, query, problems),
    handle: async (ctx, { scope, params, query }) =>
      presentLicense(await activeLicense(ctx, scope, { ...params, key: query.license_key }), ctx.keys),
  }),
  writeOperation({
    id: 'installations/activate-license',
    summary: 'Put a license on an install, in place of the one it has',
    method: 'PUT',
    path,
    scopes,
    access: 'licenses.write',
    params: InstallLicenseId,
    query: WriteByKey,
    body: ByKey,
    keepsRefusals: 'activation',
    status: 200,
    response: UserLicense,
    emits: LICENSE_ON,
    refuses: [
      'invalid_license_key',
      'license_cancelled',
      'license_error',
      'license_expired',
      'license_utilized',
    ],
    check: async (_, { scope, query, body }, problems) => checkKey(scope, { ...query, ...body }, problems),
    prepare: (ctx, { scope, params, query, body }, limits) => {
      const key = body.license_key ?? query.license_key
      return countSiteOfInstall(ctx, scope, { ...params, key, limits })
    },
    handle: async (ctx, { scope, params, query, body }) => {
      const key = body.license_key ?? query.license_key
      const row = await activateOn(ctx, scope, { ...params, key })
      const [license] = await shownLicenses(ctx, [row], query.is_enriched)
      return license ?? presentLicense(row, ctx.keys)
    },
  }),
  writeOperation({
    id: 'installations/deactivate-license',
    summary: 'Take a license off an install',
    method: 'DELETE',
    path,
    scopes: [...scopes, 'user'],
    access: 'licenses.write',
    portal: ['deactivate'],
    params: InstallLicenseId,
    query: ReadByKey,
    status: 200,
    response: License,
    emits: LICENSE_OFF,
    refuses: ['invalid_license_key'],
    check: async (_, { scope, query }, problems) => checkKeyToFree(scope, query, problems),
    handle: async (ctx, { scope, params, query }) =>
      presentLicense(await deactivateOn(ctx, scope, { ...params, key: query.license_key }), ctx.keys),
  }),
]
