import { Type } from '../../lib/type.ts'
import { assignLicense } from './assign-license.ts'
import { cancelLicenseAndTell, deleteLicense } from './cancel-license.ts'
import { deactivateEverywhere, syncActivations } from '../activation/deactivate-license.ts'
import { usableLicense } from '../activation/license-of-install.ts'
import { licensesOfAccount, listedLicenses } from './list-licenses.ts'
import { totalOfLicenses } from './list.ts'
import { rotateKey } from './rotate-key.ts'
import { updateLicense } from './update-license.ts'
import { nothing } from '../../http/answer.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { LICENSE_OFF } from '../installs/emits.ts'
import { ReadOneByKey } from '../activation/activation-schema.ts'
import { CancelQuery, KeyRotation, LicenseAssign, LicenseUpdate } from './input-schema.ts'
import { issueOperations } from './issue-routes.ts'
import { AccountLicenseList, LicenseEnriched, LicenseList } from './list-schema.ts'
import { mailOperations } from './mail-routes.ts'
import { License, LicenseId, presentLicense } from './schema.ts'
import { userLicenseOperations } from './user-routes.ts'

const scopes = ['product', 'developer', 'store'] as const
const withUser = [...scopes, 'user'] as const
const OnlyFields = Arguments(Fields)

const changing: readonly AnyOperation[] = [
  writeOperation({
    id: 'licenses/update',
    summary: 'Update a license, and what it opened as a bundle',
    method: 'PUT',
    path: '/licenses/{license_id}.json',
    scopes,
    access: 'licenses.write',
    params: LicenseId,
    query: OnlyFields,
    body: LicenseUpdate,
    status: 200,
    response: License,
    emits: [
      'license.updated',
      'license.extended',
      'license.shortened',
      'license.quota.changed',
      'license.ownership.changed',
      'subscription.cancelled',
      'user.created',
    ],
    handle: async (ctx, { scope, params, body }) =>
      presentLicense(await updateLicense(ctx, scope, params.license_id, body), ctx.keys),
  }),
  writeOperation({
    id: 'licenses/cancel',
    summary: 'Cancel a license, or erase it',
    method: 'DELETE',
    path: '/licenses/{license_id}.json',
    scopes,
    access: 'licenses.write',
    params: LicenseId,
    query: CancelQuery,
    status: 200,
    orNothing: true,
    response: License,
    emits: ['license.cancelled', 'subscription.cancelled', 'license.deleted', ...LICENSE_OFF],
    async handle(ctx, { scope, params, query }) {
      const { license_id: id } = params
      if (!query.delete) return presentLicense(await cancelLicenseAndTell(ctx, scope, id, query), ctx.keys)
      await deleteLicense(ctx, scope, id, query)
      return nothing()
    },
  }),
  writeOperation({
    id: 'licenses/assign',
    summary: "Give a license that is nobody's to a person",
    method: 'PUT',
    path: '/licenses.json',
    scopes,
    access: 'licenses.write',
    query: OnlyFields,
    body: LicenseAssign,
    status: 200,
    response: License,
    emits: ['license.ownership.changed', 'user.created'],
    refuses: ['invalid_license_key', 'license_owned'],
    handle: async (ctx, { scope, body }) => presentLicense(await assignLicense(ctx, scope, body), ctx.keys),
  }),
  writeOperation({
    id: 'licenses/deactivate-installs',
    summary: 'Take a license off every install',
    method: 'DELETE',
    path: '/licenses/{license_id}/installs.json',
    scopes: withUser,
    access: 'licenses.write',
    portal: ['deactivate_all'],
    params: LicenseId,
    query: OnlyFields,
    status: 200,
    response: License,
    emits: LICENSE_OFF,
    refuses: ['account_verification_required'],
    handle: async (ctx, { scope, params }) =>
      presentLicense(await deactivateEverywhere(ctx, scope, params.license_id), ctx.keys),
  }),
  writeOperation({
    id: 'keywright/rotate-license-key',
    summary: 'Give a license another key, with which the one it had stops',
    method: 'POST',
    path: '/licenses/{license_id}/key.json',
    scopes: withUser,
    access: 'licenses.write',
    portal: ({ body }) => (body.deactivate_installs ? ['rotate_key', 'deactivate_all'] : ['rotate_key']),
    params: LicenseId,
    query: OnlyFields,
    body: KeyRotation,
    status: 200,
    response: License,
    emits: ['license.key.rotated', ...LICENSE_OFF],
    refuses: ['account_verification_required', 'license_cancelled'],
    handle: async (ctx, { scope, params, body }) =>
      presentLicense(await rotateKey(ctx, scope, params.license_id, body), ctx.keys),
  }),
  writeOperation({
    id: 'keywright/show-license-key',
    summary: 'Show the key of a license, which is in the audit log',
    method: 'POST',
    path: '/licenses/{license_id}/key/show.json',
    scopes: ['developer'],
    access: 'licenses.write',
    params: LicenseId,
    query: OnlyFields,
    status: 200,
    response: License,
    emits: [],
    handle: async (ctx, { scope, params }) =>
      presentLicense(await usableLicense(ctx, scope, { ...params, key: undefined }), ctx.keys),
  }),
  writeOperation({
    id: 'licenses/sync-activations',
    summary: 'Count the activations of a license from its installs',
    method: 'POST',
    path: '/licenses/{license_id}/installs/sync.json',
    scopes: ['developer'],
    access: 'licenses.write',
    params: LicenseId,
    query: OnlyFields,
    status: 200,
    response: License,
    emits: [],
    handle: async (ctx, { scope, params }) =>
      presentLicense(await syncActivations(ctx, scope, params.license_id), ctx.keys),
  }),
]

export const licenseOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'licenses/list',
    summary: 'List the licenses of a product, newest first',
    method: 'GET',
    path: '/licenses.json',
    scopes,
    access: 'licenses.read',
    query: LicenseList,
    status: 200,
    response: Type.Object({ licenses: Type.Array(LicenseEnriched) }),
    items: 'licenses',
    total: (ctx, { scope, query }) => totalOfLicenses(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ licenses: await listedLicenses(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/list-account-licenses',
    summary: 'List the licenses of all products of an account, newest first',
    method: 'GET',
    path: '/licenses.json',
    scopes: ['account'],
    access: 'licenses.read',
    isForNarrowed: true,
    query: AccountLicenseList,
    status: 200,
    response: Type.Object({ licenses: Type.Array(LicenseEnriched) }),
    items: 'licenses',
    handle: async (ctx, { scope, query }) => ({ licenses: await licensesOfAccount(ctx, scope, query) }),
  }),
  readOperation({
    id: 'licenses/retrieve',
    summary: 'Retrieve a license',
    method: 'GET',
    path: '/licenses/{license_id}.json',
    scopes: withUser,
    access: 'licenses.read',
    params: LicenseId,
    query: ReadOneByKey,
    status: 200,
    response: License,
    refuses: ['invalid_license_key'],
    handle: async (ctx, { scope, params, query }) =>
      presentLicense(await usableLicense(ctx, scope, { ...params, key: query.license_key }), ctx.keys),
  }),
  ...issueOperations,
  ...changing,
  ...mailOperations,
  ...userLicenseOperations,
]
