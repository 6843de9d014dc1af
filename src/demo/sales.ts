import { transaction, type Context, type TxContext } from '../context.ts'
import { stillClock } from '../lib/clock.ts'
import { systemScope } from '../access/scope.ts'
import { askForPurchase } from '../sales/checkouts/front/pay.ts'
import { type CheckoutOpen, openCheckout, sandboxToken } from '../sales/checkouts/front/open.ts'
import { settleCheckout } from '../sales/checkouts/front/settle.ts'
import { Refused } from '../lib/errors.ts'
import { fold } from '../lib/fold.ts'
import { DAY, HOUR } from '../lib/time.ts'
import { findTaxSettingsOf } from '../sales/taxes/tax-settings-rows.ts'
import { DEMO_PEOPLE } from './people.ts'
import { unlessMeanwhile, type Demo, type DemoPart } from './part.ts'
import { findDemoSales, findPaymentOf, findTrialOf } from './sales-queries.ts'
import { findOffers } from '../catalogue/sellers/seller-rows.ts'
import { productKeys } from '../catalogue/sellers/create-seller.ts'
import { beginRefund, settleRefund } from '../sales/refunds/refund-payment.ts'
import { updateTaxSettings } from '../sales/taxes/tax-settings.ts'

/** What the demo's sandbox token is made for. */
const CONTEXT = 'demo'

interface DemoSale {
  /** A place in the list of people. */
  readonly person: number
  readonly agoMs: number
  readonly input: Pick<CheckoutOpen, 'billing_cycle' | 'country_code' | 'coupon' | 'trial'>
  readonly isRefunded?: true
}

/**
 * Bought in the sandbox: a year, a month with a coupon, once and for all, which is refunded, and a trial of that, which
 * is paid when it ends.
 */
const SALES: readonly DemoSale[] = [
  { person: 1, agoMs: 25 * DAY, input: { billing_cycle: 'annual', country_code: 'DE' } },
  {
    person: 5,
    agoMs: 12 * DAY,
    input: { billing_cycle: 'monthly', country_code: 'US', coupon: 'WELCOME10' },
  },
  { person: 9, agoMs: 5 * DAY, input: { billing_cycle: 'lifetime', country_code: 'ES' }, isRefunded: true },
  { person: 17, agoMs: 3 * DAY, input: { billing_cycle: 'lifetime', country_code: 'FR', trial: 'paid' } },
]
/** Left before it was bought. */
const LEFT: DemoSale = { person: 13, agoMs: HOUR / 2, input: { billing_cycle: 'annual' } }

/**
 * Sales of the first product in its sandbox, as buyers make them: with payments, invoices, subscriptions, a coupon that
 * was redeemed, a refund, and a cart. The gateway is asked, so it is not one transaction: what is there is passed over.
 */
export const demoSales: DemoPart = {
  async examples(ctx, demo) {
    const found = await findDemoSales(ctx.db, demo.productId)
    const missing = Object.values(found).some((id) => id === null)
    if (missing) return null
    const { publicKey, secretKey } = await productKeys(ctx, demo.productId)
    const token = sandboxToken({ context: CONTEXT, productId: demo.productId, publicKey, secretKey })
    const ids = Object.entries(found).map(([name, id]) => [name, String(id)])
    return { ...Object.fromEntries(ids), sandbox_context: CONTEXT, sandbox_token: token }
  },
  async run(ctx, demo) {
    await transaction(ctx, (tx) => nameSeller(tx, demo))
    for (const sale of SALES) await unlessMeanwhile(() => sell(ctx, demo, sale))
    await open(inSandboxAt(ctx, LEFT.agoMs), demo, LEFT)
  },
}

/** As that time ago; charged by the last gateway, which takes no money. */
function inSandboxAt(ctx: Context, agoMs: number): Context {
  const clock = stillClock(ctx.clock.real() - agoMs)
  return { ...ctx, clock, gateways: ctx.gateways.slice(-1) }
}

const scopeOf = ({ developerId, productId }: Demo) => systemScope({ developerId, productId })

/** What stands on the invoices. */
async function nameSeller(tx: TxContext, demo: Demo): Promise<void> {
  if (await findTaxSettingsOf(tx.db, demo.developerId)) return
  await updateTaxSettings(tx, scopeOf(demo), {
    country: 'DE',
    registrations: 'DE, EU',
    legal_name: 'Demo Software GmbH',
    address: 'Ackerstrasse 12\n10115 Berlin',
  })
}

async function sell(ctx: Context, demo: Demo, sale: DemoSale): Promise<void> {
  const then = inSandboxAt(ctx, sale.agoMs)
  if (await findTrialOf(ctx.db, demo.productId, fold(emailOf(sale)))) return
  const known = await findPaymentOf(ctx.db, demo.productId, fold(emailOf(sale)))
  if (!known) await buy(then, demo, sale)
  if (!sale.isRefunded) return
  const payment = known ?? (await findPaymentOf(ctx.db, demo.productId, fold(emailOf(sale))))
  if (!payment || payment.refunded_gross > 0) return
  const later = inSandboxAt(ctx, sale.agoMs - DAY)
  const input = { reason: 'It was bought for the wrong account.' }
  const begun = await beginRefund(later, scopeOf(demo), payment.id, input)
  await transaction(later, (tx) => settleRefund(tx, scopeOf(demo), { id: payment.id, input, begun }))
}

async function buy(then: Context, demo: Demo, sale: DemoSale): Promise<void> {
  const token = await open(then, demo, sale)
  const asked = await askForPurchase(then, scopeOf(demo), token, {
    payment_token: 'test_succeeds',
    is_waiver_accepted: true,
  })
  const settled = asked && (await transaction(then, (tx) => settleCheckout(tx, asked)))
  if (settled instanceof Refused) throw settled.error
}

async function open(then: Context, demo: Demo, sale: DemoSale): Promise<string> {
  const { productId } = demo
  const [offer] = await findOffers(then.db, productId)
  const { publicKey, secretKey } = await productKeys(then, productId)
  const person = DEMO_PEOPLE[sale.person]
  if (!offer) throw new Error('The demo sells what it has plans of.')
  const input = {
    product_id: productId,
    pricing_id: offer.pricing_id,
    user_email: emailOf(sale),
    user_firstname: person?.first ?? '',
    user_lastname: person?.last ?? '',
    s_ctx_ts: CONTEXT,
    sandbox: sandboxToken({ context: CONTEXT, productId, publicKey, secretKey }),
    ...sale.input,
  }
  return (await transaction(then, (tx) => openCheckout(tx, scopeOf(demo), input, {}))).token
}

const emailOf = ({ person }: DemoSale): string => DEMO_PEOPLE[person]?.email ?? ''
