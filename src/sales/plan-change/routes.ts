import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { License, LicenseId, presentLicense } from '../../licensing/licenses/schema.ts'
import { changePlan } from './change-plan.ts'
import { previewPlan } from './preview-plan.ts'
import { PlanChange, PlanChangePreview, PlanChangeQuery } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const

/** Ours: another plan for a license, as its seller wants it, and what that would change. */
export const planChangeOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/preview-license-plan',
    summary: 'Tell what another plan would change for a license',
    method: 'GET',
    path: '/licenses/{license_id}/plan.json',
    scopes,
    access: 'licenses.read',
    params: LicenseId,
    query: PlanChangeQuery,
    status: 200,
    response: PlanChangePreview,
    refuses: ['license_cancelled', 'license_error'],
    handle: (ctx, { scope, params, query }) => previewPlan(ctx, scope, params.license_id, query),
  }),
  writeOperation({
    id: 'keywright/change-license-plan',
    summary: 'Give a license another plan, with what its price says of sites',
    method: 'PUT',
    path: '/licenses/{license_id}/plan.json',
    scopes,
    access: 'licenses.write',
    params: LicenseId,
    query: Arguments(Fields),
    body: PlanChange,
    status: 200,
    response: License,
    emits: ['license.plan.changed', 'license.updated', 'license.quota.changed', 'install.plan.changed'],
    refuses: ['license_cancelled', 'license_error'],
    handle: async (ctx, { scope, params, body }) =>
      presentLicense(await changePlan(ctx, scope, params.license_id, body), ctx.keys),
  }),
]
