import type { TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import type { EventType } from '../db/tables/event-types.ts'
import { fold } from '../lib/fold.ts'
import type { Reason } from '../lib/reasons.ts'
import { DAY } from '../lib/time.ts'
import { changeInstall, type InstallChange } from '../licensing/installs/change.ts'
import { createInstall } from '../licensing/installs/create.ts'
import { keepExtensions } from '../licensing/installs/extensions.ts'
import type { InstallRow } from '../licensing/installs/schema.ts'
import { noteUninstall } from '../licensing/installs/uninstall.ts'
import { findUserByEmail } from '../people/users/user-rows.ts'
import { sealAnswer } from '../events/listeners/address.ts'
import { createWebhook } from '../events/listeners/service.ts'
import { insertDemoDeliveries } from './listener-queries.ts'
import { fillCarts } from './carts.ts'
import { asOf, scopeIn, uidOf, type Demo, type DemoPart, type Which } from './part.ts'
import { countryOf, emailOf } from './people.ts'
import { versionThen } from './releases.ts'
import { findDemoVisit } from './sales-queries.ts'
import { findPlanExamples } from '../catalogue/sellers/seller-rows.ts'
import { cancelTrial, startTrial } from '../licensing/trials/trials.ts'

/** A site that does not pay; `person` is a place in the list of people. */
interface DemoSite {
  readonly which: Which
  readonly person: number
  /** Days ago. */
  readonly made: number
  readonly host: string
  /** Absent: what was out then. */
  readonly version?: string
  readonly now: 'active' | 'inactive' | 'disconnected' | 'trial' | 'cancelled trial' | 'uninstalled'
  readonly why?: { readonly reason_id: Reason; readonly reason_info?: string }
}

const first = { which: 'first' } as const
const other = { which: 'other' } as const
const BETA = '2.5.0'

const SITES: readonly DemoSite[] = [
  { ...first, person: 0, made: 210, host: 'north.example.org', now: 'inactive' },
  { ...first, person: 1, made: 160, host: 'garden.example.org', now: 'active' },
  { ...first, person: 2, made: 130, host: 'bakery.example.org', now: 'uninstalled' },
  {
    ...first,
    person: 4,
    made: 95,
    host: 'choir.example.org',
    now: 'uninstalled',
    why: { reason_id: 11, reason_info: 'A form with two columns.' },
  },
  { ...first, person: 5, made: 60, host: 'atelier.example.org', now: 'cancelled trial' },
  { ...first, person: 6, made: 40, host: 'harbour.example.org', now: 'inactive' },
  { ...first, person: 9, made: 33, host: 'island.example.org', now: 'disconnected' },
  { ...first, person: 8, made: 9, host: 'museum.example.org', version: BETA, now: 'trial' },
  { ...first, person: 10, made: 3, host: 'cinema.example.org', version: BETA, now: 'trial' },
  { ...first, person: 12, made: 2, host: 'library.example.org', version: BETA, now: 'active' },
  { ...other, person: 1, made: 140, host: 'barber.example.org', now: 'inactive' },
  {
    ...other,
    person: 3,
    made: 70,
    host: 'dentist.example.org',
    now: 'uninstalled',
    why: { reason_id: 2, reason_info: 'One that the whole practice uses.' },
  },
  { ...other, person: 5, made: 50, host: 'yoga.example.org', now: 'cancelled trial' },
  { ...other, person: 7, made: 30, host: 'sauna.example.org', now: 'active' },
  { ...other, person: 9, made: 25, host: 'dance.example.org', now: 'disconnected' },
  { ...other, person: 11, made: 6, host: 'physio.example.org', now: 'trial' },
]

/** What runs beside the product on a site. */
const BESIDE = {
  plugins: [
    { slug: 'north-gallery', title: 'North Gallery', version: '3.2.0', is_active: true },
    { slug: 'quiet-backup', title: 'Quiet Backup', version: '1.14.2', is_active: true },
    { slug: 'old-counter', title: 'Old Counter', version: '0.9', is_active: false },
  ],
  themes: [{ slug: 'plain-paper', title: 'Plain Paper', version: '2.1', is_active: true }],
}

const LISTENER_MS = 300 * DAY
const HEARD = [
  'license.created',
  'license.activated',
  'payment.created',
  'subscription.cancelled',
] as const satisfies EventType[]

/**
 * What a shop has beside its sales: sites that try, rest or left, carts that were left, a listener that is switched
 * off, and events that it was sent.
 */
export const demoVisitors: DemoPart = {
  async examples({ db }, { productId }) {
    const found = await findDemoVisit(db, productId)
    return found ? { trial_install_id: String(found.install_id), webhook_id: String(found.webhook_id) } : null
  },
  async fill(tx, demo) {
    for (const site of SITES) await visit(tx, scopeIn(demo, site.which), site)
    await fillCarts(tx, demo)
    for (const which of ['first', 'other'] as const) await listen(tx, scopeIn(demo, which), which)
  },
}

async function visit(tx: TxContext, scope: Scope, site: DemoSite): Promise<void> {
  const { made, host, which, person } = site
  const user = await findUserByEmail(tx.db, scope, fold(emailOf(person)))
  if (!user) return
  const since = tx.clock.real() - made * DAY
  const { install } = await createInstall(asOf(tx, since), scope, {
    user_id: user.user_id,
    uid: uidOf(`https://${host}`),
    url: `https://${host}`,
    title: host.replace('.example.org', ''),
    version: site.version ?? versionThen(which, made * DAY),
    platform_version: '6.8',
    language: 'en-US',
    is_premium: site.now === 'trial',
    country_code: countryOf(person),
  })
  const later = asOf(tx, since + DAY)
  await keepExtensions(later, install.id, BESIDE)
  if (site.now === 'uninstalled') await uninstall(later, scope, install, site)
  else if (site.now === 'trial' || site.now === 'cancelled trial')
    await tryPlan(later, scope, install.id, site)
  else await changeInstall(asOf(tx, since + 20 * DAY), scope, install, BECOMES[site.now])
}

const BECOMES: Readonly<Record<'active' | 'inactive' | 'disconnected', InstallChange>> = {
  active: {},
  inactive: { is_active: false },
  disconnected: { is_disconnected: true },
}

/** It was switched off, so nobody is called. */
async function listen(tx: TxContext, scope: Scope, which: Which): Promise<void> {
  await createWebhook(asOf(tx, tx.clock.real() - LISTENER_MS), scope, {
    url: `https://hooks.shop.example.com/${which}`,
    types: HEARD.join(','),
    is_active: false,
  })
}

const tell = (tx: TxContext, id: number) =>
  insertDemoDeliveries(tx.db, {
    id,
    types: HEARD,
    now: tx.clock.real(),
    answers: { taken: sealAnswer(tx.keys, 'ok'), refused: sealAnswer(tx.keys, 'Down for maintenance.') },
  })

/** Says what the listeners of the demo would have been told since, unless somebody has switched them on. */
export async function keepTold(tx: TxContext, demo: Demo): Promise<void> {
  for (const which of ['first', 'other'] as const) {
    const found = await findDemoVisit(tx.db, scopeIn(demo, which).productId)
    if (found?.is_active === false) await tell(tx, found.webhook_id)
  }
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
