import { Type } from '../../lib/type.ts'
import { featuresOfAddon, getAddons, plansOfAddon, pricingOfAddon } from './addons.ts'
import { readOperation } from '../../http/operation.ts'
import { Arguments, Fields, Paging } from '../../http/wire.ts'
import { Feature } from '../plans/feature-schema.ts'
import { CurrencyFilter, Pricing } from '../plans/pricing-schema.ts'
import { Plan } from '../plans/schema.ts'
import { AddonId, AddonList, AddonPlanId, AddonPlanList, Addons } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const

export const addonOperations = [
  readOperation({
    id: 'products/list-addons',
    summary: 'List the add-ons of a product, the oldest first',
    method: 'GET',
    path: '/addons.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: AddonList,
    status: 200,
    response: Addons,
    items: 'addons',
    handle: async (ctx, { scope, query }) => {
      const addons = await getAddons(ctx, scope, query)
      return { addons, plugins: addons }
    },
  }),
  readOperation({
    id: 'addons/list-plans',
    summary: 'List the plans of an add-on, the default one first',
    method: 'GET',
    path: '/addons/{addon_id}/plans.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    params: AddonId,
    query: AddonPlanList,
    status: 200,
    response: Type.Object({ plans: Type.Array(Plan) }),
    items: 'plans',
    handle: async (ctx, { scope, params, query }) => ({
      plans: await plansOfAddon(ctx, scope, params.addon_id, query),
    }),
  }),
  readOperation({
    id: 'addons/list-plans-features',
    summary: 'List the features of a plan of an add-on',
    method: 'GET',
    path: '/addons/{addon_id}/plans/{plan_id}/features.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    params: AddonPlanId,
    query: Arguments({ ...Paging, ...Fields }),
    status: 200,
    response: Type.Object({ features: Type.Array(Feature) }),
    items: 'features',
    handle: async (ctx, { scope, params, query }) => ({
      features: await featuresOfAddon(ctx, scope, params, query),
    }),
  }),
  readOperation({
    id: 'addons/list-pricings',
    summary: 'List the prices of a plan of an add-on, under the key `plans`',
    method: 'GET',
    path: '/addons/{addon_id}/plans/{plan_id}/pricing.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    params: AddonPlanId,
    query: Arguments({ ...CurrencyFilter, ...Paging, ...Fields }),
    status: 200,
    response: Type.Object({ plans: Type.Array(Pricing) }),
    items: 'plans',
    handle: async (ctx, { scope, params, query }) => ({
      plans: await pricingOfAddon(ctx, scope, params, query),
    }),
  }),
]
