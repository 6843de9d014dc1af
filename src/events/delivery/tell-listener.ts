import { setMaxListeners } from 'node:events'
import { quietly, type Context, type TxContext } from '../../context.ts'
import type { Engine, Writer } from '../../db/database.ts'
import { lockEvents } from '../../db/event-sequence.ts'
import { errorText } from '../../lib/error-text.ts'
import { SECOND } from '../../lib/time.ts'
import { addressOf } from '../listeners/address.ts'
import type { WebhookRow } from '../listeners/webhook.entity.ts'
import type { Posted, Poster } from './post.ts'
import { chainsOf, type Chain } from './chains.ts'
import { lettersOf, type Letter } from './letters.ts'
import { hasArrived, settleAttempts, type Attempted } from './settle-attempts.ts'
import {
  endDeliveries,
  findDue,
  findUnended,
  holdWebhook,
  leaveWebhook,
  park,
  releaseWebhook,
  settleEvents,
  type DueDelivery,
} from './webhook-queries.ts'

/** How long a listener of a process that died is left alone. */
export const LEASE_MS = 5 * SECOND
/** How often a claim is extended while a batch lasts. */
const HOLD_MS = SECOND
const BATCH = 250
/** So many of the longest due are looked at for those that wait for others. */
const PARKED = 1_000
/** No delivery of a batch is begun later than this, so that what is due meanwhile is seen. */
const BATCH_MS = SECOND
/** How long a process that is to end waits for answers. */
const GRACE_MS = 2 * SECOND
/** How many deliveries are on their way to a listener at once: while it answers, and while it does not. */
const LANES = 16
const LANES_FAILING = 2
/** After so many failures in a row a listener is tried with a few deliveries at a time, and left alone in between. */
const FAILING = 10
const PROBES = 10
const PAUSE_MS = SECOND

/** A listener that this process has claimed, and what is to be sent to it at once. */
export interface Batch {
  readonly webhook: WebhookRow
  readonly chains: readonly Chain[]
}

/**
 * Tells a listener all that is due, then gives it back. What was sent is written before more is sent; a process that
 * dies in between leaves it to another, which sends it again (`docs/decisions.md` 6.6).
 */
export async function tellListener(
  ctx: Context,
  poster: Poster,
  first: Batch,
  stopping: AbortSignal,
): Promise<void> {
  const { engine } = ctx.database
  for (let batch: Batch | null = first; batch !== null;) {
    const { webhook }: Batch = batch
    const attempts: readonly Attempted[] = await tell(ctx, poster, batch, stopping)
    batch = await quietly(ctx, (tx) => nextBatch(tx, engine, { webhook, attempts, stopping }))
  }
}

interface Told {
  readonly webhook: WebhookRow
  readonly attempts: readonly Attempted[]
  readonly stopping: AbortSignal
}

/** Writes what came of the last batch, and takes the next. Null: it was given back, or another process has it. */
async function nextBatch(
  tx: TxContext,
  engine: Engine,
  { webhook, attempts, stopping }: Told,
): Promise<Batch | null> {
  const held = await holdWebhook(tx.db, webhook, tx.clock.real() + LEASE_MS)
  if (!held) return null
  if (attempts.length === 0) return takeBatch(tx, engine, held, stopping)
  const settled = await settleAttempts(tx, engine, held, attempts)
  if (!settled.is_active || settled.failures < FAILING) return takeBatch(tx, engine, settled, stopping)
  await releaseWebhook(tx.db, settled, tx.clock.real() + PAUSE_MS)
  return null
}

/** Takes what is due to a claimed listener; null: nothing is, or the process has to end, and it was given back. */
export async function takeBatch(
  tx: TxContext,
  engine: Engine,
  webhook: WebhookRow,
  stopping: AbortSignal,
): Promise<Batch | null> {
  if (stopping.aborted) {
    await leaveWebhook(tx.db, webhook)
    return null
  }
  if (!webhook.is_active && (await cancelSome(tx, engine, webhook))) return { webhook, chains: [] }
  const now = tx.clock.real()
  const found = await findDue(tx.db, webhook, { now, limit: BATCH })
  if (found.length === 0) {
    await releaseWebhook(tx.db, webhook, 0)
    return null
  }
  const { chains, blocked } = chainsOf(found)
  if (blocked.length > 0) await parkBlocked(tx.db, webhook, now)
  return { webhook, chains: webhook.failures < FAILING ? chains : chains.slice(0, PROBES) }
}

/** Parks at once what waits among many of the longest due. */
async function parkBlocked(db: Writer, webhook: WebhookRow, now: number): Promise<void> {
  const { blocked } = chainsOf(await findDue(db, webhook, { now, limit: PARKED }))
  if (blocked.length > 0) await park(db, idsOf(blocked))
}

