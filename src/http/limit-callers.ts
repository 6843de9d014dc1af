import { goOn, type Soon } from '../lib/soon.ts'
import { findOwnPairOfInstall, findPairOfInstall } from '../access/credential-rows.ts'
import type { Frame } from './frame.ts'
import { isHead } from './head.ts'
import type { AnyOperation } from './operation.ts'
import { isStranger, type Scope } from '../access/scope.ts'

interface Decoded {
  readonly scope: Scope
}

type Sent = Parameters<typeof isHead>[0]

/**
 * Counts a request against what its caller may do: one who proves nothing by address and product, the write of an
 * install by the install and by the pair of keys that it was made with, that of own keys by their pair, and as a write
 * the download of an archive, which is counted. Throws 429 when there was too much. Whoever is the
 * seller, and what only reads, as HEAD does everywhere, is not counted here.
 */
export function limitCaller(frame: Frame, op: AnyOperation, request: Sent, decoded: Decoded): Soon<void> {
  const { kind } = decoded.scope.actor
  const isCounted = !isHead(request)
  if (isStranger(decoded.scope)) return isCounted ? limitStranger(frame, op, decoded) : undefined
  if (kind !== 'user' && kind !== 'install') return
  if (isCounted && isWriting(op)) return limitSite(frame, op, decoded)
}

const isWriting = ({ kind, produces }: AnyOperation): boolean =>
  kind === 'write' || produces === 'application/zip'

/** Who downloads by an address that is proof enough: the install or user that it was given to, null where it was not. */
interface Downloading {
  readonly ip: string
  readonly productId: number
  readonly installId: number | null
  readonly userId: number | null
}

/**
 * Counts such a download as the write of its install or of its user, so that strangers use up nothing of theirs, or of
 * whoever uses an address that anybody has; throws 429 as above.
 */
export function limitDownload(
  { limits, ctx }: Frame,
  request: Sent,
  { ip, productId, installId, userId }: Downloading,
): Soon<void> {
  if (isHead(request)) return
  const now = ctx.clock.real()
  if (installId === null) {
    if (userId !== null) return limits.pair(ofUser(userId, productId), now, 1)
    return limits.stranger({ ip, productId, what: 'download' }, now)
  }
  if (!limits.countsSites) return
  limits.install(installId, now, 1)
  return goOn(findOwnPairOfInstall(ctx.db, { id: installId }), ([pair]) => {
    if (pair) limits.pair(String(pair.id), now, 1)
  })
}

function limitStranger(frame: Frame, op: AnyOperation, decoded: Decoded): Soon<void> {
  const { limits, ctx } = frame
  const { ip, productId } = decoded.scope
  if (ip === null) return
  if (op.isCheckout) return limitCheckout(frame, op, ip, decoded)
  if (op.isAnybodys) {
    return goOn(weightOf(frame, op, decoded), (sites) =>
      limits.stranger({ ip, productId, what: op.id, sites }, ctx.clock.real()),
    )
  }
}

/** The address first: whom that refuses, nothing is looked up for, nor where no product is counted. */
function limitCheckout(
  { limits, ctx }: Frame,
  { id: what, productOf }: AnyOperation,
  ip: string,
  decoded: Decoded,
): Soon<void> {
  limits.checkout({ ip, what }, ctx.clock.real())
  if (!limits.countsProducts) return
  return goOn(productOf?.(decoded as never, ctx as never) ?? null, (productId) => {
    if (productId !== null) limits.checkoutOf({ ip, productId, what }, ctx.clock.real())
  })
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

const ofUser = (userId: number | null, productId: number) => `of user ${userId} in ${productId}`

/** What the pair of own keys by which somebody calls is counted as. */
function pairOf({ ctx }: Frame, { installId, userId, productId, userKeyId }: Scope): Soon<string> {
  const sellers = ofUser(userId, productId)
  if (installId === null) return userKeyId === undefined ? sellers : String(userKeyId)
  return goOn(findPairOfInstall(ctx.db, { id: installId }), ([pair]) => (pair ? String(pair.id) : sellers))
}
