import type { ReadContext, TxContext } from '../context.ts'
import type { PortalPart } from '../access/portal-parts.ts'
import { boundBy, type Bound } from '../access/portal-rows.ts'
import type { Scope } from '../access/scope.ts'
import { unauthorized, type ApiError } from '../lib/errors.ts'
import type { AnyOperation } from './operation.ts'

interface Asked {
  readonly scope: Scope
}

/** What of the portal an operation is for this request; empty: nothing that can be switched off. */
function partsOf(op: AnyOperation, request: Asked): readonly PortalPart[] {
  const { portal = [] } = op
  return typeof portal === 'function' ? portal(request as never) : portal
}

const isList = (op: AnyOperation, { isFamily = false }: Scope): boolean => op.kind === 'read' && isFamily

/**
 * The scope of a call, with what is off where it is the portal's; 401 `off_in_portal` where that is what it asks for.
 */
export const inPortal = <R extends Asked>(ctx: ReadContext, op: AnyOperation, request: R): Promise<R> =>
  bound(ctx, op, request, null)

/** As `inPortal`, in the transaction of a change: nobody switches off what it does before it has ended. */
export const heldInPortal = <R extends Asked>(ctx: TxContext, op: AnyOperation, request: R): Promise<R> =>
  bound(ctx, op, request, ctx.db)

/** Whether a call comes from the portal. */
export const isOfPortal = ({ actor }: Scope): boolean => actor.isInPortal === true

async function bound<R extends Asked>(
  ctx: ReadContext,
  op: AnyOperation,
  request: R,
  held: TxContext['db'] | null,
): Promise<R> {
  const { scope } = request
  const parts = partsOf(op, request)
  const found = await boundBy(ctx.db, scope, { parts, isList: isList(op, scope) }, held)
  if (parts.some((part) => found.off.has(part))) throw offInPortal(found)
  return { ...request, scope: { ...scope, portalOff: found.off } }
}

function offInPortal({ support }: Bound): ApiError {
  const instead = support === null ? '' : ` Write to ${support}.`
  return unauthorized('off_in_portal', `The seller has this switched off in the portal.${instead}`)
}
