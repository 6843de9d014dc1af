import { transaction } from '../../src/context.ts'
import type { SellerApp } from './seller.ts'
import { day, money, sitesOf, type Calls, type Questions, type Row } from './asking.ts'

/** What is asked about plans, coupons, reviews, versions and the clock. */
export async function questionsOfCatalogue({ ctx: { db } }: SellerApp, call: Calls): Promise<Questions> {
  const { plans } = await call('GET', 'plans.json')
  const plan = plans.at(-1)
  const { pricing } = await call('GET', `plans/${plan.id}/pricing.json`)
  const price = pricing.find((one: Row) => one['licenses'] === 1 && one['currency'] === 'usd')
  const { features } = await call('GET', 'features.json')
  const [feature] = features
  const values = db.selectFrom('feature_values').select('id').where('feature_id', '=', Number(feature.id))
  const { length: given } = await values.execute()
  const coupon = await call('GET', 'coupons/1.json?is_enriched=true')
  const review = await call('GET', 'reviews/1.json')
  const version = await call('GET', 'tags/5.json')
  const { due } = await call('GET', 'sandbox/due.json?count=50')
  const { now } = await call('GET', 'sandbox/clock.json')
  const inAYear = `${Number(now.slice(0, 4)) + 1}${now.slice(4)}`
  const dueThen = due.filter(({ at }: Row) => at <= inAYear).length
  return {
    'pages/plans/EditPlan.tsx texts.removePlan': [
      {
        path: 'plans',
        by: `Remove plan: ${plan.title}`,
        says: [`Prices that go with it: ${pricing.length}.`],
        typed: plan.title,
        act: 'Remove plan',
      },
    ],
    'pages/plans/Prices.tsx texts.removePrice': [
      {
        path: 'plans',
        by: 'Remove price: 1 site, USD',
        says: [`${plan.title}, 1 site, USD: `, `Yearly ${money(price.annual_price, 'usd')}`],
        act: 'Remove price',
      },
    ],
    'pages/plans/FeatureRows.tsx words.remove': [
      {
        path: 'plans',
        by: `Remove feature: ${feature.title}`,
        says: [`Plans that give it: ${given} of ${plans.length}.`],
        ...(given > 1 && { typed: feature.title }),
        act: 'Remove feature',
      },
    ],
    'pages/coupons/Coupon.tsx texts.removeCoupon': [
      {
        path: 'coupons/1',
        by: 'Remove coupon',
        says: [`Used so far: ${coupon['redemptions']}.`],
        act: 'Remove coupon',
      },
    ],
    'pages/reviews/Review.tsx texts.removeReview': [
      {
        path: 'reviews/1',
        by: 'Remove review',
        says: [`What ${review['name']} said (${review['rate']} of 100)`],
        act: 'Remove review',
      },
    ],
    'pages/versions/Version.tsx texts.deleteVersion': [
      {
        path: 'versions/5',
        by: 'Delete version',
        says: [`Version ${version['version']}`, `${version['uniques']} users have downloaded it`],
        act: 'Delete version',
      },
    ],
    'pages/sandbox/Move.tsx texts.moveClock': [
      {
        path: 'sandbox?mode=test',
        by: '+1 year',
        says: [dueThen === 0 ? 'Nothing falls due' : `${dueThen} things`],
        act: 'Move the clock',
      },
    ],
  }
}

/** A license on several sites that renews, and an install of another one. */
async function licensesOf({ ctx, demo: { productId } }: SellerApp) {
  const { db } = ctx
  const { id, user_id } = await db
    .selectFrom('licenses')
    .innerJoin('subscriptions', 'subscriptions.license_id', 'licenses.id')
    .select(['licenses.id', 'licenses.user_id'])
    .where('licenses.product_id', '=', productId)
    .where('licenses.environment', '=', 0)
    .where('licenses.is_cancelled', '=', false)
    .where('licenses.activated', '=', 1)
    .where('subscriptions.canceled_at', 'is', null)
    .where('subscriptions.next_payment', 'is not', null)
    .executeTakeFirstOrThrow()
  const other = await db
    .selectFrom('installs')
    .select(['id', 'uid', 'license_id'])
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .where('license_id', '<>', id)
    .executeTakeFirstOrThrow()
  // It is found by its uid among the installs of its owner alone.
  await transaction(ctx, async (tx) => {
    await tx.db.updateTable('licenses').set({ activated: 3 }).where('id', '=', id).execute()
    await tx.db.updateTable('installs').set({ user_id: Number(user_id) }).where('id', '=', other.id).execute()
  })
  return { id, other }
}

