import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { LICENSE } from './license.entity.ts'
import type { LicenseRow } from './schema.ts'
import { issueUnlessTaken } from './service.ts'
import { addKnownUser } from '../../people/users/create.ts'
import { holdLicense } from '../activation/license-on-install-rows.ts'
import { emailOfPerson, planName, plansOfMember } from './child-license-queries.ts'
import { findChildLicense, pricesOf } from './child-license-rows.ts'

/** What a user is created with that a license brings along. */
export const NEW_USER = {
  is_verified: false,
  send_verification_email: false,
  is_migration: false,
  source: 'freemius',
} as const

/**
 * The license that a bundle's license opens in one of its products: the one it has, or one that is issued now
 * with its owner, quota, end and rules; of any number of calls at once one issues it (the unique index decides).
 * The bundle's is held before one is issued, so that none is left out when it is changed, cancelled or erased. 404
 * when it is erased by now; 400 `license_error` when the product is not in the bundle, or has nothing for sale.
 */
export async function childLicense(
  ctx: TxContext,
  scope: Scope,
  bundle: LicenseRow,
  productId: number,
): Promise<LicenseRow> {
  const known = await findChildLicense(ctx.db, bundle.id, productId)
  if (known) return known
  const parent = await holdLicense(ctx.db, bundle.id)
  if (!parent) throw notFound('license')
  const sold = await soldAs(ctx, parent, productId)
  const within = { ...scope, productId }
  if (parent.user_id !== null) await makeUser(ctx, within, parent.user_id)
  const issued = await issueUnlessTaken(ctx, within, {
    ...LICENSE.givenOf(parent),
    plan_id: sold.planId,
    pricing_id: sold.pricingId,
    parent_license_id: parent.id,
    is_trial: parent.is_trial,
    is_cancelled: parent.is_cancelled,
    environment: parent.environment,
  })
  const child = issued ?? (await findChildLicense(ctx.db, parent.id, productId))
  if (!child) throw notFound('license')
  return child
}

/** Makes a person a user of the scope's product, if it is none yet. */
export async function makeUser(ctx: TxContext, scope: Scope, userId: number): Promise<void> {
  const email = await emailOfPerson(ctx.db, userId)
  if (email === undefined) throw new Error('The owner of a license is there.')
  await addKnownUser(ctx, scope, { ...NEW_USER, email })
}

interface SoldAs {
  readonly planId: number
  readonly pricingId: number | null
}

/** The plan of the same name, or else the product's last; the price of as many installs, or else its first. */
async function soldAs(ctx: ReadContext, parent: LicenseRow, productId: number): Promise<SoldAs> {
  const plans = await plansOfMember(ctx.db, parent.product_id, productId)
  const name = await planName(ctx.db, parent.plan_id)
  const plan = plans.find((one) => one.name === name) ?? inOrderOf(plans[0]?.plan_order ?? '', plans).at(-1)
  if (!plan) throw invalid('license_error', 'This license does not open this product.')
  const prices = await pricesOf(ctx.db, plan.id)
  const price = prices.find(({ licenses }) => licenses === parent.quota) ?? prices[0]
  return { planId: plan.id, pricingId: price?.id ?? null }
}
