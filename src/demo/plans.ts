import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { CURRENCIES, type Currency } from '../lib/money.ts'
import { DAY, HOUR } from '../lib/time.ts'
import { createFeature, setFeatureValue } from '../catalogue/plans/features.ts'
import { clonePricing, createPricing, updatePricing } from '../catalogue/plans/pricing.ts'
import { createPlan, updatePlan } from '../catalogue/plans/service.ts'
import { updateInfo } from '../catalogue/products/info.ts'
import { createProduct } from '../catalogue/products/service.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { findAddonExample, findPlanExamples } from '../catalogue/sellers/seller-rows.ts'

/** When the plans were made, and the add-on. */
const PLANS_MS = 558 * DAY
const ADDON_MS = 300 * DAY

/** Monthly, annual and one-time price in US dollars. */
type Amounts = readonly [monthly: number, annual: number, lifetime: number]

const OFFERS: readonly { readonly licenses: number | null; readonly amounts: Amounts }[] = [
  { licenses: 1, amounts: [9.99, 79, 249] },
  { licenses: 5, amounts: [19.99, 159, 499] },
  { licenses: null, amounts: [39.99, 319, 999] },
]
/** What the seller asks for in the place of a dollar, rounded to a price. */
const RATES: Readonly<Record<Currency, number>> = { usd: 1, eur: 0.95, gbp: 0.8 }

/** Title, tooltip, and the values in the free and the professional plan; null where a plan lacks it. */
type Feature = readonly [title: string, about: string, free: string | null, paid: string | null]

const FORMS: readonly Feature[] = [
  ['Forms', 'How many forms may be open at once.', '3', 'Unlimited'],
  ['Entries a month', 'Counted by calendar month.', '100', 'Unlimited'],
  ['File uploads', 'Up to 50 MB each.', null, '10 GB'],
  ['Payments', 'Take payments with a form.', null, ''],
  ['Support', 'Answers on working days.', 'Forum', 'E-mail, within a day'],
]
const BOOKINGS: readonly Feature[] = [
  ['Calendars', 'How many calendars may be open at once.', '1', 'Unlimited'],
  ['Reminders', 'By e-mail before an appointment.', null, ''],
  ['Time zones', 'Everybody sees the time of their own place.', '', ''],
  ['Support', 'Answers on working days.', 'Forum', 'E-mail, within a day'],
]
const SIGNATURES: readonly Feature[] = [
  ['Signatures a month', 'Counted by calendar month.', null, '500'],
  ['Audit trail', 'Who signed what, when and from where.', null, ''],
]

/** Free and professional plans with prices in three currencies, features, and an add-on. */
export const demoPlans: DemoPart = {
  async examples({ db }, { productId }) {
    const found = await findPlanExamples(db, productId)
    const addon = await findAddonExample(db, productId)
    if (!found || !addon) return null
    return {
      plan_id: String(found.plan_id),
      pricing_id: String(found.pricing_id),
      feature_id: String(found.feature_id),
      addon_id: String(addon.id),
    }
  },
  async fill(tx, demo) {
    const then = asOf(tx, tx.clock.real() - PLANS_MS)
    await sell(then, scopeOf(demo, demo.productId), FORMS)
    await sell(then, scopeOf(demo, demo.otherProductId), BOOKINGS)
    await addAddon(asOf(tx, tx.clock.real() - ADDON_MS), demo)
  },
}

const scopeOf = ({ developerId }: Demo, productId: number): Scope => systemScope({ developerId, productId })

const DEFAULTS = {
  is_free_localhost: true,
  is_block_features: true,
  is_block_features_monthly: true,
  license_type: 0,
} as const

async function sell(tx: TxContext, scope: Scope, features: readonly Feature[]): Promise<void> {
  const free = await createPlan(tx, scope, {
    ...DEFAULTS,
    title: 'Free',
    description: 'To try it and to start.',
  })
  const paid = await createPlan(tx, scope, {
    ...DEFAULTS,
    title: 'Professional',
    description: 'For those who live on it.',
    trial_period: 14,
    is_block_features: false,
    support_email: 'help@example.com',
    support_kb: 'https://shop.example.com/help',
  })
  await addPrices(tx, scope, Number(paid.id))
  await addFeatures(tx, scope, features, { free: Number(free.id), paid: Number(paid.id) })
  await updatePlan(asOf(tx, tx.clock.real() + HOUR), scope, Number(paid.id), { is_featured: true })
}

/** In US dollars first; the other currencies are cloned and then rounded, as a seller does it. */
async function addPrices(tx: TxContext, scope: Scope, planId: number): Promise<void> {
  for (const { licenses, amounts } of OFFERS)
    await createPricing(tx, scope, planId, { licenses, ...priced(amounts, 'usd') })
  for (const currency of CURRENCIES) {
    if (currency === 'usd') continue
    const clones = await clonePricing(tx, scope, planId, { from_currency: 'usd', to_currency: currency })
    for (const { id, licenses } of clones) {
      const offer = OFFERS.find((one) => one.licenses === licenses)
      if (!offer) continue
      const params = { plan_id: planId, pricing_id: Number(id) }
      await updatePricing(tx, scope, params, priced(offer.amounts, currency))
    }
  }
}

function priced(amounts: Amounts, currency: Currency) {
  const [monthly, annual, lifetime] = amounts.map((amount) => rounded(amount * RATES[currency]))
  return { monthly_price: monthly ?? null, annual_price: annual ?? null, lifetime_price: lifetime ?? null }
}

/** Small prices end in .99, others are whole. */
const rounded = (amount: number) => (amount < 50 ? Math.ceil(amount) - 0.01 : Math.round(amount))

async function addFeatures(
  tx: TxContext,
  scope: Scope,
  features: readonly Feature[],
  plans: { readonly free?: number; readonly paid: number },
): Promise<void> {
  for (const [title, description, free, paid] of features) {
    const { id } = await createFeature(tx, scope, { title, description, is_featured: true })
    const featureId = Number(id)
    if (free !== null && plans.free !== undefined)
      await setFeatureValue(tx, scope, { plan_id: plans.free, feature_id: featureId }, free || null)
    if (paid !== null)
      await setFeatureValue(tx, scope, { plan_id: plans.paid, feature_id: featureId }, paid || null)
  }
}

async function addAddon(tx: TxContext, demo: Demo): Promise<void> {
  const { developerId, storeId, productId } = demo
  const addonId = await createProduct(tx, {
    developerId,
    storeId,
    title: 'Aurora Signatures',
    redirectHosts: ['shop.example.com'],
    confirmsOptIn: false,
    parentId: productId,
    more: { kind: 'addon', type: 'plugin', type_alias: '' },
  })
  const scope = scopeOf(demo, addonId)
  const plan = await createPlan(tx, scope, { ...DEFAULTS, title: 'Signatures', is_block_features: false })
  await addPrices(tx, scope, Number(plan.id))
  await addFeatures(tx, scope, SIGNATURES, { paid: Number(plan.id) })
  await updateInfo(tx, scope, {
    url: 'https://shop.example.com/signatures',
    short_description: 'Forms that are signed, and can be proved to be.',
    description:
      'Adds a field for a signature to every form, and keeps who signed what, when and from where.',
    selling_point_0: 'Signed on any screen',
    selling_point_1: 'An audit trail for every entry',
    selling_point_2: 'Copies for both sides',
  })
}
