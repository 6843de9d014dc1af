import { Type } from '../../lib/type.ts'
import { deleteInstall, downgradeInstall } from './downgrade-install.ts'
import {
  addonFeaturesOfInstall,
  eventsOfInstall,
  installsOfUser,
  marketItemsOf,
  planOfInstall,
  plansOfInstall,
} from './read-install.ts'
import { countSiteByKey } from '../activation/sites-of-install.ts'
import { checkInstallUpdate, partsOfChange, updateInstall } from './update-install.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields, Id, Optional, Paging, Text } from '../../http/wire.ts'
import { EventLog } from '../../events/log/schema.ts'
import { Feature } from '../../catalogue/plans/feature-schema.ts'
import { Plan } from '../../catalogue/plans/schema.ts'
import { INSTALL_CHANGED, LICENSE_MOVED, OWNER_CHANGED } from './emits.ts'
import { weightOfExtensions } from './extensions.ts'
import { InstallUpdate } from './input-schema.ts'
import { Count, CountFilter, InstallList, InstallsOfUser } from './list-schema.ts'
import { MarketItem } from './part-schema.ts'
import { Downgrade } from './request-schema.ts'
import { Install, InstallId, Installs } from './schema.ts'
import { getCount, getInstall, getInstalls, shownInstall, totalOfInstalls } from './service.ts'

const seller = ['product', 'developer', 'store'] as const
const withUser = [...seller, 'user'] as const
const everybody = [...withUser, 'install'] as const

const PlanOf = Arguments({ install_id: Id('ID of the install.'), plan_id: Id('ID of the plan.') })
const AddonPlanOf = Arguments({ ...PlanOf.properties, addon_id: Id('ID of the add-on.') })

const lists = [
  readOperation({
    id: 'installations/list-installs',
    summary: 'List installs, newest first; uninstalled ones only with `all`, or by a filter or an id',
    method: 'GET',
    path: '/installs.json',
    scopes: withUser,
    access: 'licenses.read',
    query: InstallList,
    status: 200,
    response: Installs,
    items: 'installs',
    total: (ctx, { scope, query }) => totalOfInstalls(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ installs: await getInstalls(ctx, scope, query) }),
  }),
  readOperation({
    id: 'installations/retrieve-installs-count',
    summary: 'Count the installs that are not uninstalled',
    method: 'GET',
    path: '/installs/count.json',
    scopes: seller,
    access: 'licenses.read',
    query: CountFilter,
    status: 200,
    response: Count,
    handle: (ctx, { scope, query }) => getCount(ctx, scope, query),
  }),
  readOperation({
    id: 'users/list-installs',
    summary: 'List the installs of a user, newest first',
    method: 'GET',
    path: '/users/{user_id}/installs.json',
    scopes: seller,
    access: 'licenses.read',
    params: Arguments({ user_id: Id('ID of the user.') }),
    query: InstallsOfUser,
    status: 200,
    response: Installs,
    items: 'installs',
    handle: async (ctx, { scope, params, query }) => ({
      installs: await installsOfUser(ctx, scope, params.user_id, query),
    }),
  }),
]

