import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import type { EventType } from '../lib/event-types.ts'
import type { Reason } from '../lib/reasons.ts'
import { DAY, HOUR, toUtcTime } from '../lib/time.ts'
import { recordCart, completeCart } from '../resources/carts/service.ts'
import { changeInstall } from '../resources/installs/change.ts'
import { createInstall } from '../resources/installs/create.ts'
import { noteUninstall } from '../resources/installs/uninstall.ts'
import type { CartRow } from '../resources/carts/schema.ts'
import type { InstallRow } from '../resources/installs/schema.ts'
import { createWebhook } from '../resources/webhooks/service.ts'
import { asOf, uidOf, type DemoPart } from './demo-part.ts'
import { findDemoBuyers, findDemoPrices, findDemoVisit, settleDemoEvents } from './demo-sales-queries.ts'
import type { Buyer } from './demo-year-plan.ts'
import { setStage } from './recover-carts-queries.ts'
import { touchCart } from './touch-cart.ts'
import { findPlanExamples } from './seller-queries.ts'
import { cancelTrial, startTrial } from './trials.ts'

/** A site that does not pay; `buyer` is a place in the list of those the product knows. */
interface DemoSite {
  readonly buyer: number
  /** Days ago. */
  readonly made: number
  readonly host: string
  readonly version: string
  readonly now: 'active' | 'inactive' | 'trial' | 'cancelled trial' | 'uninstalled'
  readonly why?: { readonly reason_id: Reason; readonly reason_info?: string }
}

const SITES: readonly DemoSite[] = [
  { buyer: 0, made: 210, host: 'north.example.org', version: '1.9.3', now: 'inactive' },
  { buyer: 1, made: 160, host: 'garden.example.org', version: '2.4.1', now: 'active' },
  { buyer: 2, made: 130, host: 'bakery.example.org', version: '2.4.1', now: 'uninstalled' },
  {
    buyer: 3,
    made: 95,
    host: 'choir.example.org',
    version: '2.4.1',
    now: 'uninstalled',
    why: { reason_id: 11, reason_info: 'A form with two columns.' },
  },
  { buyer: 4, made: 60, host: 'atelier.example.org', version: '2.4.1', now: 'cancelled trial' },
  { buyer: 5, made: 40, host: 'harbour.example.org', version: '2.4.1', now: 'inactive' },
  { buyer: 6, made: 9, host: 'museum.example.org', version: '2.5.0', now: 'trial' },
  { buyer: 7, made: 3, host: 'cinema.example.org', version: '2.5.0', now: 'trial' },
  { buyer: 8, made: 2, host: 'library.example.org', version: '2.5.0', now: 'active' },
]

/** A live cart, and what became of it. */
interface DemoCart {
  readonly buyer: number
  readonly made: number
  readonly cycle: 1 | 12
  readonly now: 'abandoned' | 'email_1_sent' | 'email_3_sent' | 'recovered' | 'completed'
}

const CARTS: readonly DemoCart[] = [
  { buyer: 9, made: 120, cycle: 12, now: 'recovered' },
  { buyer: 10, made: 75, cycle: 1, now: 'email_3_sent' },
  { buyer: 11, made: 50, cycle: 12, now: 'completed' },
  { buyer: 12, made: 20, cycle: 12, now: 'recovered' },
  { buyer: 13, made: 4, cycle: 12, now: 'email_1_sent' },
  { buyer: 14, made: 1, cycle: 1, now: 'abandoned' },
]

/** When recovery looks again at a cart that was left: ahead of today for all that wait. */
const NEXT_MAIL_MS = 5 * DAY
const LISTENER_MS = 300 * DAY
const HEARD = [
  'license.created',
  'license.activated',
  'payment.created',
  'subscription.cancelled',
] as const satisfies EventType[]

/**
 * What a shop has beside its sales: sites that try, rest or left, carts in every state, a listener that is switched
 * off, and events that it was sent.
 */
