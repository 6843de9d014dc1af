import type { TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import type { EventType } from '../db/tables/event-types.ts'
import { fold } from '../lib/fold.ts'
import { toDecimal } from '../lib/money.ts'
import { isReason, OTHER } from '../lib/reasons.ts'
import { HOUR } from '../lib/time.ts'
import { setStage } from '../sales/carts/cart-stage-rows.ts'
import { recordCart } from '../sales/carts/service.ts'
import { recordEvent } from '../events/log/record.ts'
import { changeInstall } from '../licensing/installs/change.ts'
import { createInstall } from '../licensing/installs/create.ts'
import { holdInstallOfUid } from '../licensing/installs/placed-install-rows.ts'
import type { InstallRow } from '../licensing/installs/schema.ts'
import { noteUninstall } from '../licensing/installs/uninstall.ts'
import { updateSubscriptionRow } from '../sales/subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../sales/subscriptions/schema.ts'
import { createUser } from '../people/users/create.ts'
import { findUserByEmail } from '../people/users/user-rows.ts'
import { cancelLicense } from '../licensing/licenses/cancel-license.ts'
import {
  beDeclined,
  buy,
  cartOf,
  change,
  endOf,
  paidUntil,
  renewed,
  siteOf,
  versionOf,
  type Sale,
} from './buying.ts'
import { asOf, uidOf } from './part.ts'
import { RELEASES } from './releases.ts'
import { findDemoSale } from './sales-queries.ts'
import { noteUpdate } from './versions.ts'
import type { Act } from './year-plan.ts'
import { openDispute, settleDispute } from '../sales/refunds/disputes.ts'
import { holdFamily } from '../licensing/licenses/family.ts'
import { migratePayment } from '../sales/migration/migrate-payment.ts'
import { settleRefund } from '../sales/refunds/refund-payment.ts'
import { endSubscription } from '../sales/subscriptions/start-subscription.ts'
import { cancelTrial, startTrial } from '../licensing/trials/trials.ts'
import { changeFamily } from '../licensing/licenses/update-license.ts'

const DISPUTE_FEE = 1_500
const ATTEMPTS = 4
const REFUSED = 'Your card has insufficient funds.'

/** Why buyers want their money back. */
const REFUNDS = [
  'It was not what the buyer looked for.',
  'Bought twice by mistake.',
  'It does not work with the theme of the site.',
  'The client of the buyer chose another one.',
]

/** A sale as it stands; what somebody has deleted is not there. */
interface Standing {
  readonly userId: number
  readonly install: InstallRow | undefined
  readonly paid: Awaited<ReturnType<typeof findDemoSale>>
}

/** Writes down what happened to a buyer at that time; nothing where what it is about is gone. */
export async function perform(then: TxContext, sale: Sale, act: Act): Promise<void> {
  if (act.what === 'come') return come(then, sale)
  const { scope, name } = sale
  const user = await findUserByEmail(then.db, scope, fold(sale.buyer.person.email))
  if (!user) return
  const { user_id: userId } = user
  const uid = uidOf(siteOf(sale, '').url)
  const install = await holdInstallOfUid(then.db, { productId: scope.productId, userId, uid })
  const paid = await findDemoSale(then.db, scope.productId, name)
  await DO[act.what](then, sale, act.of, { userId, install, paid })
}

type Deed = (then: TxContext, sale: Sale, of: number, standing: Standing) => Promise<unknown>

const DO: Readonly<Record<Exclude<Act['what'], 'come'>, Deed>> = {
  async try(then, sale, _, { userId }) {
    const told = siteOf(sale, versionOf(then, sale))
    const uid = uidOf(told.url)
    const { install } = await createInstall(then, sale.scope, { ...told, user_id: userId, uid })
    const plan = { install_id: install.id, plan_id: sale.price.plan_id }
    await startTrial(then, sale.scope, plan, { is_migration: false })
  },
  'stop trying': (then, sale, of, { install }) =>
    ifThere(install, ({ id }) => cancelTrial(then, sale.scope, id, { ids: [of], text: undefined })),
  async leave(then, sale) {
    const left = await cartOf(asOf(then, then.clock.real() - HOUR), sale)
    const cart = await setStage(then.db, left, { status: 'abandoned', recover_at: null, mail: null })
    await recordCart(then, sale.scope, cart, { type: 'cart.abandoned' })
  },
  'be declined': (then, sale, _, { userId }) => beDeclined(then, sale, userId),
  buy: (then, sale, _, { userId }) => buy(then, sale, userId),
  renew: (then, sale, of, { paid }) => ifThere(paid?.subscription, (row) => renew(then, sale, row, of)),
  async fail(then, sale, of, { paid }) {
    const row = paid?.subscription
    if (!row || row.next_payment === null) return
    await tellFailing(then, sale, row, { type: 'subscription.renewal.failed', attempt: of })
    await tellFailing(then, sale, row, { type: 'subscription.renewal.failed_email.sent', attempt: of })
    await updateSubscriptionRow(then.db, sale.scope, row.id, {
      failed_payments: of,
      outstanding_balance: row.renewal_amount,
    })
  },
  async 'give up'(then, sale, _, { paid }) {
    const row = paid?.subscription
    if (!row || row.next_payment === null) return
    await tellFailing(then, sale, row, { type: 'subscription.renewal.failed', attempt: ATTEMPTS })
    await tellFailing(then, sale, row, { type: 'subscription.renewal.failed.last', attempt: ATTEMPTS })
    await updateSubscriptionRow(then.db, sale.scope, row.id, { failed_payments: ATTEMPTS })
    await endSubscription(then, sale.scope, row)
    await cancelUntold(then, sale.scope, row.license_id)
  },
  change: (then, sale, of, { paid }) => ifThere(paid?.subscription, (row) => change(then, sale, row, of)),
  cancel: (then, sale, of, { paid }) =>
    ifThere(paid?.subscription, (row) => endSubscription(then, sale.scope, row, { ids: [of], text: null })),
  async uninstall(then, sale, of, { install }) {
    if (!install || install.is_uninstalled) return
    const gone = await changeInstall(then, sale.scope, install, { is_active: false, is_uninstalled: true })
    await noteUninstall(then, gone, { reason_id: isReason(of) ? of : OTHER })
  },
  refund: (then, { scope, buyer }, of, { paid }) =>
    ifThere(paid, async ({ id, gross, tax, license_id: licenseId }) => {
      const amount = of < 100 && { amount: toDecimal(Math.round(((gross + tax) * of) / 100)) }
      const reason = REFUNDS[buyer.place % REFUNDS.length] ?? ''
      if (!amount) await cancelUntold(then, scope, licenseId)
      return settleRefund(then, scope, { id, input: { reason, ...amount }, begun: null })
    }),
  dispute: (then, { scope }, _, { paid }) =>
    ifThere(paid, ({ id, gross, tax }) =>
      openDispute(then, scope, { paymentId: id, minor: gross + tax, fee: DISPUTE_FEE }),
    ),
  decide: (then, { scope }, of, { paid }) =>
    ifThere(paid, async ({ id, license_id: licenseId }) => {
      if (of === 0) await cancelUntold(then, scope, licenseId)
      return settleDispute(then, scope, { paymentId: id, isWon: of === 1 })
    }),
  async update(then, sale, of, { userId, install }) {
    const release = RELEASES[sale.which][of]
    if (!release || !install || !install.is_active) return
    await changeInstall(then, sale.scope, install, { version: release.version })
    await noteUpdate(then, sale.scope, { userId, installId: install.id, version: release.version })
  },
}

const ifThere = async <T>(found: T | null | undefined, work: (found: T) => Promise<unknown>) =>
  found === null || found === undefined ? undefined : work(found)

/** Of a license that is cancelled already nobody is mailed. */
const cancelUntold = (then: TxContext, scope: Scope, licenseId: number | null) =>
  ifThere(licenseId, (id) => cancelLicense(then, scope, id, {}))

/** Signs up. */
async function come(then: TxContext, { scope, buyer: { person, place } }: Sale): Promise<void> {
  const { email, first, last } = person
  await createUser(
    then,
    scope,
    {
      email,
      first,
      last,
      ip: `203.0.113.${1 + (place % 250)}`,
      is_verified: place % 5 !== 3,
      is_marketing_allowed: place % 3 !== 1,
      send_verification_email: false,
      is_migration: false,
      source: 'freemius',
    },
    null,
  )
}

async function renew(then: TxContext, sale: Sale, row: SubscriptionRow, period: number): Promise<void> {
  if (row.next_payment === null) return
  if (row.failed_payments > 0)
    await tellFailing(then, sale, row, { type: 'subscription.renewal.retry', attempt: row.failed_payments })
  const { tax, fee } = renewed(sale, row)
  const next = paidUntil(then, sale)
  if (row.license_id !== null) {
    const family = await holdFamily(then, sale.scope, row.license_id)
    await changeFamily(then, sale.scope, family, { change: { expiration: endOf(next) }, isRenewal: true })
  }
  await migratePayment(then, sale.scope, row.id, {
    vat: toDecimal(tax),
    gateway_fee: toDecimal(fee),
    payment_external_id: `${sale.name}-${period}`,
    processed_at: then.clock.now(),
    next_payment: next,
    is_extend_license: false,
    is_migration: false,
  })
}

const tellFailing = (
  then: TxContext,
  { scope }: { readonly scope: Scope },
  row: SubscriptionRow,
  { type, attempt }: { readonly type: EventType; readonly attempt: number },
) =>
  recordEvent(then, scope, {
    type,
    environment: row.environment,
    userId: row.user_id,
    data: {
      subscription_id: String(row.id),
      license_id: String(row.license_id),
      attempt,
      attempts: ATTEMPTS,
      ...(type.startsWith('subscription.renewal.failed') && !type.endsWith('sent') && { reason: REFUSED }),
    },
  })
