import type { Context, TxContext } from '../context.ts'
import { GatewayUnreachable, type ChargeOutcome } from '../gateways/gateway.ts'
import { systemScope } from '../http/scope.ts'
import { MINUTE, toUtcTime, type UtcTime } from '../lib/time.ts'
import { nameCharge, startedCharge, type ChargeRow } from '../resources/payments/charge-queries.ts'
import type { VatId } from '../lib/tax.ts'
import { checkVatId } from '../lib/vat-id.ts'
import type { SubscriptionRow } from '../resources/subscriptions/schema.ts'
import { CHANGE_MS } from './checkout-change.ts'
import { isChangingNow } from './checkout-license-queries.ts'
import { knownCharge } from './known-charge.ts'
import type { NoticePlace } from './notice-queries.ts'
import {
  aboutRenewals,
  beginCharge,
  changeSubscription,
  claimRenewals,
  holdClaimed,
  isBegun,
  restClaimed,
  type AboutRenewal,
} from './renewal-queries.ts'
import { isFirstPayment, quoteOf, type RenewalQuote } from './renewal-quote.ts'
import { announceRetry, scopeOf, settleFailed, settlePaid, type Attempt } from './settle-renewal.ts'
import { Together } from './together.ts'

/** Longer than a gateway takes to answer. */
const LEASE_MS = 2 * MINUTE
/** How long a gateway that does not answer, or a bank that has not decided, is left alone. */
const REST_MS = 10 * MINUTE
/** Calls to gateways at a time. */
const TOGETHER = 16

/**
 * Charges a batch of renewals that are due, each of which this caller alone has in hand; how many it took. A charge
 * is written down before it is made and settled after it, under a name that is the same each time it is tried again
 * (`renewal:{subscription}:{period}:{attempt}`, DECISIONS 5.11; `conversion:…` for the first payment, at the end of
 * a trial), so that a process that ends in between charges
 * nobody twice, and nobody is charged without the license that was paid.
 */
export async function renewDue(ctx: Context, place: NoticePlace): Promise<number> {
  const { database, clock } = ctx
  const claim = { engine: database.engine, place, now: clock.real(), leaseMs: LEASE_MS }
  const claimed = await database.transaction((db) => claimRenewals(db, claim))
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
      if (known) await renewOrLog(ctx, together, { row, about: known, now: place.now })
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return claimed.length
}

interface Due {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
  /** On the clock of the subscription. */
  readonly now: UtcTime
}

/** What is wrong with one keeps none of the others from being renewed; it comes again after its lease. */
async function renewOrLog(ctx: Context, together: Together, due: Due): Promise<void> {
  try {
    await renew(ctx, together, due)
  } catch (error) {
    ctx.log.error({ err: error, subscription: due.row.id }, 'a renewal failed')
  }
}

async function renew(ctx: Context, together: Together, due: Due): Promise<void> {
  const { vat_id: text } = due.row
  const vatId = text === null ? null : await checkVatId(text, ctx.vatIds)
  const codes = ctx.gateways.map(({ code }) => code)
  const begun = await together.run((tx) => begin(tx, { ...due, codes }, vatId))
  if (!begun) return
  const outcome = await ask(ctx, begun, due.about)
  await together.run((tx) => settle(tx, begun, outcome))
}

const NOT_SET_UP = 'the gateway of a renewal is not set up'

type Begun = Attempt & { readonly charge: ChargeRow }

/** Writes down the charge; what needs none is settled at once, and what is not this caller's any more left. */
async function begin(
  tx: TxContext,
  { row: claimed, about, now, codes }: Due & { readonly codes: readonly string[] },
  vatId: VatId | null,
): Promise<Begun | null> {
  const row = await holdClaimed(tx.db, claimed)
  if (!row || row.canceled_at !== null || row.next_payment === null || row.due_at === null) return null
  if (await isBeingChanged(tx, row, about)) return done(restClaimed(tx.db, row, tx.clock.real() + REST_MS))
  const priced = await quoteOf(tx, { row, about, vatId, now })
  const attempt: Attempt = { row, about, now, period: row.next_payment, ...priced, charge: null }
  const gateway = about.method_gateway ?? row.gateway
  if (priced.quote.total === 0) return done(settlePaid(tx, attempt, null))
  if (about.token === null || gateway === null) return done(settleUnchargeable(tx, attempt))
  return beginAt(tx, attempt, { gateway, isSetUp: codes.includes(gateway) })
}

