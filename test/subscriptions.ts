import { renewDue } from '../src/sales/renewals/renew.ts'
import { startSubscription, type NewSubscription } from '../src/sales/subscriptions/start-subscription.ts'
import { systemScope } from '../src/access/scope.ts'
import { addMonths } from '../src/lib/periods.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../src/lib/time.ts'
import { gatewayFor } from '../src/gateways/choose.ts'
import type { TestApp, TestContext } from './app.ts'
import { licenseOn, offerFor, userOf } from './licenses.ts'

interface Given {
  /** How the test gateway answers later charges. Default: it pays. */
  readonly token?: string | null
  readonly cycle?: 1 | 12
  /** What it says otherwise than 10 dollars and 20 % of tax. */
  readonly more?: Partial<NewSubscription>
}

let people = 0

/** A license of the sandbox with a subscription that began now and was paid until the end of its first period. */
export async function subscribed(
  app: TestApp,
  { token = 'test_succeeds', cycle = 1, more = {} }: Given = {},
) {
  const { product, developer } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const email = `subscriber${++people}@example.com`
  const userId = Number(await userOf(app, email))
  const offer = await offerFor(app, 5)
  const now = toUtcTime(app.ctx.clock.of(product.id, 1))
  const next = addMonths(now, cycle)
  const expires = toUtcTime(fromUtcTime(next) + 24 * HOUR)
  const license = await licenseOn(app, offer, { body: { email, expires_at: expires } })
  const licenseId = Number(license.id)
  const methodId = token === null ? null : await methodOf(app, { token, email, userId })
  const subscription = await app.write(async (tx) => {
    await tx.db.updateTable('licenses').set({ environment: 1 }).where('id', '=', licenseId).execute()
    return startSubscription(tx, scope, {
      user_id: userId,
      install_id: null,
      plan_id: offer.planId,
      pricing_id: offer.pricingId,
      license_id: licenseId,
      coupon_id: null,
      payment_method_id: methodId,
      external_id: null,
      gateway: token === null ? null : 'test',
      billing_cycle: cycle,
      currency: 'usd',
      tax_rate: 200_000,
      country_code: null,
      zip_postal_code: null,
      vat_id: null,
      ip: null,
      source: 0,
      environment: 1,
      amount_per_cycle: 1_000,
      initial_amount: 1_000,
      renewal_amount: 1_000,
      renewals_discount: 0,
      renewals_discount_type: 'percentage',
      trial_ends: null,
      period_anchor: now,
      period_start: now,
      next_payment: next,
      ...more,
    })
  })
  return { subscription, licenseId, email, userId, next }
}

/** Lets the gateways of a server take live payments too. */
export function takeLivePayments({ ctx }: TestApp): void {
  const gateways = ctx.gateways.map((gateway) => ({ ...gateway, environments: [0, 1] as const }))
  Object.assign(ctx, { gateways })
}

/** Makes it that time, and renews whatever is due then in the sandbox. */
export async function renewAt(app: TestApp, time: UtcTime, ctx: TestContext = app.ctx): Promise<void> {
  app.ctx.clock.set(fromUtcTime(time))
  const place = { environment: 1, productId: app.seller.product.id, now: time, limit: 100 } as const
  while ((await renewDue(ctx, place)) > 0);
}

/** Renews whatever is due now in the sandbox. */
export const renewNow = (app: TestApp): Promise<void> => renewAt(app, app.ctx.clock.now())

/** Stores a method of payment, as a checkout does. */
async function methodOf(
  { ctx, seller }: TestApp,
  { token, email, userId }: { readonly token: string; readonly email: string; readonly userId: number },
): Promise<number> {
  const gateway = gatewayFor(ctx.gateways, { gateway: 'test', environment: 1 })
  const made = await gateway.setUp({
    key: `set_up:${email}`,
    token,
    email,
    returnUrl: 'https://shop.example/',
  })
  if (made.outcome !== 'ready') throw new Error(`${token}: ${JSON.stringify(made)}`)
  const { id } = await ctx.database.transaction((db) =>
    db
      .insertInto('payment_methods')
      .values({
        product_id: seller.product.id,
        user_id: userId,
        gateway: 'test',
        kind: made.method.kind,
        token: ctx.keys.seal(made.method.token, 'payment_methods.token'),
        brand: made.method.card?.brand ?? null,
        last4: made.method.card?.last4 ?? null,
        expiry_month: made.method.card?.expiryMonth ?? null,
        expiry_year: made.method.card?.expiryYear ?? null,
        environment: 1,
        created: ctx.clock.now(),
        updated: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}
