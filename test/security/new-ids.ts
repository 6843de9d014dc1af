import { transaction } from '../../src/context.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { createOffer } from '../catalogue.ts'
import { createCoupons } from '../coupons.ts'
import { freshIds, isFresh } from './fresh.ts'
import { parametersOf } from './requests.ts'
import { createAccount } from './of-account.ts'
import { createOpinion, createPerson, type Ids, type World } from './world.ts'

let offers = 0

/** What the address of a write names, made for it; of a new user with this address where it names one. */
export async function newIds(world: World, mount: Mount, email: string): Promise<Ids> {
  const { seller, ids, ctx, send } = world
  const names = parametersOf(mount.path)
  const isNamed = (...some: string[]) => some.some((name) => names.includes(name))
  const newcomer = async () => (await createPerson(send, seller.product, email)).id
  // To an add-on its user is somebody new once.
  if (mount.op.id === 'keywright/create-addon-install') return freshIds(world, mount.op, await newcomer())
  if (isFresh(mount.op)) return freshIds(world, mount.op)
  const user = mount.kind !== 'user' && isNamed('user_id') ? { user_id: String(await newcomer()) } : {}
  const isAccount = isNamed('member_id', 'bank_account_id', 'token_id')
  const account = isAccount ? await createAccount(ctx, seller, seller.product) : {}
  const isOffer = isNamed('plan_id', 'pricing_id', 'feature_id', 'review_id')
  const offer = isOffer ? await newOffer(world) : {}
  return { ...ids.own, ...account, ...(await newCoupons(world, mount)), ...offer, ...user }
}

/** Coupons of their own; what a coupon is to become it is not yet. */
async function newCoupons({ seller, ctx }: World, { op }: Mount): Promise<Ids> {
  if (!op.id.includes('coupons')) return {}
  const { developer, store, product } = seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  const isSpecial = op.id !== 'coupons/create-special'
  return transaction(ctx, (tx) => createCoupons(tx, owner, { isSpecial }))
}

/** A plan of its own, with a price and a feature. */
function newOffer({ seller, ctx }: World): Promise<Ids> {
  const { developer, product } = seller
  const owner = { developerId: developer.id, productId: product.id }
  return transaction(ctx, async (tx) => {
    const { planId, pricingId, featureId } = await createOffer(tx, owner, `offer-${++offers}`)
    const reviewId = await createOpinion(tx, owner)
    return {
      plan_id: String(planId),
      pricing_id: String(pricingId),
      feature_id: String(featureId),
      review_id: reviewId,
    }
  })
}
