import { Type } from '../../lib/type.ts'
import { deleteCoupon } from './delete-coupon.ts'
import { keepStore } from '../../catalogue/stores/delete-store.ts'
import { storeCoupons } from './store-coupons.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { CouponCreate, CouponUpdate } from './input-schema.ts'
import { Coupon, CouponList, ListedCoupon, presentCoupon, StoreCouponId, StoreId } from './schema.ts'
import { checkCreate, checkUpdate, createCoupon, getCoupon, getCoupons, updateCoupon } from './service.ts'

/** Where the coupons of a store stand: under its developer, and under itself. */
interface Place {
  readonly kind: 'account' | 'store_account'
  readonly path: string
  /** What the ids say of it. */
  readonly of: string
}

const onCoupons = ({ kind, path, of }: Place): readonly AnyOperation[] => [
  readOperation({
    id: `keywright/coupons-of-${of}-list`,
    summary: 'List the coupons of a store, newest first',
    method: 'GET',
    path: `${path}/coupons.json`,
    scopes: [kind],
    access: 'catalogue.read',
    params: StoreId,
    query: CouponList,
    status: 200,
    response: Type.Object({ coupons: Type.Array(ListedCoupon) }),
    items: 'coupons',
    handle: async (ctx, { scope, params, query }) => ({
      coupons: await getCoupons(ctx, await storeCoupons(ctx, scope, params.store_id), query),
    }),
  }),
  writeOperation({
    id: `keywright/coupons-of-${of}-create`,
    summary: 'Create a coupon for all products of a store',
    method: 'POST',
    path: `${path}/coupons.json`,
    scopes: [kind],
    access: 'catalogue.write',
    params: StoreId,
    body: CouponCreate,
    status: 201,
    response: Coupon,
    emits: ['coupon.created'],
    check: async (ctx, { scope, params, body }, problems) => {
      if (problems.has('store_id')) return
      await checkCreate(ctx, await storeCoupons(ctx, scope, params.store_id), body, problems)
    },
    async handle(ctx, { scope, params, body }) {
      await keepStore(ctx, scope, params.store_id)
      return createCoupon(ctx, await storeCoupons(ctx, scope, params.store_id), body)
    },
  }),
]

const onOneCoupon = ({ kind, path, of }: Place): readonly AnyOperation[] => [
  readOperation({
    id: `keywright/coupons-of-${of}-retrieve`,
    summary: 'Retrieve a coupon of a store',
    method: 'GET',
    path: `${path}/coupons/{coupon_id}.json`,
    scopes: [kind],
    access: 'catalogue.read',
    params: StoreCouponId,
    status: 200,
    response: Coupon,
    handle: async (ctx, { scope, params }) =>
      presentCoupon(await getCoupon(ctx, await storeCoupons(ctx, scope, params.store_id), params.coupon_id)),
  }),
  writeOperation({
    id: `keywright/coupons-of-${of}-update`,
    summary: 'Update a coupon of a store',
    method: 'PUT',
    path: `${path}/coupons/{coupon_id}.json`,
    scopes: [kind],
    access: 'catalogue.write',
    params: StoreCouponId,
    body: CouponUpdate,
    status: 200,
    response: Coupon,
    emits: ['coupon.updated'],
    check: async (ctx, { scope, params, body }, problems) => {
      if (problems.has('store_id')) return
      const owner = await storeCoupons(ctx, scope, params.store_id)
      await checkUpdate(ctx, owner, { id: params.coupon_id, body }, problems)
    },
    handle: async (ctx, { scope, params, body }) =>
      updateCoupon(ctx, await storeCoupons(ctx, scope, params.store_id), params.coupon_id, body),
  }),
  writeOperation({
    id: `keywright/coupons-of-${of}-delete`,
    summary: 'Delete a coupon of a store; payments can still name it',
    method: 'DELETE',
    path: `${path}/coupons/{coupon_id}.json`,
    scopes: [kind],
    access: 'catalogue.write',
    params: StoreCouponId,
    status: 204,
    emits: ['coupon.deleted'],
    handle: async (ctx, { scope, params }) =>
      deleteCoupon(ctx, await storeCoupons(ctx, scope, params.store_id), params.coupon_id),
  }),
]

const PLACES: readonly Place[] = [
  { kind: 'account', path: '/stores/{store_id}', of: 'store' },
  { kind: 'store_account', path: '', of: 'own-store' },
]

/** Coupons of a store, which count for all its products. */
export const storeCouponOperations: readonly AnyOperation[] = PLACES.flatMap((place) => [
  ...onCoupons(place),
  ...onOneCoupon(place),
])
