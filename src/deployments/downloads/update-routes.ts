import { Type } from '../../lib/type.ts'
import {
  forAddon,
  forCaller,
  forInstall,
  listUpdates,
  offeredUpdate,
  presentOffered,
  updateArchive,
} from './updates.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Id } from '../../http/wire.ts'
import { Update, UpdateArchiveWanted, UpdateInList, UpdateList, UpdateWanted } from '../versions/schema.ts'

const seller = ['product', 'developer', 'store'] as const
const withInstall = [...seller, 'install'] as const
const ZIP = 'application/zip'

const install_id = Id('ID of the install.')
const addon_id = Id('ID of the add-on.')
const OfInstall = Arguments({ install_id })
const OfAddon = Arguments({ addon_id })
const AddonOfInstall = Arguments({ install_id, addon_id })

/** What the premium version is not given for. */
const UNLICENSED = ['license_cancelled', 'license_error', 'license_expired'] as const

/** Versions as those see them who use the product. */
export const updateOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'installations/list-updates',
    summary: 'List the versions that an install may have, the highest first',
    method: 'GET',
    path: '/installs/{install_id}/updates.json',
    scopes: withInstall,
    access: 'deployments.read',
    params: OfInstall,
    query: UpdateList,
    status: 200,
    response: Type.Object({ tags: Type.Array(UpdateInList) }),
    items: 'tags',
    check: async (_, { query }, problems) => {
      if (query.version === undefined && query.older_than === undefined)
        problems.missing.push({ field: 'version', message: 'is required without older_than' })
    },
    handle: (ctx, { scope, params, query }) => listUpdates(ctx, scope, params.install_id, query),
  }),
  readOperation({
    id: 'installations/retrieve-latest-update',
    summary: 'Retrieve the version that an install is offered; 404 when there is none',
    method: 'GET',
    path: '/installs/{install_id}/updates/latest.json',
    scopes: withInstall,
    access: 'deployments.read',
    params: OfInstall,
    query: UpdateWanted,
    status: 200,
    response: Update,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    state: (ctx, { scope, params, query }) => offeredUpdate(ctx, forInstall(scope, params.install_id), query),
    handle: (ctx, { query }, offered) => presentOffered(ctx, offered, query),
  }),
  readOperation({
    id: 'keywright/download-update',
    summary: 'Download the version that an install is offered',
    method: 'GET',
    path: '/installs/{install_id}/updates/latest.zip',
    scopes: withInstall,
    access: 'deployments.read',
    params: OfInstall,
    query: UpdateArchiveWanted,
    status: 200,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    produces: ZIP,
    handle: (ctx, { scope, params, query }) =>
      updateArchive(ctx, forInstall(scope, params.install_id), query),
  }),
  readOperation({
    id: 'keywright/retrieve-product-update',
    summary: 'Retrieve the version that a user, or anybody, is offered; 404 when there is none',
    method: 'GET',
    path: '/updates/latest.json',
    scopes: [...seller, 'user'],
    caller: 'public',
    access: 'deployments.read',
    portal: ['downloads'],
    query: UpdateWanted,
    status: 200,
    response: Update,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    state: (ctx, { scope, query }) => offeredUpdate(ctx, forCaller(scope), query),
    handle: (ctx, { query }, offered) => presentOffered(ctx, offered, query),
  }),
  readOperation({
    id: 'keywright/download-product-update',
    summary: 'Download the version that a user, or anybody, is offered',
    method: 'GET',
    path: '/updates/latest.zip',
    scopes: [...seller, 'user'],
    caller: 'public',
    access: 'deployments.read',
    portal: ['downloads'],
    isAnybodys: true,
    query: UpdateArchiveWanted,
    status: 200,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    produces: ZIP,
    handle: (ctx, { scope, query }) => updateArchive(ctx, forCaller(scope), query),
  }),
  readOperation({
    id: 'keywright/retrieve-addon-update',
    summary: 'Retrieve the version of an add-on that the user of an install is offered',
    method: 'GET',
    path: '/installs/{install_id}/addons/{addon_id}/updates/latest.json',
    scopes: withInstall,
    access: 'deployments.read',
    params: AddonOfInstall,
    query: UpdateWanted,
    status: 200,
    response: Update,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    state: (ctx, { scope, params, query }) =>
      offeredUpdate(ctx, forAddon(scope, params.addon_id, params.install_id), query),
    handle: (ctx, { query }, offered) => presentOffered(ctx, offered, query),
  }),
  readOperation({
    id: 'keywright/download-addon-update',
    summary: 'Download the version of an add-on that the user of an install is offered',
    method: 'GET',
    path: '/installs/{install_id}/addons/{addon_id}/updates/latest.zip',
    scopes: withInstall,
    access: 'deployments.read',
    params: AddonOfInstall,
    query: UpdateArchiveWanted,
    status: 200,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    produces: ZIP,
    handle: (ctx, { scope, params, query }) =>
      updateArchive(ctx, forAddon(scope, params.addon_id, params.install_id), query),
  }),
  readOperation({
    id: 'keywright/retrieve-public-addon-update',
    summary: 'Retrieve the version of an add-on that anybody is offered',
    method: 'GET',
    path: '/addons/{addon_id}/updates/latest.json',
    scopes: seller,
    caller: 'public',
    access: 'deployments.read',
    params: OfAddon,
    query: UpdateWanted,
    status: 200,
    response: Update,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    state: (ctx, { scope, params, query }) =>
      offeredUpdate(ctx, forAddon(scope, params.addon_id, null), query),
    handle: (ctx, { query }, offered) => presentOffered(ctx, offered, query),
  }),
  readOperation({
    id: 'keywright/download-public-addon-update',
    summary: 'Download the version of an add-on that anybody is offered',
    method: 'GET',
    path: '/addons/{addon_id}/updates/latest.zip',
    scopes: seller,
    caller: 'public',
    access: 'deployments.read',
    isAnybodys: true,
    params: OfAddon,
    query: UpdateArchiveWanted,
    status: 200,
    refuses: UNLICENSED,
    keepsRefusals: 'update',
    produces: ZIP,
    handle: (ctx, { scope, params, query }) =>
      updateArchive(ctx, forAddon(scope, params.addon_id, null), query),
  }),
]
