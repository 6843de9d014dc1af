import { transaction, type Context } from '../../context.ts'
import { findGateway } from '../../gateways/choose.ts'
import type { ChargeOutcome } from '../../gateways/gateway.ts'
import { HOUR } from '../../lib/time.ts'
import { foundByKey } from './found-by-key.ts'
import { lookAt, takeToLookUp } from './left-charge-queries.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'
import { giveUpLeft } from './ask-gateway.ts'
import { LAST_LOOK_MS, namedCharge } from './known-charge.ts'
import { settleAfterAll } from './settle-after-all.ts'

/** Until a look comes again that could not be done. */
const AGAIN_MS = HOUR

/** The farthest ahead that a look is ever set. */
export const MOST_AHEAD_MS = LAST_LOOK_MS

/**
 * Looks a charge up for the last time that was let go as never made (`docs/decisions.md` 5.12): what was paid after all
 * buys or renews what it was for, else it is given back; what is not found, or was declined, is forgotten. What has no
 * answer or is not decided comes again.
 */
export async function lookAgain(ctx: Context, id: number): Promise<void> {
  const charge = await transaction(ctx, ({ db, clock }) => {
    const now = clock.real()
    return takeToLookUp(db, { id, now, most: MOST_AHEAD_MS, until: now + AGAIN_MS })
  })
  const outcome = charge && (await standing(ctx, charge))
  if (!charge || outcome === undefined || outcome?.outcome === 'pending') return
  await transaction(ctx, async (tx) => {
    if (outcome?.outcome === 'paid') {
      if ((await settleAfterAll(tx, charge, outcome)) === 'later') return
      tx.log.error({ charge: id }, 'what was let go was paid')
    }
    await lookAt(tx.db, id, null)
  })
}

/** How it stands at its gateway; null: there is none, undefined: that is not set up. */
async function standing(ctx: Context, charge: ReportedCharge): Promise<ChargeOutcome | null | undefined> {
  const gateway = findGateway(ctx.gateways, charge)
  if (!gateway) return undefined
  const found = (await namedCharge(gateway, charge)) ?? (await foundByKey(ctx, gateway, charge))
  return found ? giveUpLeft(ctx, charge, found.charge) : null
}