export const demoVisitors: DemoPart = {
  async examples({ db }, { productId }) {
    const found = await findDemoVisit(db, productId)
    return found ? { trial_install_id: String(found.install_id), webhook_id: String(found.webhook_id) } : null
  },
  async fill(tx, { developerId, productId }) {
    const scope = systemScope({ developerId, productId })
    const buyers = await findDemoBuyers(tx.db, productId)
    for (const site of SITES) await visit(tx, scope, site, buyers[site.buyer])
    for (const cart of CARTS) await leave(tx, scope, cart, buyers[cart.buyer])
    const then = asOf(tx, tx.clock.real() - LISTENER_MS)
    await createWebhook(then, scope, {
      url: 'https://hooks.shop.example.com/keywright',
      types: HEARD.join(','),
      is_active: false,
    })
    await settleDemoEvents(tx.db, productId, HEARD)
  },
}

async function visit(tx: TxContext, scope: Scope, site: DemoSite, buyer: Buyer | undefined): Promise<void> {
  if (!buyer) return
  const { made, host, version } = site
  const since = tx.clock.real() - made * DAY
  const { install } = await createInstall(asOf(tx, since), scope, {
    user_id: buyer.userId,
    uid: uidOf(host),
    url: `https://${host}`,
    title: host.replace('.example.org', ''),
    version,
    platform_version: '6.8',
    language: 'en-US',
    is_premium: site.now === 'trial',
    country_code: buyer.country.toLowerCase(),
  })
  const later = asOf(tx, since + DAY)
  if (site.now === 'inactive') await changeInstall(later, scope, install, { is_active: false })
  if (site.now === 'uninstalled') await uninstall(later, scope, install, site)
  if (site.now === 'trial' || site.now === 'cancelled trial') await tryPlan(later, scope, install.id, site)
}

async function uninstall(tx: TxContext, scope: Scope, install: InstallRow, { why }: DemoSite): Promise<void> {
  const gone = await changeInstall(tx, scope, install, { is_active: false, is_uninstalled: true })
  await noteUninstall(tx, gone, why ?? { reason_id: 1 })
}

async function tryPlan(tx: TxContext, scope: Scope, installId: number, { now }: DemoSite): Promise<void> {
  const plan = await findPlanExamples(tx.db, scope.productId)
  if (!plan) throw new Error('The demo tries what it has plans of.')
  const place = { install_id: installId, plan_id: plan.plan_id }
  await startTrial(tx, scope, place, { is_migration: false })
  if (now !== 'cancelled trial') return
  const later = asOf(tx, tx.clock.real() + 3 * DAY)
  await cancelTrial(later, scope, installId, { ids: [11], text: 'No export of answers.' })
}

/** The recovery of a cart is written as it went; the mails of the past are not sent again. */
async function leave(tx: TxContext, scope: Scope, cart: DemoCart, buyer: Buyer | undefined): Promise<void> {
  const offer = (await findDemoPrices(tx.db, scope.productId)).find(({ currency }) => currency === 'usd')
  if (!buyer || !offer) return
  const { made, cycle, now } = cart
  const left = tx.clock.real() - made * DAY
  const touched = await touchCart(asOf(tx, left), scope, {
    environment: 0,
    visitor: null,
    email: buyer.email,
    plan_id: offer.plan_id,
    pricing_id: offer.pricing_id,
    billing_cycle: cycle,
    country_code: buyer.country.toLowerCase(),
  })
  if (now !== 'completed') await giveUp(asOf(tx, left + HOUR), scope, touched, now)
  if (now !== 'completed' && now !== 'recovered') return
  const gross = (cycle === 1 ? offer.monthly_price : offer.annual_price) ?? 0
  await completeCart(asOf(tx, left + DAY), scope, { cartId: touched.id, userId: buyer.userId, gross })
}

type Left = Exclude<DemoCart['now'], 'completed'>

async function giveUp(tx: TxContext, scope: Scope, cart: CartRow, now: Left): Promise<void> {
  const isOver = now === 'email_3_sent' || now === 'recovered'
  const status = now === 'recovered' ? 'email_1_sent' : now
  const recoverAt = isOver ? null : toUtcTime(tx.clock.real() + NEXT_MAIL_MS)
  const stage = await setStage(tx.db, cart, { status, recover_at: recoverAt, mail: null })
  await recordCart(tx, scope, stage, { type: 'cart.abandoned' })
  if (status !== 'abandoned') await recordCart(tx, scope, stage, { type: 'cart.recovery.email_1_sent' })
}
