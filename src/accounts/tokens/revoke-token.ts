import type { TxContext } from '../../context.ts'
import { revokeMadeBy } from './api-token-rows.ts'

/** Ends whatever a token has made that was revoked right before, and what these have made. */
export async function revokeWhatItMade(ctx: TxContext, id: number): Promise<void> {
  const now = ctx.clock.now()
  for (let ids = [id]; ids.length > 0;) ids = await revokeMadeBy(ctx.db, ids, now)
}
