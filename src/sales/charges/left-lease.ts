import type { Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { storeLater, storeNow } from '../../db/store-later.ts'
import { MINUTE } from '../../lib/time.ts'
import { dropLease } from './charge-queries.ts'
import type { ChargeRow } from './charge-rows.ts'
import type { Scope } from '../../access/scope.ts'

/** As long as a charge is in hand at most. */
const TRIED_MS = 2 * MINUTE

export interface Taken {
  readonly scope: Scope
  /** The charge that this call took in hand; null: none, or of one that is named it only asked how it stands. */
  readonly taken: Pick<ChargeRow, 'id' | 'lease_until'> | null
}

const nameOf = (id: number) => `charge ${id}`

/**
 * Notes that nothing could be stored of what the gateway said of a charge: whoever comes next takes it in hand as soon
 * as there is room, in this process at once, in others within a second or so.
 */
export function leaveLease({ database }: Pick<Context, 'database'>, { scope, taken }: Taken): void {
  if (taken) storeLater(database, nameOf(taken.id), TRIED_MS, (db) => dropLease(db, scope, taken))
}

/** Gives back the lease of a charge that this process has left; does nothing of any other. As `transaction`. */
export const giveBackLease = ({ database }: Pick<Context, 'database'>, id: number): Promise<void> =>
  storeNow(database, nameOf(id))

/** Does what a charge was taken in hand for, and leaves it where the database could not be had meanwhile. */
export async function inHandOf<T>(ctx: Context, taken: Taken, does: () => Promise<T>): Promise<T> {
  try {
    return await does()
  } catch (error) {
    if (error instanceof DatabaseBusy) leaveLease(ctx, taken)
    throw error
  }
}
