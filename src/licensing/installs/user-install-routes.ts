import { partsOfChange } from './update-install.ts'
import {
  checkInstallChanges,
  countInstallChanges,
  updateUserInstalls,
  weightOfChanges,
} from './change-user-installs.ts'
import {
  changeUserPermissions,
  checkNewInstalls,
  countAddonInstall,
  countUserInstalls,
  createAddonInstall,
  createUserInstalls,
  deleteUserInstalls,
  weightOfPermissions,
} from './user-installs.ts'
import { writeOperation } from '../../http/operation.ts'
import { Arguments, Id, Text } from '../../http/wire.ts'
import { UserId } from '../../people/users/schema.ts'
import { INSTALL_CHANGED, INSTALL_CREATED, LICENSE_MOVED, OWNER_CHANGED } from './emits.ts'
import { Installs } from './schema.ts'
import {
  InstallChanges,
  InstallOrInstalls,
  InstallsMetadata,
  NewAddonInstall,
  NewUserInstall,
  PermissionChanges,
} from './user-install-schema.ts'

const withUser = ['product', 'developer', 'store', 'user'] as const

export const userInstallOperations = [
  writeOperation({
    id: 'keywright/create-user-installs',
    summary: 'Create an install of a user, or several, with a license or a trial',
    method: 'POST',
    path: '/users/{user_id}/installs.json',
    scopes: withUser,
    access: 'licenses.write',
    portal: ['offline_file'],
    params: UserId,
    body: NewUserInstall,
    weightOf: ({ body }) => body.sites?.length ?? 1,
    status: 200,
    response: InstallOrInstalls,
    emits: [...INSTALL_CREATED, ...LICENSE_MOVED, 'install.trial.started', 'user.trial.started'],
    refuses: [
      'account_verification_required',
      'install_uid_taken',
      'invalid_license_key',
      'invalid_trial_token',
      'invalid_uid',
      'license_activated',
      'license_cancelled',
      'license_error',
      'license_expired',
      'license_utilized',
      'product_not_sold',
      'trial_not_available',
      'trial_utilized',
      'user_exist',
    ],
    check: (_, { body }, problems) => checkNewInstalls(body, problems),
    prepare: (ctx, { scope, params, body: input }, limits) =>
      countUserInstalls(ctx, scope, { userId: params.user_id, input, limits }),
    handle: (ctx, { scope, params, body }) => createUserInstalls(ctx, scope, params.user_id, body),
  }),
  writeOperation({
    id: 'keywright/update-user-installs',
    summary: 'Update installs of a user; the body may be the list alone',
    method: 'PUT',
    path: '/users/{user_id}/installs.json',
    scopes: withUser,
    access: 'licenses.write',
    portal: ({ body }) => partsOfChange(body.installs),
    params: UserId,
    body: InstallChanges,
    weightOf: ({ body }) => weightOfChanges(body),
    list: 'installs',
    status: 200,
    response: Installs,
    items: 'installs',
    emits: [...INSTALL_CHANGED, ...LICENSE_MOVED, ...OWNER_CHANGED],
    refuses: [
      'install_uid_taken',
      'invalid_license_key',
      'invalid_uid',
      'license_cancelled',
      'license_error',
      'license_expired',
      'license_utilized',
      'subscription_not_fitting',
    ],
    check: (_, { body }, problems) => checkInstallChanges(body, problems),
    prepare: (ctx, { scope, params, body: input }, limits) =>
      countInstallChanges(ctx, scope, { userId: params.user_id, input, limits }),
    handle: async (ctx, { scope, params, body }) => ({
      installs: await updateUserInstalls(ctx, scope, params.user_id, body),
    }),
  }),
  writeOperation({
    id: 'keywright/delete-user-installs',
    summary: 'Delete the records of installs of a user',
    method: 'DELETE',
    path: '/users/{user_id}/installs.json',
    scopes: withUser,
    access: 'licenses.write',
    portal: ['deactivate', 'deactivate_all'],
    params: UserId,
    query: Arguments({
      ids: Text({ max: 2000, format: 'ids', description: 'Which ones, comma-separated.' }),
    }),
    status: 204,
    emits: ['install.deleted', 'license.deactivated'],
    handle: (ctx, { scope, params, query }) => deleteUserInstalls(ctx, scope, params.user_id, query.ids),
  }),
  writeOperation({
    id: 'keywright/update-user-permissions',
    summary: 'Switch on or off what the installs of a user may tell',
    method: 'PUT',
    path: '/users/{user_id}/installs/permissions.json',
    scopes: withUser,
    access: 'licenses.write',
    params: UserId,
    body: PermissionChanges,
    weightOf: (request, ctx) => weightOfPermissions(ctx, request),
    status: 200,
    response: InstallsMetadata,
    items: 'installs_metadata',
    emits: [
      'install.site.opt_in',
      'install.site.opt_out',
      'install.user.opt_in',
      'install.user.opt_out',
      'install.extensions.opt_in',
      'install.extensions.opt_out',
    ],
    handle: async (ctx, { scope, params, body }) => ({
      installs_metadata: await changeUserPermissions(ctx, scope, params.user_id, body),
    }),
  }),
  writeOperation({
    id: 'keywright/create-addon-install',
    summary: 'Create the install of an add-on on the site of an install',
    method: 'POST',
    path: '/installs/{install_id}/addons/{addon_id}/installs.json',
    scopes: [...withUser, 'install'],
    access: 'licenses.write',
    params: Arguments({ install_id: Id('ID of the install.'), addon_id: Id('ID of the add-on.') }),
    body: NewAddonInstall,
    status: 200,
    response: Installs,
    items: 'installs',
    emits: [...INSTALL_CREATED, 'user.created'],
    refuses: ['install_uid_taken', 'invalid_uid', 'license_error', 'license_utilized'],
    prepare: (ctx, { scope, params, body: input }, limits) =>
      countAddonInstall(ctx, scope, { params, input, limits }),
    handle: async (ctx, { scope, params, body }) => ({
      installs: await createAddonInstall(ctx, scope, params, body),
    }),
  }),
]
