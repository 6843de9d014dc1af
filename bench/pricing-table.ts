import { transaction, type TxContext } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { CURRENCIES } from '../src/lib/money.ts'
import type { UtcTime } from '../src/lib/time.ts'
import { createFeature, setFeatureValue } from '../src/catalogue/plans/features.ts'
import { createPricing } from '../src/catalogue/plans/pricing.ts'
import { createPlan } from '../src/catalogue/plans/service.ts'
import { createSeller, type Seller } from '../test/factories.ts'
import { compareServers } from './compare.ts'
import type { Benchmark } from './row.ts'
import { benchContext, environmentOf, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PLANS = 8
const PRICES = 6
const FEATURES = 40
const REVIEWS = 200

/** `pricing.json` of a large product, on SQLite; the reference nests and writes the rows of the same statements. */
export const pricingTable: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const environment = environmentOf({
    KEYWRIGHT_DATA: await temporaryFolder(closing),
    KEYWRIGHT_BASE_URL: 'https://keywright.example.com',
  })
  const { product } = await seed(environment)
  const calls = [{ method: 'GET', path: `/v1/products/${product.id}/pricing.json` } as const]
  const name = `pricing.json of ${PLANS} plans × ${PRICES} prices × ${FEATURES} features, ${REVIEWS} reviews`
  const seeding = { environment, seeded: product, bare: 'pricing-table-bare.ts' }
  return await compareServers(seeding, [{ name, line: 0.75, calls }], options)
}

async function seed(environment: Environment): Promise<Seller> {
  const ctx = await benchContext(environment)
  try {
    const seller = await transaction(ctx, (tx) => createSeller(tx))
    await transaction(ctx, (tx) => fill(tx, seller))
    return seller
  } finally {
    await ctx.database.close()
  }
}

async function fill(tx: TxContext, { developer, product }: Seller): Promise<void> {
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const flags = { is_free_localhost: true, is_block_features: true, is_block_features_monthly: true }
  const features: number[] = []
  for (let n = 1; n <= FEATURES; n++) {
    const description = `What feature ${n} does for those who have it, in a sentence that is shown as a tooltip.`
    const { id } = await createFeature(tx, scope, {
      title: `Feature ${n}`,
      description,
      is_featured: n <= 10,
    })
    features.push(Number(id))
  }
  for (let n = 1; n <= PLANS; n++) {
    const plan = await createPlan(tx, scope, {
      ...flags,
      license_type: 0,
      name: `plan-${n}`,
      title: `Plan ${n}`,
    })
    const planId = Number(plan.id)
    for (let p = 0; p < PRICES; p++) {
      const currency = CURRENCIES[p % CURRENCIES.length] ?? 'usd'
      const amounts = { monthly_price: 4.99 * n, annual_price: 49.9 * n, lifetime_price: 149 * n }
      const price = Object.fromEntries(
        Object.entries(amounts).map(([k, v]) => [k, Math.round(v * 100) / 100]),
      )
      await createPricing(tx, scope, planId, { ...price, currency, licenses: p < 3 ? 1 : 5 })
    }
    for (const feature_id of features) {
      await setFeatureValue(tx, scope, { plan_id: planId, feature_id }, `${feature_id * n} GB`)
    }
  }
  await tx.db
    .insertInto('reviews')
    .values(Array.from({ length: REVIEWS }, (_, n) => reviewRow(product.id, n, tx.clock.now())))
    .execute()
}

const reviewRow = (productId: number, n: number, created: UtcTime) => ({
  product_id: productId,
  user_id: null,
  license_id: null,
  external_id: '',
  rate: 80 + (n % 21),
  title: `Review ${n}`,
  text: 'It does what it says, the support answered within the hour, and the update went without a hitch. '.repeat(
    2,
  ),
  name: `Reviewer ${n}`,
  job_title: 'Developer',
  company: 'Example Ltd.',
  company_url: 'https://example.com/',
  picture: `https://pictures.example.com/${n}.png`,
  profile_url: 'https://example.com/profile',
  is_verified: true,
  is_featured: true,
  is_active: true,
  created,
  updated: null,
})