/** Only what no gateway was asked for has failed for sure; anything else rests until there is an answer. */
async function beginAt(
  tx: TxContext,
  attempt: Attempt,
  { gateway, isSetUp }: { readonly gateway: string; readonly isSetUp: boolean },
): Promise<Begun | null> {
  const asked = chargeOf(tx, attempt, gateway)
  if (!isSetUp && !(await isBegun(tx.db, asked.key))) {
    tx.log.error({ gateway, subscription: attempt.row.id }, NOT_SET_UP)
    return done(settleFailed(tx, attempt, 'The payment gateway is not set up.'))
  }
  const charge = await beginCharge(tx.db, asked)
  if (attempt.row.attempt > 0 && charge.state === 'started') await announceRetry(tx, attempt)
  return { ...attempt, ...restored(charge, attempt), charge }
}

/** Whether somebody pays at the checkout for what replaces the subscription. */
const isBeingChanged = (tx: TxContext, { id, product_id: productId }: SubscriptionRow, about: AboutRenewal) =>
  isChangingNow(tx.db, systemScope({ developerId: about.developer_id, productId }), {
    id,
    since: toUtcTime(tx.clock.real() - CHANGE_MS),
  })

async function done(work: Promise<unknown>): Promise<null> {
  await work
  return null
}

/** What is paid elsewhere is not charged here; else whoever has no method of payment cannot pay. */
const settleUnchargeable = (tx: TxContext, attempt: Attempt): Promise<unknown> =>
  attempt.row.source > 0 && attempt.row.gateway === null
    ? changeSubscription(tx.db, attempt.row.id, { due_at: null, lease_until: 0 })
    : settleFailed(tx, attempt, 'There is no method of payment.')

const chargeOf = (tx: TxContext, { row, period, quote, tax }: Attempt, gateway: string) =>
  startedCharge(tx.clock.real(), {
    key: `${isFirstPayment(row) ? 'conversion' : 'renewal'}:${row.id}:${period.replaceAll(/\D/g, '')}:${row.attempt + 1}`,
    product_id: row.product_id,
    user_id: row.user_id,
    environment: row.environment,
    purpose: 'renewal',
    subscription_id: row.id,
    payment_id: null,
    amount: quote.total,
    currency: quote.currency,
    gateway,
    details: JSON.stringify({ quote, tax }),
    lease_until: 0,
  })

/** What was asked for when the charge was first made: a gateway refuses another amount under the same name. */
const restored = ({ details }: ChargeRow, { quote, tax }: RenewalQuote): RenewalQuote =>
  details === null ? { quote, tax } : (JSON.parse(details) as RenewalQuote)

/** Null: no answer. */
async function ask(
  ctx: Context,
  { charge, quote }: Begun,
  { token, product }: AboutRenewal,
): Promise<ChargeOutcome | null> {
  const gateway = ctx.gateways.find(({ code }) => code === charge.gateway)
  if (!gateway) ctx.log.error({ gateway: charge.gateway, charge: charge.id }, NOT_SET_UP)
  if (!gateway || token === null) return null
  try {
    const known = await knownCharge(ctx, gateway, charge)
    if (known) return known.charge
    return await gateway.chargeStored({
      key: charge.key,
      amount: { minor: charge.amount, currency: quote.currency },
      description: product,
      method: ctx.keys.open(token, 'payment_methods.token'),
    })
  } catch (error) {
    if (error instanceof GatewayUnreachable) return null
    throw error
  }
}

async function settle(tx: TxContext, begun: Begun, outcome: ChargeOutcome | null): Promise<unknown> {
  switch (outcome?.outcome) {
    case 'paid':
      return settlePaid(tx, begun, outcome)
    case 'declined':
      return settleFailed(tx, begun, outcome.message)
    default:
      return rest(tx, begun, outcome?.externalId ?? null)
  }
}

/** Comes again; the charge is known as pending once the gateway has named it. */
async function rest(tx: TxContext, begun: Begun, externalId: string | null): Promise<void> {
  const { row, charge } = begun
  const now = tx.clock.real()
  const naming = { id: charge.id, externalId: externalId ?? '', updated: toUtcTime(now) }
  if (externalId !== null) await nameCharge(tx.db, scopeOf(begun), naming)
  await restClaimed(tx.db, row, now + REST_MS)
}
