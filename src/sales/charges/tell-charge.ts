import { auditCommand } from '../../access/audit-command.ts'
import { transaction, type Context } from '../../context.ts'
import { findGateway } from '../../gateways/choose.ts'
import { isListed } from './found-by-key.ts'
import { findLeft, tellLeft } from './left-charge-queries.ts'

/** What somebody has seen in the pages of a gateway: the id of a payment there, or that there is none. */
export type Seen = { readonly shownId: string } | 'missing'

/** Why nothing is written. `findable`: the gateway tells by itself. `another`: that is no payment of this charge. */
export type Untold = 'unknown' | 'decided' | 'gateway' | 'findable' | 'another'

/**
 * Takes from somebody how a charge ended that its gateway does not list any more, by its id here (`docs/gateways.md`).
 * The jobs go on from there: they book what was made, and ask again for what was not and is due still. Null: it is
 * written. `GatewayUnreachable` without an answer.
 */
export async function tellCharge(ctx: Context, id: number, seen: Seen): Promise<Untold | null> {
  const charge = await findLeft(ctx.db, id)
  if (!charge) return 'unknown'
  const gateway = findGateway(ctx.gateways, charge)
  if (!gateway) return 'gateway'
  const shown = gateway.byKey?.shown
  if (!shown || isListed(gateway, charge, ctx.clock.real())) return 'findable'
  const found = seen === 'missing' ? null : await shown(charge.key, seen.shownId)
  if (seen !== 'missing' && !found) return 'another'
  return transaction(ctx, async (tx) => {
    const externalId = found?.charge.externalId ?? null
    const told = externalId === null ? { missed_at: tx.clock.real() } : { external_id: externalId }
    if (!(await tellLeft(tx.db, id, told))) return 'decided'
    const details = { charge: id, key: charge.key, at_gateway: externalId }
    await auditCommand(tx, { command: 'charges-tell', productId: charge.product_id, details })
    return null
  })
}
