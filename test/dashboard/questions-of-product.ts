import assert from 'node:assert/strict'
import { transaction } from '../../src/context.ts'
import { day, listOf, money, question, sitesOf, type Calls, type Questions, type Told } from './asking.ts'
import { payWithCard, PRICED } from './paying.ts'
import type { SellerApp } from './seller.ts'

/** What is asked about plans, prices and what plans give. */
export async function questionsOfPlans({ ctx: { db } }: SellerApp, call: Calls): Promise<Questions> {
  const plans = listOf(await call('GET', 'plans.json'), 'plans')
  const { id, title } = plans.at(-1) ?? assert.fail('no plan')
  // More than a list has at a time.
  for (let licenses = 100; licenses < 150; licenses++)
    await call('POST', `plans/${id}/pricing.json`, { licenses, currency: 'usd', annual_price: 999 })
  const { length: count } = await db
    .selectFrom('pricing')
    .select('id')
    .where('plan_id', '=', Number(id))
    .execute()
  const prices = listOf(await call('GET', `plans/${id}/pricing.json`), 'pricing')
  const { annual_price: yearly } =
    prices.find((one) => one.licenses === 1 && one.currency === 'usd') ?? assert.fail('no price')
  const feature = listOf(await call('GET', 'features.json'), 'features')[0] ?? assert.fail('no feature')
  const values = db.selectFrom('feature_values').select('id').where('feature_id', '=', Number(feature.id))
  const { length: given } = await values.execute()
  return {
    'pages/plans/EditPlan.tsx texts.removePlan': [
      question('plans', `Remove plan: ${title}`, [`Prices that go with it: ${count}.`], {
        typed: title,
        act: 'Remove plan',
      }),
    ],
    'pages/plans/Prices.tsx texts.removePrice': [
      question(
        'plans',
        'Remove price: 1 site, USD',
        [`${title}, 1 site, USD: `, `Yearly ${money(yearly, 'usd')}`],
        { act: 'Remove price' },
      ),
    ],
    'pages/plans/FeatureRows.tsx words.remove': [
      question(
        'plans',
        `Remove feature: ${feature.title}`,
        [`Plans that give it: ${given} of ${plans.length}.`],
        { ...(given > 1 && { typed: feature.title }), act: 'Remove feature' },
      ),
    ],
  }
}

/** What is asked about coupons, reviews, versions and the clock. */
export async function questionsOfCatalogue(call: Calls): Promise<Questions> {
  const coupon = await call('GET', 'coupons/1.json?is_enriched=true')
  const review = await call('GET', 'reviews/1.json')
  const version = await call('GET', 'tags/5.json')
  const due = listOf(await call('GET', 'sandbox/due.json?count=50'), 'due')
  const { now } = await call('GET', 'sandbox/clock.json')
  const inAYear = `${Number(now.slice(0, 4)) + 1}${now.slice(4)}`
  const dueThen = due.filter(({ at }) => at <= inAYear).length
  return {
    'pages/coupons/Coupon.tsx texts.removeCoupon': [
      question('coupons/1', 'Remove coupon', [`Used so far: ${coupon.redemptions}.`]),
    ],
    'pages/reviews/Review.tsx texts.removeReview': [
      question('reviews/1', 'Remove review', [`What ${review.name} said (${review.rate} of 100)`]),
    ],
    'pages/versions/Version.tsx texts.deleteVersion': [
      question('versions/5', 'Delete version', [
        `Version ${version.version} `,
        `${version.uniques} users have downloaded it`,
      ]),
    ],
    'pages/sandbox/Move.tsx texts.moveClock': [
      question('sandbox?mode=test', '+1 year', [`${dueThen} things`], { act: 'Move the clock' }),
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
    await tx.db
      .updateTable('installs')
      .set({ user_id: Number(user_id) })
      .where('id', '=', other.id)
      .execute()
  })
  return { id, other }
}

const duePayment = (one: Told) => `$63.20 without tax, due on ${day(one.next_payment)},`