const idsOf = (deliveries: readonly DueDelivery[]) => deliveries.map(({ id }) => id)

/** Ends what a listener that is off would have been sent; false when nothing is left. */
async function cancelSome({ db, clock }: TxContext, engine: Engine, webhook: WebhookRow): Promise<boolean> {
  const rows = await findUnended(db, webhook, BATCH)
  if (rows.length === 0) return false
  const time = clock.now()
  const eventIds = rows.map(({ event_id: id }) => id)
  await lockEvents(db, engine, eventIds)
  await endDeliveries(
    db,
    rows.map(({ id }) => id),
    { state: 'canceled', attempts: 0, time },
  )
  await settleEvents(db, eventIds, time)
  return true
}

/**
 * Sends what is due, some chains at a time. What is on its way when the process has to end is no failure of the
 * listener: it is left to another process.
 */
async function tell(
  ctx: Context,
  poster: Poster,
  { webhook, chains }: Batch,
  stopping: AbortSignal,
): Promise<Attempted[]> {
  if (chains.length === 0) return []
  const { url, failures } = webhook
  const address = addressOf(ctx, webhook)
  const { letters, unmade } = await lettersOf(ctx, webhook, chains.flat())
  const told: Attempted[] = unmade.map(({ delivery, error }) => {
    ctx.log.error({ err: error, event: delivery.event_id }, 'the body of an event could not be made')
    const posted = unanswered(`The event could not be made: ${errorText(error)}`)
    return { delivery, url: null, at: ctx.clock.real(), posted }
  })
  const letterOf = new Map(letters.map((letter) => [letter.delivery.id, letter]))
  const waiting = chains.values()
  const until = performance.now() + BATCH_MS
  const { cut, forget } = cutAfter(stopping)
  const send = async (letter: Letter): Promise<Sent> => {
    if (stopping.aborted || performance.now() > until) return 'over'
    const at = ctx.clock.real()
    const posted = await postOne(poster, address, { letter, at, cut })
    if (posted === null) return 'over'
    const attempted = { delivery: letter.delivery, url, at, posted }
    told.push(attempted)
    return hasArrived(attempted) ? 'arrived' : 'failed'
  }
  const lane = async () => {
    for (const chain of waiting) if ((await sendChain(chain, letterOf, send)) === 'over') return
  }
  const stopHolding = keepHold(ctx, webhook)
  await Promise.all(Array.from({ length: failures === 0 ? LANES : LANES_FAILING }, lane))
  await stopHolding()
  forget()
  return told
}

/** What came of a delivery; over: it was not sent, as the batch is over. */
type Sent = 'arrived' | 'failed' | 'over'

/** Sends a chain up to the first that does not arrive. */
async function sendChain(
  chain: Chain,
  letterOf: ReadonlyMap<number, Letter>,
  send: (letter: Letter) => Promise<Sent>,
): Promise<Sent> {
  for (const { id } of chain) {
    const letter = letterOf.get(id)
    const sent = letter === undefined ? 'failed' : await send(letter)
    if (sent !== 'arrived') return sent
  }
  return 'arrived'
}

/** Extends the claim of a listener again and again, so that it may be short; until what is returned is called. */
function keepHold(ctx: Context, webhook: WebhookRow): () => Promise<unknown> {
  let extending: Promise<unknown> = Promise.resolve()
  const extend = () => quietly(ctx, (tx) => holdWebhook(tx.db, webhook, tx.clock.real() + LEASE_MS))
  // A claim that cannot be extended passes, and what was sent under it is sent again by who takes it.
  const timer = setInterval(() => (extending = extend().catch(() => {})), HOLD_MS)
  return () => {
    clearInterval(timer)
    return extending
  }
}

interface Posting {
  readonly letter: Letter
  readonly at: number
  readonly cut: AbortSignal
}

/** Null: it was cut off. Whatever else goes wrong is a failure of the attempt. */
async function postOne(
  poster: Poster,
  url: string,
  { letter: { headers, body }, at, cut }: Posting,
): Promise<Posted | null> {
  try {
    return await poster.post({ url, headers: headers(at), body }, cut)
  } catch (error) {
    return cut.aborted ? null : unanswered(errorText(error))
  }
}

const unanswered = (error: string): Posted => ({
  status: null,
  answer: null,
  retryAfter: null,
  error,
  durationMs: 0,
})

/** Aborted some time after the process was told to stop. */
function cutAfter(stopping: AbortSignal): { readonly cut: AbortSignal; forget(): void } {
  const cutting = new AbortController()
  setMaxListeners(0, stopping, cutting.signal)
  let timer: NodeJS.Timeout | undefined
  const onStop = () => void (timer = setTimeout(() => cutting.abort(), GRACE_MS))
  stopping.addEventListener('abort', onStop)
  const forget = () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', onStop)
  }
  return { cut: cutting.signal, forget }
}
