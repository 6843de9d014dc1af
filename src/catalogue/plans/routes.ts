import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { Plan, PlanCreate, PlanId, PlanOrder, PlanUpdate, presentPlan } from './schema.ts'
import { orderPlans } from './plan-order.ts'
import { checkPlanCreate, createPlan, deletePlan, getPlan, getPlans, updatePlan } from './service.ts'

const withUser = ['product', 'developer', 'store', 'user'] as const

const Plans = Type.Object({ plans: Type.Array(Plan) })

const update = {
  path: '/plans/{plan_id}.json',
  scopes: ['developer'],
  params: PlanId,
  query: Arguments(Fields),
  body: PlanUpdate,
  status: 200,
  response: Plan,
  emits: ['plan.updated'],
} as const

export const planOperations = [
  readOperation({
    id: 'plans/list',
    summary: 'List the plans of a product, the default one first',
    method: 'GET',
    path: '/plans.json',
    scopes: withUser,
    caller: 'public',
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: Plans,
    items: 'plans',
    handle: async (ctx, { scope }) => ({ plans: await getPlans(ctx, scope) }),
  }),
  readOperation({
    id: 'plans/retrieve',
    summary: 'Retrieve a plan',
    method: 'GET',
    path: '/plans/{plan_id}.json',
    scopes: withUser,
    caller: 'public',
    access: 'catalogue.read',
    params: PlanId,
    query: Arguments(Fields),
    status: 200,
    response: Plan,
    handle: async (ctx, { scope, params }) => presentPlan(await getPlan(ctx, scope, params.plan_id)),
  }),
  writeOperation({
    id: 'plans/create',
    summary: 'Create a plan, last in the order of the product',
    method: 'POST',
    path: '/plans.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    query: Arguments(Fields),
    body: PlanCreate,
    status: 200,
    response: Plan,
    emits: ['plan.created'],
    refuses: ['plan_name_taken'],
    check: (_, { body }, problems) => checkPlanCreate(body, problems),
    handle: (ctx, { scope, body }) => createPlan(ctx, scope, body),
  }),
  writeOperation({
    id: 'keywright/order-plans',
    summary: 'Put all plans of a product in an order',
    method: 'PUT',
    path: '/plans/order.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    query: Arguments(Fields),
    body: PlanOrder,
    status: 200,
    response: Plans,
    items: 'plans',
    emits: ['plan.updated'],
    refuses: ['plan_order_mismatch'],
    handle: async (ctx, { scope, body }) => ({ plans: await orderPlans(ctx, scope, body) }),
  }),
  writeOperation({
    ...update,
    id: 'plans/update',
    summary: 'Update a plan',
    method: 'PUT',
    access: 'catalogue.write',
    refuses: ['plan_name_taken'],
    handle: (ctx, { scope, params, body }) => updatePlan(ctx, scope, params.plan_id, body),
  }),
  writeOperation({
    ...update,
    id: 'plans/update-by-post',
    summary: 'Update a plan, as the specification names the method',
    method: 'POST',
    access: 'catalogue.write',
    refuses: ['plan_name_taken'],
    handle: (ctx, { scope, params, body }) => updatePlan(ctx, scope, params.plan_id, body),
  }),
  writeOperation({
    id: 'plans/delete',
    summary: 'Delete a plan that nothing holds, with its prices',
    method: 'DELETE',
    path: '/plans/{plan_id}.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    params: PlanId,
    status: 204,
    emits: ['plan.deleted', 'pricing.deleted'],
    refuses: ['plan_in_use'],
    handle: (ctx, { scope, params }) => deletePlan(ctx, scope, params.plan_id),
  }),
]
