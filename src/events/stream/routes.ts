import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withObjects } from '../log/read-events.ts'
import { shownTo } from '../../access/data-classes.ts'
import type { Frame } from '../../http/frame.ts'
import { isHead } from '../../http/head.ts'
import type { Permission, StreamOperation } from '../../http/other-replies.ts'
import { startResponse } from '../../http/respond.ts'
import type { Scope } from '../../access/scope.ts'
import { invalidFields, tooManyRequests } from '../../lib/errors.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { lastSeq, listEventsAfter } from '../log/event-rows.ts'

const POLL_MS = SECOND / 10
const BEAT_MS = 15 * SECOND
/** A reader that takes nothing for so long is let go. */
const STALLED_MS = 30 * SECOND
/** How often it is looked whether a reader to whom nothing happens may still read. */
const CHECK_MS = 2 * SECOND
/** Readers come again by themselves. */
const LIFE_MS = 15 * MINUTE
const BATCH = 50
const STREAMS_OF_CREDENTIAL = 20
const STREAMS_OF_DEVELOPER = 50
const STREAMS = 200

/** The connection ends with the stream, so that a server that stops need not wait for it. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/**
 * The stream of a product's events in the order of commits, from the one on that `Last-Event-ID` names, or else from
 * now on (`docs/decisions.md` 6.7); which one that is stands at the beginning and in a header, so that who has read
 * none yet misses none either when it comes again. Whoever may list events may read it, as long as that is so.
 */
export const streamOperation: StreamOperation = {
  reply: 'stream',
  id: 'keywright/stream-events',
  kind: 'read',
  path: '/events/stream',
  scopes: ['product', 'developer'],
  access: 'events.read',
  open(frame) {
    const readers = new Readers()
    return (permission, reply) => readers.admit(permission.scope, () => answer(frame, permission, reply))
  },
}

/** How many read: in all, of a developer, and by a credential. */
class Readers {
  readonly #counts = new Map<string, number>()

  async admit({ developerId, actor: { credential } }: Scope, read: () => Promise<void>): Promise<void> {
    const limits = [
      ['all', STREAMS],
      [`developer:${developerId}`, STREAMS_OF_DEVELOPER],
      [`credential:${credential}`, STREAMS_OF_CREDENTIAL],
    ] as const
    if (limits.some(([who, limit]) => this.#of(who) >= limit)) throw tooManyRequests(10)
    for (const [who] of limits) this.#counts.set(who, this.#of(who) + 1)
    try {
      await read()
    } finally {
      for (const [who] of limits) {
        if (this.#of(who) > 1) this.#counts.set(who, this.#of(who) - 1)
        else this.#counts.delete(who)
      }
    }
  }

  #of(who: string): number {
    return this.#counts.get(who) ?? 0
  }
}

async function answer(frame: Frame, permission: Permission, reply: FastifyReply): Promise<void> {
  const { scope } = permission
  const after = seqIn(reply.request) ?? (await lastSeq(frame.ctx.db, scope))
  const raw = startResponse(reply, 200, { ...HEADERS, 'last-event-id': String(after) })
  if (isHead(reply.request)) raw?.end()
  if (!raw || isHead(reply.request)) return
  const closed = new AbortController()
  raw.on('close', () => closed.abort())
  try {
    await follow(frame, permission, { raw, after, closed: closed.signal })
    raw.end()
  } catch (error) {
    raw.destroy()
    if (!closed.signal.aborted) frame.ctx.log.warn({ err: error }, 'a stream of events broke off')
  }
}

/** Null: the reader has read nothing yet. */
function seqIn({ headers, query }: FastifyRequest): number | null {
  const { last_event_id: given } = query as Readonly<Record<string, unknown>>
  const text = headers['last-event-id'] ?? given
  if (text === undefined || text === '') return null
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text)
  throw invalidFields([{ field: 'last_event_id', message: 'must be the id of an event of the stream' }])
}

interface Reading {
  readonly raw: ServerResponse
  readonly after: number
  readonly closed: AbortSignal
}

/**
 * Reads no more than the reader takes: what it has not taken stays in the database. Each event is shown as the reader's
 * role is when it is sent (`docs/decisions.md` 3.15).
 */
async function follow(frame: Frame, permission: Permission, { raw, after, closed }: Reading): Promise<void> {
  const startedAt = performance.now()
  let { scope } = permission
  let last = after
  let wroteAt = startedAt
  let checkedAt = startedAt
  await write(raw, closed, `retry: ${SECOND}\nid: ${after}\n\n`)
  const goesOn = () => !frame.stopping && !closed.aborted && performance.now() - startedAt < LIFE_MS
  while (goesOn()) {
    const rows = await listEventsAfter(frame.ctx.db, scope, { after: last, count: BATCH })
    if (rows.length > 0 || performance.now() - checkedAt >= CHECK_MS) {
      const proven = await permission.prove()
      if (!proven) return
      scope = proven
      checkedAt = performance.now()
    }
    const events = await withObjects(frame.ctx, scope, rows)
    const text = rows.map(({ seq, type }, n) => messageOf(seq, type, shownTo(scope, events[n]))).join('')
    const isQuiet = performance.now() - wroteAt >= BEAT_MS
    if (text !== '' || isQuiet) {
      await write(raw, closed, text === '' ? ': \n\n' : text)
      wroteAt = performance.now()
    }
    last = rows.at(-1)?.seq ?? last
    if (rows.length < BATCH) await sleep(POLL_MS, undefined, { signal: closed }).catch(() => {})
  }
}

const messageOf = (seq: number | null, type: string, event: unknown): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`

/** Waits until the reader has taken it. */
async function write(raw: ServerResponse, closed: AbortSignal, text: string): Promise<void> {
  if (closed.aborted || raw.write(text)) return
  await once(raw, 'drain', { signal: AbortSignal.any([closed, AbortSignal.timeout(STALLED_MS)]) })
}