/** What is asked about licenses, and what is paid for them. */
export async function questionsOfSales(app: SellerApp, call: Calls): Promise<Questions> {
  const { id, other } = await licensesOf(app)
  const { title: typed } = await call('GET', `/products/${app.demo.productId}.json`)
  const license = await call('GET', `licenses/${id}.json`)
  const renewal = await call('GET', `licenses/${id}/subscription.json`)
  const duePayment = (one: Row) =>
    `${money(one['renewal_amount'], one['currency'])}, due on ${day(one['next_payment'])},`
  const payment = await call('GET', 'payments/1.json')
  const paidFor = await call('GET', `licenses/${payment['license_id']}.json`)
  const paid = money(payment['gross'] + payment['vat'], payment['currency'])
  const { trials } = await call('GET', 'trials.json?count=50')
  const trial = trials.find((one: Row) => one['state'] === 'running' && one['install_id'] !== null)
  const filter = encodeURIComponent(JSON.stringify({ user_id: 1 }))
  const countOf = async (kind: string) =>
    (await call('GET', `list_total.json?kind=${kind}&filter=${filter}`))['total'] as number
  const hit = [
    `licenses ${await countOf('licenses')}`,
    `subscriptions ${await countOf('subscriptions')}`,
    `payments that are kept ${await countOf('payments')}`,
  ].join(', ')
  return {
    'pages/licenses/Ending.tsx texts.deactivateAll': [
      {
        path: `licenses/${id}`,
        by: 'Deactivate everywhere',
        says: [`off ${sitesOf(license)}.`],
        typed,
        act: 'Deactivate everywhere',
      },
    ],
    'pages/licenses/Ending.tsx texts.cancelLicense': [
      {
        path: `licenses/${id}`,
        by: 'Cancel license',
        says: [`on ${sitesOf(license)}.`, duePayment(renewal)],
        typed,
        act: 'Cancel license',
      },
    ],
    'pages/licenses/ReplaceLicenseKey.tsx texts.replaceLicenseKey': [
      { path: `licenses/${id}`, by: 'Replace the key', says: [sitesOf(license)], act: 'Replace the key' },
    ],
    'pages/payments/RefundPayment.tsx texts.refundTitle': [
      {
        path: 'payments/1',
        by: 'Refund',
        says: ['Nothing is left of the payment', `on ${sitesOf(paidFor)}.`],
        act: `Refund ${paid}`,
      },
    ],
    'pages/subscriptions/Deeds.tsx …': [
      {
        path: 'subscriptions/1',
        by: 'Cancel subscription',
        says: [duePayment(await call('GET', 'subscriptions/1.json'))],
        act: 'Cancel subscription',
      },
    ],
    'pages/trials/Trial.tsx texts.endTrial': [
      {
        path: `trials/${trial.id}`,
        by: 'End trial',
        says: [`not on ${day(trial.trial_ends_at)}`],
        act: 'End trial',
      },
    ],
    'pages/customers/PersonData.tsx texts.erasePerson': [
      { path: 'customers/1', by: 'Erase this customer', says: [hit], act: 'Erase this customer' },
    ],
    'pages/explain/Mend.tsx title': [
      {
        path: `explain?license=${id}&uid=${other.uid}`,
        by: `Deactivate license #${other.license_id} there`,
        says: [`#${other.license_id} is taken off install #${other.id} alone`],
        act: `Deactivate license #${other.license_id} there`,
      },
    ],
  }
}
