import { quietly, type Context, type TxContext } from '../../context.ts'
import { claim } from '../../db/claim.ts'
import type { Engine } from '../../db/database.ts'
import { numberEvents, takeSequence } from '../../db/event-sequence.ts'
import type { Config } from '../../config.ts'
import { orLeave } from '../../work/or-leave.ts'
import { SECOND, toUtcTime } from '../../lib/time.ts'
import type { WebhookRow } from '../listeners/webhook.entity.ts'
import { poster, type Poster } from './post.ts'
import type { QueueJob } from '../../job.ts'
import { LEASE_MS, takeBatch, tellListener, type Batch } from './tell-listener.ts'
import {
  anyToTell,
  findToFanOut,
  pullIn,
  releaseWebhook,
  fanOut,
  switchOff,
  WITHIN_MS,
} from './webhook-queries.ts'

const BATCH = 500
/** How many listeners are claimed at once. */
const LISTENERS = 50
/** For what other processes write (`docs/decisions.md` 6.7). */
const POLL_MS = SECOND / 20

/**
 * Numbers events, fans them out to listeners, and tells those what is due. Each listener is a queue of its own: it is
 * claimed whole, and told beside the others, so that none waits for another (`docs/decisions.md` 6.5, 6.7).
 */
export const deliverEvents: QueueJob = {
  kind: 'queue',
  name: 'deliver-events',
  pollMs: POLL_MS,
  isDue: (ctx) => anyToTell(ctx.database, ctx.clock.real()),
  async run(ctx, stopping, beside) {
    const { hasMore, batches } = await quietly(ctx, (tx) => begin(tx, ctx.database.engine, stopping))
    for (const batch of batches) beside(tell(ctx, batch, stopping))
    return hasMore ? 'more' : 'done'
  },
}

interface Begun {
  /** Whether there may be more to fan out, or more listeners. */
  readonly hasMore: boolean
  readonly batches: readonly Batch[]
}

/** In one transaction, as every other one costs a commit: what happened is fanned out, and who is due is claimed. */
async function begin(tx: TxContext, engine: Engine, stopping: AbortSignal): Promise<Begun> {
  const hasMore = await fanOutSome(tx, engine)
  const options = { engine, now: tx.clock.real(), leaseMs: LEASE_MS, withinMs: WITHIN_MS, limit: LISTENERS }
  const claimed = await claim(tx.db, 'webhooks', options)
  const batches: Batch[] = []
  for (const webhook of claimed) {
    await pullIn(tx.db, webhook, options.now)
    const batch = await takeBatch(tx, engine, webhook, stopping)
    if (batch) batches.push(batch)
  }
  return { hasMore: hasMore || claimed.length === LISTENERS, batches }
}

/** True when there may be more. One process does this at a time. */
async function fanOutSome({ db, clock }: TxContext, engine: Engine): Promise<boolean> {
  if (!(await takeSequence(db, engine))) return false
  const hasMore = await numberEvents(db, engine)
  const ids = await findToFanOut(db, BATCH)
  const now = clock.real()
  if (ids.length > 0) await fanOut(db, ids, { now, time: toUtcTime(now) })
  return hasMore || ids.length === BATCH
}

/** A listener that a fault keeps from being told is taken up again less and less often, and switched off at last. */
async function tell(ctx: Context, batch: Batch, stopping: AbortSignal): Promise<void> {
  const { webhook } = batch
  try {
    const until = await orLeave(ctx, { work: 'tell-listeners', rowId: webhook.id }, () =>
      tellListener(ctx, posterOf(ctx.config), batch, stopping),
    )
    if (until !== undefined) await quietly(ctx, (tx) => leave(tx, webhook, until))
  } catch (error) {
    ctx.log.error({ err: error, webhook: webhook.id }, 'a listener could not be told')
  }
}

/** Null: for good. */
async function leave({ db, clock }: TxContext, webhook: WebhookRow, until: number | null): Promise<void> {
  await releaseWebhook(db, webhook, until ?? 0)
  if (until === null) await switchOff(db, webhook, { reason: 'failing', time: clock.now() })
}

const posters = new WeakMap<Config, Poster>()

/** One for a process, so that connections are kept. */
function posterOf(config: Config): Poster {
  const known = posters.get(config) ?? poster(config)
  posters.set(config, known)
  return known
}
