import { goOn, type Soon } from '../lib/soon.ts'
import { findPairOfInstall } from './credential-queries.ts'
import type { Frame } from './frame.ts'
import type { AnyOperation } from './operation.ts'
import { isStranger, type Scope } from './scope.ts'

interface Decoded {
  readonly scope: Scope
}

/**
 * Counts a request against what its caller may do: one who proves nothing by address and product, the write of an
 * install by the install and by the pair of keys that it was made with, that of own keys by their pair. Throws 429 when
 * there was too much. Whoever is the seller, and what only reads, is not counted here.
 */
export function limitCaller(frame: Frame, op: AnyOperation, decoded: Decoded): Soon<void> {
  const { kind } = decoded.scope.actor
  if (isStranger(decoded.scope)) return limitStranger(frame, op, decoded)
  if (op.kind === 'write' && (kind === 'user' || kind === 'install')) return limitSite(frame, op, decoded)
}

function limitStranger(frame: Frame, op: AnyOperation, decoded: Decoded): Soon<void> {
  const { limits, ctx } = frame
  const { ip, productId } = decoded.scope
  if (ip === null) return
  if (op.isCheckout) limits.checkout({ ip, what: op.id }, ctx.clock.real())
  else if (op.isAnybodys) {
    return goOn(weightOf(frame, op, decoded), (sites) =>
      limits.stranger({ ip, productId, what: op.id, sites }, ctx.clock.real()),
    )
  }
}

const weightOf = ({ ctx }: Frame, op: AnyOperation, decoded: Decoded): Soon<number> =>
  op.weightOf?.(decoded as never, ctx as never) ?? 1

/** Keys that reach everything of a person were shown to be the person's; their installs count all the same. */
function limitSite(frame: Frame, op: AnyOperation, decoded: Decoded): Soon<void> {
  const { limits, ctx } = frame
  const { installId, reach } = decoded.scope
  if (!limits.countsSites || (installId === null && !reach)) return
  return goOn(weightOf(frame, op, decoded), (weight) => {
    if (installId !== null) limits.install(installId, ctx.clock.real(), weight)
    if (!reach) return
    return goOn(pairOf(frame, decoded.scope), (pair) => limits.pair(pair, ctx.clock.real(), weight))
  })
}

/** What the pair of own keys by which somebody calls is counted as. */
function pairOf({ ctx }: Frame, { installId, userId, productId, userKeyId }: Scope): Soon<string> {
  const sellers = `of user ${userId} in ${productId}`
  if (installId === null) return userKeyId === undefined ? sellers : String(userKeyId)
  return goOn(findPairOfInstall(ctx.db, { id: installId }), ([pair]) => (pair ? String(pair.id) : sellers))
}
