import { Type } from 'typebox'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Choice, Fields, Paging } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import {
  checkPricingClone,
  checkPricingCreate,
  clonePricing,
  createPricing,
  deletePricing,
  getCurrencies,
  getPricing,
  getPricingOfPlan,
  updatePricing,
} from './pricing.ts'
import {
  CurrencyFilter,
  presentPricing,
  Pricing,
  PricingClone,
  PricingCreate,
  PricingId,
  PricingUpdate,
} from './pricing-schema.ts'
import { PlanId } from './schema.ts'

const scopes = ['product', 'developer', 'store'] as const
const One = Type.Object({ pricing: Pricing })
const List = Type.Object({ pricing: Type.Array(Pricing) })

export const pricingOperations = [
  readOperation({
    id: 'plans/list-currencies',
    summary: 'List the currencies in which a product has prices',
    method: 'GET',
    path: '/plans/currencies.json',
    scopes,
    access: 'public',
    status: 200,
    response: Type.Object({ currencies: Type.Array(Choice(CURRENCIES)) }),
    handle: async (ctx, { scope }) => ({ currencies: await getCurrencies(ctx, scope) }),
  }),
  readOperation({
    id: 'plans/list-s-pricing',
    summary: 'List the prices of a plan by number of licenses',
    method: 'GET',
    path: '/plans/{plan_id}/pricing.json',
    scopes,
    access: 'public',
    params: PlanId,
    query: Arguments({ ...CurrencyFilter, ...Paging, ...Fields }),
    status: 200,
    response: List,
    items: 'pricing',
    handle: async (ctx, { scope, params, query }) => ({
      pricing: await getPricingOfPlan(ctx, scope, params.plan_id, query),
    }),
  }),
  readOperation({
    id: 'plans/retrieve-pricing',
    summary: 'Retrieve a price of a plan',
    method: 'GET',
    path: '/plans/{plan_id}/pricing/{pricing_id}.json',
    scopes,
    access: 'public',
    params: PricingId,
    query: Arguments(Fields),
    status: 200,
    response: One,
    items: 'pricing',
    handle: async (ctx, { scope, params }) => ({
      pricing: presentPricing(await getPricing(ctx, scope, params)),
    }),
  }),
  writeOperation({
    id: 'plans/create-pricing',
    summary: 'Add a price to a plan',
    method: 'POST',
    path: '/plans/{plan_id}/pricing.json',
    scopes: ['developer'],
    params: PlanId,
    query: Arguments({ ...CurrencyFilter, ...Fields }),
    body: PricingCreate,
    status: 200,
    response: One,
    items: 'pricing',
    emits: ['pricing.created'],
    refuses: ['pricing_licenses_taken'],
    check: (_, { body }, problems) => checkPricingCreate(body, problems),
    handle: async (ctx, { scope, params, query, body }) => ({
      pricing: await createPricing(ctx, scope, params.plan_id, { ...query, ...body }),
    }),
  }),
  writeOperation({
    id: 'plans/update-pricing',
    summary: 'Update a price, or move it to another plan',
    method: 'PUT',
    path: '/plans/{plan_id}/pricing/{pricing_id}.json',
    scopes: ['developer'],
    params: PricingId,
    query: Arguments(Fields),
    body: PricingUpdate,
    status: 200,
    response: One,
    items: 'pricing',
    emits: ['pricing.updated'],
    refuses: ['pricing_in_use', 'pricing_licenses_taken'],
    handle: async (ctx, { scope, params, body }) => ({
      pricing: await updatePricing(ctx, scope, params, body),
    }),
  }),
  writeOperation({
    id: 'plans/delete-s-pricing',
    summary: 'Delete a price that nothing holds',
    method: 'DELETE',
    path: '/plans/{plan_id}/pricing/{pricing_id}.json',
    scopes: ['developer'],
    params: PricingId,
    status: 204,
    emits: ['pricing.deleted'],
    refuses: ['pricing_in_use'],
    handle: (ctx, { scope, params }) => deletePricing(ctx, scope, params),
  }),
  writeOperation({
    id: 'plans/clone-pricing-other-currency',
    summary: 'Copy the prices of a plan into another currency',
    method: 'POST',
    path: '/plans/{plan_id}/pricing/clone.json',
    scopes,
    params: PlanId,
    body: PricingClone,
    status: 201,
    response: List,
    emits: ['pricing.created'],
    check: (_, { body }, problems) => checkPricingClone(body, problems),
    handle: async (ctx, { scope, params, body }) => ({
      pricing: await clonePricing(ctx, scope, params.plan_id, body),
    }),
  }),
]