/** How much of the product there is of a customer, and in how many others, in the words of the page. */
async function hitWith(user: number, call: Calls): Promise<readonly string[]> {
  const filter = encodeURIComponent(JSON.stringify({ user_id: user }))
  const count = async (kind: string) =>
    (await call('GET', `list_total.json?kind=${kind}&filter=${filter}`)).total
  const [licenses, subscriptions] = [await count('licenses'), await count('subscriptions')]
  const payments = await count('payments')
  const others = listOf(await call('GET', '/products.json'), 'plugins').length - 1
  return [
    `licenses ${licenses}, subscriptions ${subscriptions}, payments that are kept ${payments}.`,
    `in your other products (${others}) ends`,
  ]
}

/** What is asked about licenses and customers. */
export async function questionsOfLicenses(app: SellerApp, call: Calls): Promise<Questions> {
  const { id, other } = await licensesOf(app)
  const { title: typed } = await call('GET', `/products/${app.demo.productId}.json`)
  const license = await call('GET', `licenses/${id}.json`)
  const renewal = await call('GET', `licenses/${id}/subscription.json`)
  await payWithCard(app, Number(renewal.id), PRICED)
  const path = `licenses/${id}`
  const mend = `Deactivate license #${other.license_id} there`
  return {
    'pages/licenses/Ending.tsx texts.deactivateAll': [
      question(path, 'Deactivate everywhere', [`off ${sitesOf(license)}.`], { typed }),
    ],
    'pages/licenses/Ending.tsx texts.cancelLicense': [
      question(path, 'Cancel license', [`on ${sitesOf(license)}.`, duePayment(renewal)], { typed }),
    ],
    'pages/licenses/ReplaceLicenseKey.tsx texts.replaceLicenseKey': [
      question(path, 'Replace the key', [sitesOf(license)]),
    ],
    'pages/customers/PersonData.tsx texts.erasePerson': [
      question('customers/1', 'Erase this customer', await hitWith(1, call)),
    ],
    'pages/explain/Mend.tsx title': [
      question(`explain?license=${id}&uid=${other.uid}`, mend, [
        `#${other.license_id} is taken off install #${other.id} alone`,
      ]),
    ],
  }
}

const lastingCoupon = async ({ ctx, demo: { productId } }: SellerApp) => {
  const all = ctx.db.selectFrom('coupons').select('id').where('product_id', '=', productId)
  const lasting = all.where('has_renewals_discount', '=', true).where('discount_type', '=', 'percentage')
  return (await lasting.executeTakeFirstOrThrow()).id
}

/** What is asked about what is paid. */
export async function questionsOfSales(app: SellerApp, call: Calls): Promise<Questions> {
  const payment = await call('GET', 'payments/1.json')
  const paidFor = await call('GET', `licenses/${payment.license_id}.json`)
  const paid = money(payment.gross + payment.vat, payment.currency)
  await payWithCard(app, 1, PRICED)
  await call('PUT', `coupons/${await lastingCoupon(app)}/special/subscription_cancellation.json`)
  const subscription = await call('GET', 'subscriptions/1.json')
  const trials = listOf(await call('GET', 'trials.json?count=50'), 'trials')
  const trial =
    trials.find((one) => one.state === 'running' && one.install_id !== null) ?? assert.fail('no trial')
  return {
    'pages/payments/RefundPayment.tsx texts.refundTitle': [
      question('payments/1', 'Refund', ['Nothing is left of the payment', `on ${sitesOf(paidFor)}.`], {
        act: `Refund ${paid}`,
      }),
    ],
    'pages/subscriptions/Deeds.tsx …': [
      question('subscriptions/1', 'Discount renewals', ['in place of $63.20, without tax.']),
    ],
    'pages/subscriptions/Deeds.tsx texts.cancelSubscription': [
      question('subscriptions/1', 'Cancel subscription', [duePayment(subscription)]),
    ],
    'pages/trials/Trial.tsx texts.endTrial': [
      question(`trials/${trial.id}`, 'End trial', [`not on ${day(trial.trial_ends_at)}`]),
    ],
  }
}
