import type { Context, TxContext } from '../../context.ts'
import type { GatewayEvent, Paid, StoredMethod } from '../../gateways/gateway.ts'
import { MINUTE, toUtcTime } from '../../lib/time.ts'
import type { ChargeRow } from './charge-rows.ts'
import { takeEvent, type GatewayEventRow } from './gateway-event-queries.ts'

type ChargeEvent = Extract<GatewayEvent, { type: 'charge' }>

/** What is kept of a charge that was settled. */
export const NOTHING_KEPT = { report: null, method: null } as const

const PLACE = 'gateway_events.method'

/** What a gateway has told of a charge, as it is kept until it can be settled: its method of payment is sealed. */
export function keptCharge({ keys }: Pick<Context, 'keys'>, event: ChargeEvent) {
  const { charge } = event
  if (charge.outcome !== 'paid' || charge.method === null)
    return { report: JSON.stringify(event), method: null }
  const report = JSON.stringify({ ...event, charge: { ...charge, method: null } })
  return { report, method: keys.seal(JSON.stringify(charge.method), PLACE) }
}

/** What was reported, as it was; null: nothing of it is kept. */
export function openedReport(
  { keys }: Pick<Context, 'keys'>,
  { report, method }: Pick<GatewayEventRow, 'report' | 'method'>,
): GatewayEvent | null {
  if (report === null) return null
  const event = JSON.parse(report) as GatewayEvent
  if (method === null || event.type !== 'charge' || event.charge.outcome !== 'paid') return event
  const opened = JSON.parse(keys.open(method, PLACE)) as StoredMethod
  return { ...event, charge: { ...event.charge, method: opened } }
}

/** Keeps what a gateway was paid for a charge until it can be settled, as if it had reported it by itself; once. */
export async function keepPaid(tx: TxContext, charge: ChargeRow, paid: Paid): Promise<void> {
  const { id, key, gateway } = charge
  const now = tx.clock.real()
  const event_id = `kept:${id}`
  const told = {
    type: 'charge',
    id: event_id,
    at: now,
    chargeId: paid.externalId,
    key,
    charge: paid,
  } as const
  const kept = { ...keptCharge(tx, told), refund_id: null, due_at: now + MINUTE }
  await takeEvent(tx.db, { ...kept, gateway, event_id, created: toUtcTime(now) })
}
