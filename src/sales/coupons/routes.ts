import { Type } from '../../lib/type.ts'
import { deleteCoupon } from './delete-coupon.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { CouponCreate, CouponUpdate } from './input-schema.ts'
import {
  Coupon,
  CouponId,
  CouponList,
  ListedCoupon,
  CouponRead,
  presentCoupon,
  presentEnriched,
} from './schema.ts'
import {
  checkCreate,
  checkUpdate,
  createCoupon,
  getCoupon,
  getCoupons,
  updateCoupon,
  totalOfCoupons,
} from './service.ts'
import { CouponEntity, SpecialId, SpecialList } from './special-schema.ts'
import { endSpecial, getSpecial, makeSpecial } from './special.ts'
import { storeCouponOperations } from './store-routes.ts'

const scopes = ['product', 'developer', 'store'] as const

const special: readonly AnyOperation[] = [
  readOperation({
    id: 'coupons/retrieve-special',
    summary: 'List the special coupons of a product',
    method: 'GET',
    path: '/coupons/special.json',
    scopes,
    access: 'catalogue.read',
    query: SpecialList,
    status: 200,
    response: Type.Object({ coupon_entities: Type.Array(CouponEntity) }),
    items: 'coupon_entities',
    handle: async (ctx, { scope, query }) => ({ coupon_entities: await getSpecial(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'coupons/create-special',
    summary: 'Give a coupon a special purpose, in the place of the coupon that had it',
    method: 'PUT',
    path: '/coupons/{coupon_id}/special/{special_id}.json',
    scopes,
    access: 'catalogue.write',
    params: SpecialId,
    status: 201,
    response: CouponEntity,
    emits: ['coupon.updated'],
    handle: (ctx, { scope, params }) => makeSpecial(ctx, scope, params),
  }),
  writeOperation({
    id: 'coupons/delete-special',
    summary: 'End the special purpose of a coupon',
    method: 'DELETE',
    path: '/coupons/{coupon_id}/special/{special_id}.json',
    scopes,
    access: 'catalogue.write',
    params: SpecialId,
    status: 204,
    emits: ['coupon.updated'],
    handle: (ctx, { scope, params }) => endSpecial(ctx, scope, params),
  }),
]

export const couponOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'coupons/list',
    summary: 'List the coupons of a product and those of its store, newest first',
    method: 'GET',
    path: '/coupons.json',
    scopes,
    access: 'catalogue.read',
    query: CouponList,
    status: 200,
    response: Type.Object({ coupons: Type.Array(ListedCoupon) }),
    items: 'coupons',
    total: (ctx, { scope, query }) => totalOfCoupons(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ coupons: await getCoupons(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'coupons/create',
    summary: 'Create a coupon',
    method: 'POST',
    path: '/coupons.json',
    scopes,
    access: 'catalogue.write',
    body: CouponCreate,
    status: 201,
    response: Coupon,
    emits: ['coupon.created'],
    check: (ctx, { scope, body }, problems) => checkCreate(ctx, scope, body, problems),
    handle: (ctx, { scope, body }) => createCoupon(ctx, scope, body),
  }),
  readOperation({
    id: 'coupons/retrieve',
    summary: 'Retrieve a coupon',
    method: 'GET',
    path: '/coupons/{coupon_id}.json',
    scopes,
    access: 'catalogue.read',
    params: CouponId,
    query: CouponRead,
    status: 200,
    response: ListedCoupon,
    handle: async (ctx, { scope, params, query }) => {
      const coupon = await getCoupon(ctx, scope, params.coupon_id)
      return query.is_enriched ? presentEnriched(coupon) : presentCoupon(coupon)
    },
  }),
  writeOperation({
    id: 'coupons/update',
    summary: 'Update a coupon',
    method: 'PUT',
    path: '/coupons/{coupon_id}.json',
    scopes,
    access: 'catalogue.write',
    params: CouponId,
    body: CouponUpdate,
    status: 200,
    response: Coupon,
    emits: ['coupon.updated'],
    check: (ctx, { scope, params, body }, problems) =>
      checkUpdate(ctx, scope, { id: params.coupon_id, body }, problems),
    handle: (ctx, { scope, params, body }) => updateCoupon(ctx, scope, params.coupon_id, body),
  }),
  writeOperation({
    id: 'coupons/delete',
    summary: 'Delete a coupon; payments can still name it',
    method: 'DELETE',
    path: '/coupons/{coupon_id}.json',
    scopes,
    access: 'catalogue.write',
    params: CouponId,
    status: 204,
    emits: ['coupon.deleted'],
    handle: (ctx, { scope, params }) => deleteCoupon(ctx, scope, params.coupon_id),
  }),
  ...special,
  ...storeCouponOperations,
]
