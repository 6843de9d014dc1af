import type { Context, TxContext } from '../../context.ts'
import { findGateway } from '../../gateways/choose.ts'
import { systemScope } from '../../access/scope.ts'
import { latelySince } from '../../db/has-come.ts'
import { storeLater } from '../../db/store-later.ts'
import type { UtcTime } from '../../lib/time.ts'
import { beginNext, startedCharge, type ChargeRow } from '../charges/charge-rows.ts'
import type { VatId } from '../taxes/tax.ts'
import { checkVatId } from '../taxes/vat-id.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import { CHANGE_MS, isChangingNow } from '../checkouts/front/change.ts'
import { askRenewal, followRenewal, LEASE_MS, NOT_SET_UP, REST_MS, settleRenewal } from './follow-renewal.ts'
import { inHandOf } from '../charges/left-lease.ts'
import { leaveOutPast } from './late-renewal.ts'
import type { NoticePlace } from '../../db/waiting.ts'
import { changeSubscription, claimRenewals, giveBackClaimed, holdClaimed, restClaimed } from './queries.ts'
import { aboutRenewal, aboutRenewals, type AboutRenewal } from './renewal-rows.ts'
import type { RenewalDetails } from './attempt.ts'
import { orLeave } from '../../work/or-leave.ts'
import { mayRenew } from '../../work/renewal-watch.ts'
import { isFirstPayment, quoteOf } from './quote.ts'
import { announceRetry, scopeOf, settleFailed, settlePaid, type Attempt } from './settle-renewal.ts'
import { Together } from '../../work/together.ts'

/** Calls to gateways at a time. */
const TOGETHER = 16

/**
 * Charges a batch of renewals that are due, each of which this caller alone has in hand; how many it took. A charge
 * is written down before it is made and settled after it, under a name that is the same each time it is asked for again
 * (`renewal:{subscription}:{period}:{attempt}`, `docs/decisions.md` 5.11; `conversion:…` for the first payment, at the
 * end of a trial), so that a process that ends in between charges nobody twice, and nobody is charged without the
 * license that was paid.
 */
