import type { TxContext } from '../../context.ts'
import type { Fired } from '../../db/tables/sandbox.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { isSandbox } from '../../lib/environment.ts'
import type { UtcTime } from '../../lib/time.ts'
import { insertFiring } from './queries.ts'

/** Something that happened of itself to an entity. */
export interface Happening {
  readonly product_id: number
  readonly environment: 0 | 1
}

interface Told {
  readonly what: Fired
  /** The event that tells the same. */
  readonly type: EventType
  /** On the clock of the entity. */
  readonly at: UtcTime
  readonly data: Readonly<Record<string, unknown>>
}

/** Writes into the timeline of the product's sandbox, in the transaction in which it happens; live, nothing. */
export async function noteFired(
  ctx: TxContext,
  { product_id, environment }: Happening,
  { what, type, at, data }: Told,
): Promise<void> {
  if (!isSandbox(environment)) return
  await insertFiring(ctx.db, { product_id, at, what, type, data: JSON.stringify(data) })
}
