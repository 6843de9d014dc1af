import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { DAY } from '../lib/time.ts'
import { createPricing } from '../catalogue/plans/pricing.ts'
import { createPlan } from '../catalogue/plans/service.ts'
import { addProduct } from '../catalogue/products/create.ts'
import { updateInfo } from '../catalogue/products/info.ts'
import type { InfoUpdate } from '../catalogue/products/info-schema.ts'
import type { ProductUpdate } from '../catalogue/products/input-schema.ts'
import { writeSetting } from '../catalogue/products/settings.ts'
import { updateProduct } from '../catalogue/products/update.ts'
import { updateProductAddresses, updateStoreAddresses } from '../catalogue/stores/addresses.ts'
import { updateStore } from '../catalogue/stores/service.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { findAddonExample, findSettingExample } from '../catalogue/sellers/seller-rows.ts'

/** When the store was set up, and the bundle was made. */
const STORE_MS = 559 * DAY
const BUNDLE_MS = 200 * DAY
const SHOP = 'https://shop.example.com'

const FORMS: Told = {
  update: {
    money_back_period: 30,
    refund_policy: 'moderate',
    annual_renewals_discount: 20,
    renewals_discount_type: 'percentage',
    lifetime_license_proration_days: 365,
  },
  info: {
    url: `${SHOP}/forms`,
    short_description: 'Forms that people finish.',
    description: 'Contact, order and application forms.\nBuilt by dragging, answered on any screen.',
    banner_url: `${SHOP}/banners/forms.png`,
    card_banner_url: `${SHOP}/banners/forms-card.png`,
    selling_point_0: 'Ready in five minutes',
    selling_point_1: 'No entry is ever lost',
    selling_point_2: 'Answers stay on your own server',
    screenshots: { screenshot_0: `${SHOP}/shots/builder.png`, screenshot_1: `${SHOP}/shots/entries.png` },
  },
}

const BOOKINGS: Told = {
  update: { money_back_period: 14, refund_policy: 'flexible', annual_renewals_discount: 15 },
  info: {
    url: `${SHOP}/bookings`,
    short_description: 'Appointments without a telephone.',
    description: 'A calendar that your visitors book from.',
    selling_point_0: 'Reminds both sides',
    selling_point_1: 'Knows every time zone',
    selling_point_2: 'Keeps your evenings free',
  },
}

interface Told {
  readonly update: ProductUpdate
  readonly info: InfoUpdate
}

/** What the store and its products say of themselves, who their mail comes from, and a bundle of all of them. */
export const demoProducts: DemoPart = {
  async examples({ db }, { productId }) {
    const setting = await findSettingExample(db, productId)
    return setting ? { setting_id: String(setting.id) } : null
  },
  async fill(tx, demo) {
    const then = asOf(tx, tx.clock.real() - STORE_MS)
    await openStore(then, demo)
    await tell(then, scopeOf(demo, demo.productId), FORMS)
    await tell(then, scopeOf(demo, demo.otherProductId), BOOKINGS)
    await addBundle(asOf(tx, tx.clock.real() - BUNDLE_MS), demo)
  },
}

const scopeOf = ({ developerId }: Demo, productId: number): Scope => systemScope({ developerId, productId })

async function openStore(tx: TxContext, demo: Demo): Promise<void> {
  const account = scopeOf(demo, 0)
  await updateStore(tx, account, demo.storeId, { url: SHOP, dashboard_url: `${SHOP}/account` })
  await updateStoreAddresses(tx, account, demo.storeId, {
    general: 'hello@shop.example.com',
    general_name: 'Demo Store',
    dont_reply: 'no-reply@shop.example.com',
    support: 'help@shop.example.com',
    support_name: 'Demo Store Support',
  })
  await updateProductAddresses(tx, scopeOf(demo, demo.productId), {
    general: 'forms@shop.example.com',
    general_name: 'Aurora Forms',
    support: 'forms-help@shop.example.com',
  })
}

async function tell(tx: TxContext, scope: Scope, { update, info }: Told): Promise<void> {
  await updateProduct(tx, scope, update, undefined)
  await updateInfo(tx, scope, info)
  const units = { selling_unit_singular: 'Site', selling_unit_plural: 'Sites' }
  await writeSetting(tx, scope, { setting_type: 3, data: JSON.stringify(units) })
}

async function addBundle(tx: TxContext, demo: Demo): Promise<void> {
  const addon = await findAddonExample(tx.db, demo.productId)
  const members = [demo.productId, demo.otherProductId, ...(addon ? [addon.id] : [])]
  const bundle = await addProduct(tx, scopeOf(demo, 0), {
    title: 'Aurora Suite',
    type: 'plugin',
    is_bundle: true,
    members: members.join(','),
    store_id: demo.storeId,
  })
  const scope = scopeOf(demo, Number(bundle.id))
  const plan = await createPlan(tx, scope, {
    title: 'Everything',
    description: 'All of Aurora under one license.',
    is_free_localhost: true,
    is_block_features: false,
    is_block_features_monthly: true,
    license_type: 0,
  })
  for (const [licenses, annual] of PRICES) {
    await createPricing(tx, scope, Number(plan.id), {
      licenses,
      annual_price: annual,
      lifetime_price: annual * 3,
    })
  }
}

/** Licenses and US dollars a year. */
const PRICES = [
  [1, 129],
  [5, 249],
  [null, 499],
] as const