export async function renewDue(ctx: Context, place: NoticePlace): Promise<number> {
  const { database, clock } = ctx
  const claim = { engine: database.engine, place, now: clock.real(), leaseMs: LEASE_MS }
  const claimed = await database.transaction(async (db) =>
    place.environment === 1 || (await mayRenew(ctx, db)) ? claimRenewals(db, claim) : [],
  )
  if (claimed.length === 0) return 0
  const about = new Map(
    (
      await aboutRenewals(
        ctx.db,
        claimed.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  const waiting = claimed.values()
  const together = new Together(ctx)
  const work = async () => {
    for (const row of waiting) {
      const known = about.get(row.id)
      if (known) await renewOrLeave(ctx, together, { row, about: known, now: place.now })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: TOGETHER }, work))
  const failed = ended.find((one) => one.status === 'rejected')
  if (!failed) return claimed.length
  storeLater(database, `renewals ${claimed[0]?.id}`, LEASE_MS, (db) => giveBackClaimed(db, claimed))
  throw failed.reason
}

interface Due {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
  /** On the clock of the subscription. */
  readonly now: UtcTime
}

/** What is wrong with one keeps none of the others from being renewed; it comes again less and less often. */
const renewOrLeave = (ctx: Context, together: Together, due: Due): Promise<unknown> =>
  orLeave(ctx, { work: 'renew', rowId: due.row.id }, () => renew(ctx, together, due))

/** While a charge is not decided no other is begun: it is followed first. */
async function renew(ctx: Context, together: Together, due: Due): Promise<void> {
  const { row, about } = due
  if (about.open_charge_id !== null) {
    const open = { id: about.open_charge_id, product_id: row.product_id, developer_id: about.developer_id }
    if (await followRenewal(ctx, open)) return
    await together.run((tx) => restClaimed(tx.db, row, tx.clock.real() + REST_MS))
    return
  }
  const { vat_id: text } = row
  const vatId = text === null ? null : await checkVatId(text, ctx.vatIds)
  const { gateways } = ctx
  const begun = await together.run((tx) => begin(tx, { row, now: due.now, gateways }, vatId))
  if (!begun) return
  const { charge, about: known } = begun
  await inHandOf(ctx, { scope: scopeOf(begun), taken: charge }, async () => {
    const outcome = await askRenewal(ctx, {
      charge,
      token: known.token,
      description: known.product,
      isWanted: true,
    })
    await together.run(async (tx) => {
      if (await settleRenewal(tx, begun, outcome)) return
      await restClaimed(tx.db, row, tx.clock.real() + REST_MS)
    })
  })
}

type Begun = Attempt & { readonly charge: ChargeRow }

/** Writes down the charge; what needs none is settled at once, and what is not this caller's any more left. */
async function begin(
  tx: TxContext,
  { row: claimed, now, gateways }: Pick<Due, 'row' | 'now'> & Pick<Context, 'gateways'>,
  vatId: VatId | null,
): Promise<Begun | null> {
  const held = await holdClaimed(tx.db, claimed)
  if (!held || held.canceled_at !== null || held.next_payment === null || held.due_at === null) return null
  const about = await aboutRenewal(tx.db, held.id)
  if (await isBeingChanged(tx, held, about)) return done(restClaimed(tx.db, held, tx.clock.real() + REST_MS))
  const row = await leaveOutPast(tx, { row: held, about, now })
  if (row.next_payment === null) return null
  const priced = await quoteOf(tx, { row, about, vatId, now })
  const attempt: Attempt = { row, about, now, period: row.next_payment, ...priced, charge: null }
  const gateway = about.method_gateway ?? row.gateway
  if (priced.quote.total === 0) return done(settlePaid(tx, attempt, null))
  if (about.token === null || gateway === null) return done(settleUnchargeable(tx, attempt))
  const isSetUp = findGateway(gateways, { gateway, environment: row.environment }) !== undefined
  return beginAt(tx, attempt, { gateway, isSetUp })
}

/** Where the gateway is not set up nobody has declined anything: the renewal waits until it is. */
async function beginAt(
  tx: TxContext,
  attempt: Attempt,
  { gateway, isSetUp }: { readonly gateway: string; readonly isSetUp: boolean },
): Promise<Begun | null> {
  if (!isSetUp) {
    const { id, environment } = attempt.row
    tx.log.error({ gateway, environment, subscription: id }, NOT_SET_UP)
    return done(restClaimed(tx.db, attempt.row, tx.clock.real() + REST_MS))
  }
  const charge = await begunCharge(tx, attempt, gateway)
  if (attempt.row.attempt > 0) await announceRetry(tx, attempt)
  return { ...attempt, charge }
}

/** Whether somebody pays at the checkout for what replaces the subscription. */
async function isBeingChanged(
  tx: TxContext,
  { id, product_id: productId }: SubscriptionRow,
  { developer_id: developerId, other_open_charge_id: other }: AboutRenewal,
): Promise<boolean> {
  if (other === null) return false
  const lately = latelySince(tx.clock.real() - CHANGE_MS, tx.clock.real())
  return isChangingNow(tx.db, systemScope({ developerId, productId }), { id, lately })
}

async function done(work: Promise<unknown>): Promise<null> {
  await work
  return null
}

/** What is paid elsewhere is not charged here; else whoever has no method of payment cannot pay. */
const settleUnchargeable = (tx: TxContext, attempt: Attempt): Promise<unknown> =>
  attempt.row.is_elsewhere
    ? changeSubscription(tx.db, attempt.row.id, { due_at: null, lease_until: 0 })
    : settleFailed(tx, attempt, 'There is no method of payment.')

const begunCharge = (tx: TxContext, attempt: Attempt, gateway: string): Promise<ChargeRow> =>
  beginNext(tx.db, chargeOf(tx, attempt, gateway), {
    of: 'subscription_id',
    rest: `:${attempt.row.attempt + 1}`,
  })

/** Without the number of the attempt. */
const keyOf = ({ row, period }: Attempt): string =>
  `${isFirstPayment(row) ? 'conversion' : 'renewal'}:${row.id}:${period.replaceAll(/\D/g, '')}`

function chargeOf(tx: TxContext, attempt: Attempt, gateway: string) {
  const { row, about, quote, tax, couponId } = attempt
  const details: RenewalDetails = { quote, tax, couponId, description: about.product }
  return startedCharge(tx.clock.real(), {
    key: keyOf(attempt),
    product_id: row.product_id,
    user_id: row.user_id,
    environment: row.environment,
    purpose: 'renewal',
    subscription_id: row.id,
    payment_id: null,
    amount: quote.total,
    currency: quote.currency,
    gateway,
    details: JSON.stringify(details),
    lease_until: tx.clock.real() + LEASE_MS,
  })
}
