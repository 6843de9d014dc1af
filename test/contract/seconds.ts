import { transaction, type TxContext } from '../../src/context.ts'
import { recordPayment } from '../../src/sales/payments/record-payment.ts'
import { systemScope } from '../../src/access/scope.ts'
import { createFeature, setFeatureValue } from '../../src/catalogue/plans/features.ts'
import { createPricing } from '../../src/catalogue/plans/pricing.ts'
import { createVersion } from '../archives.ts'
import { createAddon, createOffer } from '../catalogue.ts'
import { paymentRow } from '../sales.ts'
import { createTriedWebhook } from '../webhooks.ts'
import type { World } from '../security/world.ts'

/** A second one of all that lists show, so that a page of one differs from one of two; and what is not released. */
export const addSeconds = ({ ctx, seller, ids: { own }, people }: World): Promise<void> =>
  transaction(ctx, async (tx) => {
    const owner = { developerId: seller.developer.id, storeId: seller.store.id, productId: seller.product.id }
    const scope = systemScope(owner)
    const id = (name: string) => Number(own[name])
    const second = await createAddon(tx, owner, 'The second add-on')
    await createVersion(tx, systemScope({ ...owner, productId: second }), 'released')
    const pending = await createAddon(tx, owner, 'An add-on that is not released')
    await createOffer(tx, { ...owner, productId: pending }, 'pending')
    await createOffer(tx, { ...owner, productId: id('addon_id') }, 'another')
    await addPriceAndFeature(tx, { ...owner, productId: id('addon_id') }, id('addon_plan_id'))
    await addPriceAndFeature(tx, owner, id('plan_id'))
    await createVersion(tx, scope, 'released')
    await createTriedWebhook(tx, scope)
    const bought = {
      userId: people.ada.id,
      planId: id('licensed_plan_id'),
      pricingId: id('licensed_pricing_id'),
      licenseId: id('license_id'),
      installId: id('install_id'),
    }
    const elsewhere = {
      gateway: null,
      external_id: null,
      source: 2 as const,
      subscription_id: id('subscription_id'),
    }
    await recordPayment(tx, scope, paymentRow(bought, tx.clock.real(), elsewhere))
  })

async function addPriceAndFeature(
  tx: TxContext,
  owner: { developerId: number; productId: number },
  planId: number,
): Promise<void> {
  const scope = systemScope(owner)
  await createPricing(tx, scope, planId, { annual_price: 99.99, licenses: 5 })
  const { id } = await createFeature(tx, scope, { title: 'The second feature', is_featured: false })
  await setFeatureValue(tx, scope, { plan_id: planId, feature_id: Number(id) }, '20 GB')
}
