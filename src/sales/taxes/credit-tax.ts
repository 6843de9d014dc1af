import { hold } from '../../db/hold.ts'
import { transaction, type Context, type TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { Refused } from '../../lib/errors.ts'
import type { VatId } from './tax.ts'
import { checkAfter, MAX_CHECKS } from './tax-checks.ts'
import { MINUTE } from '../../lib/time.ts'
import { checkVatId } from './vat-id.ts'
import { beginNext, type ChargeRow } from '../charges/charge-rows.ts'
import { hasOpenRefund } from '../charges/reported-charge-rows.ts'
import { boundTo, takeFromPayment } from '../payments/payment-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { getPayment } from '../payments/service.ts'
import { updateSubscriptionRow } from '../subscriptions/subscription-rows.ts'
import { claimTaxes, ownerOfTax, updateClaimedTax } from './provisional-queries.ts'
import type { ProvisionalTaxRow } from './provisional-tax-rows.ts'
import { askGateway, refundRow, settleAsked } from '../refunds/refund-payment.ts'
import { taxOfSale } from './tax-of-sale.ts'

/** Longer than a tax office and a gateway take to answer. */
const LEASE_MS = 5 * MINUTE
/** How long a payment is left alone of which somebody has a part in hand. */
const REST_MS = 10 * MINUTE

/**
 * Checks VAT ids again that could not be checked when they were told, of a few payments that this caller alone has
 * in hand; how many it took. Where an id is found, and there would have been no tax with it, the tax is given back at
 * the gateway once, under a name of its own (`tax:{payment}`), with a credit note (`docs/decisions.md` 5.8); what the
 * gateway refuses, or has failed to give back, is owed: it is asked for again the next day, whatever a check says then.
 * An id that is not found, and one that nobody could check for a month, leave the tax as it is.
 */
export async function recheckTaxes(ctx: Context, limit: number): Promise<number> {
  const { database, clock } = ctx
  const claim = { engine: database.engine, now: clock.real(), leaseMs: LEASE_MS, limit }
  const claimed = await database.transaction((db) => claimTaxes(db, claim))
  await Promise.all(claimed.map((row) => recheckOrLog(ctx, row)))
  return claimed.length
}

/** What is wrong with one keeps none of the others; it counts as a check without an answer. */
async function recheckOrLog(ctx: Context, row: ProvisionalTaxRow): Promise<void> {
  try {
    await recheck(ctx, row)
  } catch (error) {
    const attempts = row.attempts + 1
    const isLast = attempts >= MAX_CHECKS && row.state !== 'owed'
    const told = { err: error, payment: row.payment_id }
    if (isLast) ctx.log.error(told, 'a tax stays, as it could not be checked for a month')
    else ctx.log.warn(told, 'a tax is not credited yet')
    const again = { attempts, due_at: ctx.clock.real() + checkAfter(attempts) }
    await transaction(ctx, (tx) => leave(tx, row, isLast ? KEPT : again))
  }
}

async function recheck(ctx: Context, row: ProvisionalTaxRow): Promise<void> {
  const { developer_id: developerId } = await ownerOfTax(ctx.db, row.product_id)
  const scope = systemScope({ developerId, productId: row.product_id })
  const payment = await getPayment(ctx, scope, row.payment_id)
  const text = row.state === 'owed' ? null : payment.vat_id
  const vatId = text === null ? null : await checkVatId(text, ctx.vatIds)
  const charge = await transaction(ctx, (tx) => decide(tx, scope, row, vatId))
  if (charge) await giveBackTax(ctx, scope, charge)
}

/** What is begun and gets no answer is ended by the job that ends refunds. */
async function giveBackTax(ctx: Context, scope: Scope, charge: ChargeRow): Promise<void> {
  try {
    const outcome = await askGateway(ctx, scope, charge)
    const settled = await transaction(ctx, (tx) => settleAsked(tx, scope, charge, outcome))
    if (settled instanceof Refused) throw settled.error
  } catch (error) {
    ctx.log.error({ err: error, payment: charge.payment_id }, 'the gateway does not give back a tax')
  }
}

/** The refund that is to be made; null when there is none, or another holder has it. */
async function decide(
  tx: TxContext,
  scope: Scope,
  row: ProvisionalTaxRow,
  vatId: VatId | null,
): Promise<ChargeRow | null> {
  const payment = await hold(tx.db, 'payments', scope, row.payment_id)
  const attempts = row.attempts + 1
  const isOwed = row.state === 'owed'
  if (vatId?.check === 'unchecked' && attempts < MAX_CHECKS) {
    return leave(tx, row, { attempts, due_at: tx.clock.real() + checkAfter(attempts) })
  }
  if (!payment) return leave(tx, row, KEPT)
  if (!isOwed && !(await isReverseCharged(tx, scope, payment, vatId))) return leave(tx, row, KEPT)
  if (await isInWork(tx, scope, payment)) return leave(tx, row, { due_at: tx.clock.real() + REST_MS })
  const tax = payment.tax - payment.refunded_tax
  if (tax === 0) return leave(tx, row, isOwed ? CREDITED : KEPT)
  const updated = tx.clock.now()
  if (!(await updateClaimedTax(tx.db, row, { ...CREDITED, updated }))) return null
  return credit(tx, scope, payment, tax)
}

const KEPT = { state: 'kept', due_at: null } as const
const CREDITED = { state: 'credited', due_at: null } as const

async function leave(
  { db, clock }: TxContext,
  row: ProvisionalTaxRow,
  change: Parameters<typeof updateClaimedTax>[2],
): Promise<null> {
  await updateClaimedTax(db, row, { ...change, lease_until: 0, updated: clock.now() })
  return null
}

async function isReverseCharged(
  tx: TxContext,
  scope: Scope,
  { country_code: country, region, zip_postal_code: zip, processed_at: at }: PaymentRow,
  vatId: VatId | null,
): Promise<boolean> {
  if (country === null || vatId?.check !== 'valid') return false
  const { rule } = await taxOfSale(tx, scope, { buyer: { country, region, zip, vatId }, at })
  return rule === 'reverse_charge'
}

/** Whether it is open what will be left of a payment: a refund is not answered, or a dispute not settled. */
async function isInWork(tx: TxContext, scope: Scope, { id }: PaymentRow): Promise<boolean> {
  const types = (await boundTo(tx.db, scope, id)).map(({ type }) => type)
  const isSettled = types.includes('won_dispute') || types.includes('lost_dispute')
  return (types.includes('disputed') && !isSettled) || hasOpenRefund(tx.db, scope, id)
}

async function credit(tx: TxContext, scope: Scope, payment: PaymentRow, tax: number): Promise<ChargeRow> {
  const { id, subscription_id: subscriptionId } = payment
  const updated = tx.clock.now()
  const taken = await takeFromPayment(tx.db, scope, { id, gross: 0, tax, updated })
  if (!taken) throw new Error('What is left of a payment that is held stays.')
  if (subscriptionId !== null) {
    await updateSubscriptionRow(tx.db, scope, subscriptionId, { tax_rate: 0, updated })
  }
  const terms = {
    paymentId: id,
    gross: 0,
    tax,
    reason: 'The VAT id was found: reverse charge.',
    cancelLicense: false,
    cancelSubscription: false,
    taxRule: 'reverse_charge',
  } as const
  return beginNext(tx.db, refundRow(tx, payment, { key: `tax:${id}`, terms }), { of: 'payment_id' })
}
