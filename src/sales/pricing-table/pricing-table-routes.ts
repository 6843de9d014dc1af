import { Type } from '../../lib/type.ts'
import {
  addonPricingTable,
  checkTableQuery,
  pricingOfAddons,
  pricingTable,
  tableState,
} from './pricing-table.ts'
import { readOperation } from '../../http/operation.ts'
import { IdText } from '../../http/wire.ts'
import { AddonId } from '../../catalogue/addons/schema.ts'
import {
  AddonTableQuery,
  PlanOfTable,
  PricingTable,
  TableFilter,
  TableQuery,
} from './pricing-table-schema.ts'

const scopes = ['product', 'developer', 'store'] as const

export const pricingTableOperations = [
  readOperation({
    id: 'products/retrieve-pricing-table-data',
    summary: 'Retrieve all that a pricing page shows',
    method: 'GET',
    path: '/pricing.json',
    scopes,
    caller: 'public',
    isForPages: true,
    access: 'catalogue.read',
    query: TableQuery,
    status: 200,
    response: PricingTable,
    check: (_, { query }, problems) => checkTableQuery(query, problems),
    state: (ctx, { scope, query }) => tableState(ctx, scope, query),
    handle: (ctx, { query }, shown) => pricingTable(ctx, query, shown),
  }),
  readOperation({
    id: 'keywright/list-addon-pricing',
    summary: 'List the plans of all add-ons with prices and features',
    method: 'GET',
    path: '/addons/pricing.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: TableFilter,
    status: 200,
    response: Type.Object({
      addons: Type.Array(Type.Object({ id: IdText(), plans: Type.Array(PlanOfTable) })),
    }),
    handle: async (ctx, { scope, query }) => ({ addons: await pricingOfAddons(ctx, scope, query) }),
  }),
  readOperation({
    id: 'keywright/retrieve-addon-pricing',
    summary: 'Retrieve all that a pricing page of an add-on shows',
    method: 'GET',
    path: '/addons/{addon_id}/pricing.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    params: AddonId,
    query: AddonTableQuery,
    status: 200,
    response: PricingTable,
    handle: (ctx, { scope, params, query }) => addonPricingTable(ctx, scope, params.addon_id, query),
  }),
]
