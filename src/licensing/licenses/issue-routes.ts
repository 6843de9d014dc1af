import { Type } from '../../lib/type.ts'
import { createLicense, createLicenseOn } from './create-license.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { LICENSE_MOVED } from '../installs/emits.ts'
import { InstallId } from '../installs/schema.ts'
import { PricingId } from '../../catalogue/plans/pricing-schema.ts'
import { checkEnd, LicenseCreate, LicenseOnInstall } from './input-schema.ts'
import { License, presentLicense } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const

/** What creates licenses. */
export const issueOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'plans/create-license',
    summary: 'Issue a license on a price',
    method: 'POST',
    path: '/plans/{plan_id}/pricing/{pricing_id}/licenses.json',
    scopes,
    access: 'licenses.write',
    params: PricingId,
    body: LicenseCreate,
    status: 200,
    response: Type.Object({ license: License }),
    items: 'license',
    emits: [...LICENSE_MOVED, 'user.created'],
    refuses: ['license_error', 'license_expired', 'license_key_taken', 'license_utilized', 'no_user'],
    check: async (_, { body }, problems) => checkEnd(body, problems, { isFlagEnough: true }),
    handle: async (ctx, { scope, params, body }) => {
      const license = await createLicense(ctx, scope, params, body)
      return { license: presentLicense(license, ctx.keys) }
    },
  }),
  writeOperation({
    id: 'installations/create-new-license',
    summary: 'Issue a license for the owner of an install, and activate it there',
    method: 'POST',
    path: '/installs/{install_id}/plans/{plan_id}/pricing/{pricing_id}/licenses.json',
    scopes,
    access: 'licenses.write',
    params: Type.Object({ ...InstallId.properties, ...PricingId.properties }),
    query: Arguments(Fields),
    body: LicenseOnInstall,
    status: 200,
    response: License,
    emits: LICENSE_MOVED,
    refuses: ['license_error', 'license_expired', 'license_key_taken', 'license_utilized', 'no_user'],
    check: async (_, { body }, problems) => checkEnd(body, problems, { isFlagEnough: false }),
    handle: async (ctx, { scope, params, body }) =>
      presentLicense(await createLicenseOn(ctx, scope, params, body), ctx.keys),
  }),
]