const one = [
  readOperation({
    id: 'installations/retrieve-install',
    summary: 'Retrieve an install',
    method: 'GET',
    path: '/installs/{install_id}.json',
    scopes: everybody,
    access: 'licenses.read',
    params: InstallId,
    query: Arguments(Fields),
    status: 200,
    response: Install,
    handle: async (ctx, { scope, params }) =>
      shownInstall(ctx, scope, await getInstall(ctx, scope, params.install_id)),
  }),
  writeOperation({
    id: 'installations/update-install',
    summary: 'Update an install; also uninstall, recover, activate a license by key, change the owner',
    method: 'PUT',
    path: '/installs/{install_id}.json',
    scopes: everybody,
    access: 'licenses.write',
    portal: ({ body }) => partsOfChange([body]),
    params: InstallId,
    query: Arguments(Fields),
    body: InstallUpdate,
    weightOf: ({ body }) => 1 + weightOfExtensions(body),
    status: 200,
    response: Install,
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
    check: (_, { body }, problems) => checkInstallUpdate(body, problems),
    prepare: (ctx, { scope, params, body }, limits) =>
      countSiteByKey(ctx, scope, { ...params, key: body.license_key, url: body.url, limits }),
    handle: (ctx, { scope, params, body }) => updateInstall(ctx, scope, params.install_id, body),
  }),
  writeOperation({
    id: 'installations/delete-install',
    summary: 'Delete the record of an install, which is not the same as uninstalling',
    method: 'DELETE',
    path: '/installs/{install_id}.json',
    scopes: everybody,
    access: 'licenses.write',
    portal: ['deactivate'],
    params: InstallId,
    status: 204,
    emits: ['install.deleted', 'license.deactivated'],
    handle: (ctx, { scope, params }) => deleteInstall(ctx, scope, params.install_id),
  }),
  writeOperation({
    id: 'installations/downgrade-default-plan',
    summary: 'Take an install back to the free plan',
    method: 'PUT',
    path: '/installs/{install_id}/downgrade.json',
    scopes: everybody,
    access: 'licenses.write',
    portal: ['deactivate'],
    params: InstallId,
    query: Arguments(Fields),
    body: Downgrade,
    status: 200,
    response: Install,
    emits: [
      'install.plan.downgraded',
      'install.plan.changed',
      'install.trial.cancelled',
      'license.cancelled',
      'license.deactivated',
      'license.shortened',
      'subscription.cancelled',
    ],
    refuses: ['no_trial'],
    handle: (ctx, { scope, params, body }) => downgradeInstall(ctx, scope, params.install_id, body),
  }),
]

const around = [
  readOperation({
    id: 'installations/list-events',
    summary: 'List the events of an install, newest first',
    method: 'GET',
    path: '/installs/{install_id}/events.json',
    scopes: everybody,
    access: 'licenses.read',
    params: InstallId,
    query: Arguments({
      type: Optional(Text({ max: 100, description: 'Keeps one type.' })),
      ...Paging,
      ...Fields,
    }),
    status: 200,
    response: Type.Object({ events: Type.Array(EventLog) }),
    items: 'events',
    handle: (ctx, { scope, params, query }) => eventsOfInstall(ctx, scope, params, query),
  }),
  readOperation({
    id: 'installations/list-plans',
    summary: 'List the plans of the product of an install, the default one first',
    method: 'GET',
    path: '/installs/{install_id}/plans.json',
    scopes: everybody,
    access: 'licenses.read',
    params: InstallId,
    query: Arguments({
      show_pending: Type.Boolean({
        default: false,
        description: 'True: also of a product that is not released.',
      }),
      ...Fields,
    }),
    status: 200,
    response: Type.Object({ plans: Type.Array(Plan) }),
    items: 'plans',
    handle: async (ctx, { scope, params, query }) => ({
      plans: await plansOfInstall(ctx, scope, params, query),
    }),
  }),
  readOperation({
    id: 'installations/retrieve-plan',
    summary: 'Retrieve a plan of the product of an install',
    method: 'GET',
    path: '/installs/{install_id}/plans/{plan_id}.json',
    scopes: everybody,
    access: 'licenses.read',
    params: PlanOf,
    query: Arguments(Fields),
    status: 200,
    response: Plan,
    handle: (ctx, { scope, params }) => planOfInstall(ctx, scope, params),
  }),
  readOperation({
    id: 'installations/list-plans-features-for-addon',
    summary: 'List the features of a plan of an add-on',
    method: 'GET',
    path: '/installs/{install_id}/addons/{addon_id}/plans/{plan_id}/features.json',
    scopes: everybody,
    access: 'licenses.read',
    params: AddonPlanOf,
    query: Arguments({ ...Paging, ...Fields }),
    status: 200,
    response: Type.Object({ features: Type.Array(Feature) }),
    items: 'features',
    handle: async (ctx, { scope, params, query }) => ({
      features: await addonFeaturesOfInstall(ctx, scope, params, query),
    }),
  }),
  readOperation({
    id: 'installations/list-market-items',
    summary: 'List the plugins and themes that an install told of',
    method: 'GET',
    path: '/installs/{install_id}/market_items.json',
    scopes: everybody,
    access: 'licenses.read',
    params: InstallId,
    status: 200,
    response: Type.Object({ market_items: Type.Array(MarketItem) }),
    items: 'market_items',
    handle: async (ctx, { scope, params }) => ({ market_items: await marketItemsOf(ctx, scope, params) }),
  }),
]

export const installOperations = [...lists, ...one, ...around]
