import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { fold } from '../lib/fold.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { createInstall } from '../licensing/installs/create.ts'
import { rotateLicenseKeys } from '../licensing/license-files/service.ts'
import { addSite } from '../licensing/activation/sites.ts'
import type { LicenseSiteCreate } from '../licensing/activation/sites-schema.ts'
import { findUserByEmail } from '../people/users/user-rows.ts'
import { cancelLicense } from '../licensing/licenses/cancel-license.ts'
import { createLicense } from '../licensing/licenses/create-license.ts'
import { DEMO_PEOPLE } from './people.ts'
import { asOf, uidOf, type Demo, type DemoPart } from './part.ts'
import { versionThen } from './releases.ts'
import { installOn, keptUpToDate, site, type DemoSite } from './sites.ts'
import { findBundleOf, findDemoLicenses, findOffers } from '../catalogue/sellers/seller-rows.ts'

/** A license as the demo sells it; `person` is a place in the list of people, null: nobody's yet. */
interface DemoLicense {
  readonly person: number | null
  /** Days ago. */
  readonly made: number
  readonly licenses: 1 | 5 | null
  readonly period: 0 | 1 | 12
  readonly isCancelled?: true
  /** Where its owner says that it counts for nothing, and may not be used. */
  readonly named?: readonly LicenseSiteCreate[]
  readonly sites?: readonly DemoSite[]
}

const OF_FORMS: readonly DemoLicense[] = [
  {
    person: 0,
    made: 200,
    licenses: 5,
    period: 12,
    named: [
      { kind: 'local', pattern: 'staging.okafor.example.com' },
      { kind: 'deny', pattern: 'copy.okafor.example.com' },
    ],
    sites: [
      site('https://okafor.example.com', 'Okafor Studio'),
      site('https://blog.okafor.example.com', 'Okafor Studio, the blog'),
      site('http://localhost:8080', 'Okafor Studio, on my desk', '2.5.0'),
    ],
  },
  {
    person: 2,
    made: 440,
    licenses: 1,
    period: 12,
    sites: [site('https://brueckner.example.com', 'Brückner Web', '1.9.3')],
  },
  { person: 4, made: 120, licenses: 1, period: 0, sites: [site('https://four.example.org', 'Four')] },
  { person: 6, made: 20, licenses: null, period: 1, sites: [site('https://six.example.org', 'Six')] },
  { person: 8, made: 90, licenses: 1, period: 12, isCancelled: true },
  { person: null, made: 5, licenses: 1, period: 12 },
]

const OF_BOOKINGS: readonly DemoLicense[] = [
  { person: 3, made: 160, licenses: 1, period: 12, sites: [site('https://three.example.org', 'Three')] },
  { person: 7, made: 60, licenses: 5, period: 12 },
]

/** Licenses of every kind, with the installs that use them, and one that tries the free plan. */
export const demoLicenses: DemoPart = {
  async examples(ctx, demo) {
    const found = await findDemoLicenses(ctx.db, demo.productId)
    const now = toUtcTime(ctx.clock.of(demo.productId, 0))
    const isEnded = ({ expiration }: DemoRow) => expiration !== null && expiration <= now
    const isUsedUp = ({ quota, activated }: DemoRow) => quota !== null && quota <= activated
    const good = found.filter((one) => !one.is_cancelled && !isEnded(one))
    const license = good.find((one) => one.activated > 0 && !isUsedUp(one))
    if (!license) return null
    const idOf = (one: DemoRow | undefined) => String(one?.id ?? '')
    const keyOf = (one: DemoRow | undefined) =>
      one ? ctx.keys.open(one.secret_key, 'licenses.secret_key') : ''
    return {
      license_id: idOf(license),
      license_key: keyOf(license),
      install_id: String(license.install_id),
      cancelled_license_key: keyOf(found.find((one) => one.is_cancelled)),
      expired_license_key: keyOf(found.find(isEnded)),
      used_up_license_key: keyOf(good.find(isUsedUp)),
      orphan_license_key: keyOf(good.find((one) => one.user_id === null)),
      lifetime_license_id: idOf(good.find(({ expiration }) => expiration === null)),
    }
  },
  async fill(tx, demo) {
    for (const license of OF_FORMS) await sell(tx, scopeOf(demo, demo.productId), 'first', license)
    for (const license of OF_BOOKINGS) await sell(tx, scopeOf(demo, demo.otherProductId), 'other', license)
    for (const id of [demo.productId, demo.otherProductId]) await rotateLicenseKeys(tx, scopeOf(demo, id))
    await sellBundle(asOf(tx, tx.clock.real() - 30 * DAY), demo)
    await addFreeInstall(asOf(tx, tx.clock.real() - 12 * DAY), scopeOf(demo, demo.productId))
  },
}

type DemoRow = Awaited<ReturnType<typeof findDemoLicenses>>[number]

const scopeOf = ({ developerId }: Demo, productId: number): Scope => systemScope({ developerId, productId })

/** The address of a person, which does not change from run to run. */
const emailOf = (person: number): string => DEMO_PEOPLE[person]?.email ?? ''

async function sell(
  tx: TxContext,
  scope: Scope,
  which: 'first' | 'other',
  license: DemoLicense,
): Promise<void> {
  const { person, made, licenses, period, sites = [] } = license
  const then = asOf(tx, tx.clock.real() - made * DAY)
  const offers = await findOffers(then.db, scope.productId)
  const offer = offers.find((one) => one.licenses === licenses)
  if (!offer) throw new Error('The demo sells what its licenses are of.')
  const row = await createLicense(then, scope, offer, {
    period,
    ...(person !== null && { email: emailOf(person) }),
  })
  for (const told of sites)
    await keptUpToDate(tx, scope, { which, made, told }, (at, one) => installOn(at, scope, row, one))
  for (const named of license.named ?? []) await addSite(then, scope, row.id, named)
  if (license.isCancelled) await cancelLicense(asOf(tx, tx.clock.real() - DAY), scope, row.id, {})
}

/** The bundle's license of somebody who uses one of its products. */
async function sellBundle(tx: TxContext, demo: Demo): Promise<void> {
  const user = await userOf(tx, scopeOf(demo, demo.productId), 10)
  const bundle = await findBundleOf(tx.db, demo.productId)
  if (user === undefined || !bundle) return
  const scope = scopeOf(demo, bundle.id)
  const [offer] = await findOffers(tx.db, bundle.id)
  if (!offer) return
  const product = scopeOf(demo, demo.productId)
  const told = site('https://ten.example.org', 'Ten', versionThen('first', 0))
  const { install: created } = await createInstall(tx, product, {
    ...told,
    user_id: user,
    uid: uidOf(told.url),
  })
  await createLicense(tx, scope, offer, { period: 12, existing_install_id: created.id })
}

async function addFreeInstall(tx: TxContext, scope: Scope): Promise<void> {
  const user = await userOf(tx, scope, 12)
  if (user === undefined) return
  const told = { ...site('https://twelve.example.org', 'Twelve', versionThen('first', 0)), is_premium: false }
  await createInstall(tx, scope, { ...told, user_id: user, uid: uidOf(told.url) })
}

const userOf = async (tx: TxContext, scope: Scope, person: number): Promise<number | undefined> =>
  (await findUserByEmail(tx.db, scope, fold(emailOf(person))))?.user_id
