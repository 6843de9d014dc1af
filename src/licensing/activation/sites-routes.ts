import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { LicenseId } from '../licenses/schema.ts'
import { addSite, getSites, removeSite } from './sites.ts'
import { LicenseSite, LicenseSiteCreate, LicenseSiteId } from './sites-schema.ts'

const scopes = ['product', 'developer', 'store', 'user'] as const

/** The lists of sites by which the owner of a license, or its seller, says where it may be used. */
export const licenseSiteOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-license-sites',
    summary: 'List the sites that a license may, may not or may freely be used on',
    method: 'GET',
    path: '/licenses/{license_id}/sites.json',
    scopes,
    access: 'licenses.read',
    portal: ['allow_list'],
    params: LicenseId,
    query: Arguments(Fields),
    status: 200,
    response: Type.Object({ sites: Type.Array(LicenseSite) }),
    items: 'sites',
    handle: async (ctx, { scope, params }) => ({ sites: await getSites(ctx, scope, params.license_id) }),
  }),
  writeOperation({
    id: 'keywright/add-license-site',
    summary: 'Say where a license may, may not or may freely be used',
    method: 'POST',
    path: '/licenses/{license_id}/sites.json',
    scopes,
    access: 'licenses.write',
    portal: ['allow_list'],
    params: LicenseId,
    body: LicenseSiteCreate,
    status: 201,
    response: LicenseSite,
    emits: ['license.site.whitelisted', 'license.site.blacklisted', 'license.updated'],
    refuses: ['account_verification_required', 'license_sites_full'],
    handle: (ctx, { scope, params, body }) => addSite(ctx, scope, params.license_id, body),
  }),
  writeOperation({
    id: 'keywright/remove-license-site',
    summary: 'Take a site off the lists of a license',
    method: 'DELETE',
    path: '/licenses/{license_id}/sites/{license_site_id}.json',
    scopes,
    access: 'licenses.write',
    portal: ['allow_list'],
    params: LicenseSiteId,
    status: 204,
    emits: ['license.whitelisted_site.deleted', 'license.blacklisted_site.deleted', 'license.updated'],
    refuses: ['account_verification_required'],
    handle: (ctx, { scope, params }) => removeSite(ctx, scope, params),
  }),
]
