import type { Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { withObjects } from '../log/read-events.ts'
import { classesIn, withoutHidden } from '../../access/data-classes.ts'
import { systemScope } from '../../access/scope.ts'
import { SECOND } from '../../lib/time.ts'
import { bodySignature, signingKey, standardHeaders } from './webhook-signatures.ts'
import type { EventRow } from '../log/schema.ts'
import type { WebhookRow } from '../listeners/webhook.entity.ts'
import { PREVIOUS_PLACE, SECRET_PLACE } from '../listeners/service.ts'
import { findEventRows, findSigner, type DueDelivery } from './webhook-queries.ts'

export interface Letter {
  readonly delivery: DueDelivery
  readonly body: string
  /** As of the moment of the attempt, milliseconds. */
  headers(at: number): Record<string, string>
}

/** A delivery of whose event no body can be made, and why. */
interface Unmade {
  readonly delivery: DueDelivery
  readonly error: unknown
}

interface Letters {
  readonly letters: readonly Letter[]
  readonly unmade: readonly Unmade[]
}

/**
 * The body is what `GET events/{id}.json` answers at this moment (`docs/decisions.md` 6.4) to who set the listener up.
 */
export async function lettersOf(
  ctx: Context,
  webhook: WebhookRow,
  due: readonly DueDelivery[],
): Promise<Letters> {
  const { secret_key: sealed } = await findSigner(ctx.db, webhook.product_id)
  const secretKey = ctx.keys.open(sealed, 'products.secret_key')
  const signing = secretsOf(ctx, webhook).map(signingKey)
  const bodies = await bodiesOf(ctx, webhook, due)
  const letters: Letter[] = []
  const unmade: Unmade[] = []
  for (const delivery of due) {
    const body = bodies.get(delivery.event_id)
    if (typeof body !== 'string') {
      unmade.push({ delivery, error: body?.error ?? new Error('There is no such event.') })
      continue
    }
    const signature = { 'x-signature': bodySignature(secretKey, body) }
    const headers = (at: number) => {
      const message = { id: `evt_${delivery.event_id}`, timestamp: Math.floor(at / SECOND), body }
      return { ...standardHeaders(signing, message), ...signature }
    }
    letters.push({ delivery, body, headers })
  }
  return { letters, unmade }
}

/** Id of an event → its body, or why it cannot be made. */
async function bodiesOf(
  ctx: Context,
  { developer_id: developerId, product_id: productId, hides }: WebhookRow,
  due: readonly DueDelivery[],
): Promise<Map<number, string | { readonly error: unknown }>> {
  const scope = systemScope({ developerId, productId })
  const rows = await findEventRows(
    ctx.db,
    due.map(({ event_id: id }) => id),
  )
  const made = async (some: EventRow[]) =>
    (await withObjects(ctx, scope, some)).map(
      (event) => [Number(event.id), JSON.stringify(withoutHidden(event, classesIn(hides)))] as const,
    )
  try {
    return new Map(await made(rows))
  } catch (error) {
    if (error instanceof DatabaseBusy) throw error
    return oneByOne(rows, made)
  }
}

/** So that an event of which no body can be made stops no other. */
async function oneByOne(
  rows: readonly EventRow[],
  made: (some: EventRow[]) => Promise<(readonly [number, string])[]>,
): Promise<Map<number, string | { readonly error: unknown }>> {
  const bodies = new Map<number, string | { readonly error: unknown }>()
  for (const row of rows) {
    try {
      for (const [id, body] of await made([row])) bodies.set(id, body)
    } catch (error) {
      if (error instanceof DatabaseBusy) throw error
      bodies.set(row.id, { error })
    }
  }
  return bodies
}

/** The present secret first; for the time of a rotation the one before it too. */
function secretsOf({ keys, clock }: Context, row: WebhookRow): string[] {
  const { secret, previous_secret: previous, previous_until: until } = row
  const before = previous !== null && (until ?? 0) > clock.real() ? [keys.open(previous, PREVIOUS_PLACE)] : []
  return [keys.open(secret, SECRET_PLACE), ...before]
}
