import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import type { Database } from '../db/database.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import { dropLease } from '../resources/payments/charge-queries.ts'
import type { Asked } from './checkout-action.ts'

/** As long as a charge is in hand at most. */
const TRIED_MS = 2 * MINUTE

type Left = Pick<Asked, 'scope'> & { readonly charge: NonNullable<Asked['charge']> }

const leftIn = new WeakMap<Database, Map<number, Left>>()

/**
 * Notes that nothing could be stored of what the gateway said of a charge: whoever comes next takes it in hand as soon
 * as there is room, in this process at once, in others within a second or so.
 */
export function leaveLease(ctx: Context, { scope, charge }: Pick<Asked, 'scope' | 'charge'>): void {
  if (!charge) return
  const left = leftIn.get(ctx.database) ?? new Map<number, Left>()
  leftIn.set(ctx.database, left)
  left.set(charge.id, { scope, charge })
  void tryOn(ctx, charge.id)
}

/** Gives back the lease of a charge that this process has left; does nothing of any other. As `transaction`. */
export async function giveBackLease({ database }: Pick<Context, 'database'>, id: number): Promise<void> {
  const left = leftIn.get(database)
  const mine = left?.get(id)
  if (!mine) return
  await database.transaction((db) => dropLease(db, mine.scope, mine.charge))
  left?.delete(id)
}

async function tryOn(ctx: Context, id: number): Promise<void> {
  const giveUp = performance.now() + TRIED_MS
  while (performance.now() < giveUp) {
    await sleep(SECOND, undefined, { ref: false })
    try {
      return await giveBackLease(ctx, id)
    } catch (error) {
      // A database that was closed meanwhile is nobody's any more; its lease ends by itself.
      if (!(error instanceof DatabaseBusy)) break
    }
  }
  leftIn.get(ctx.database)?.delete(id)
}
