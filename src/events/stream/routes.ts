import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { shownTo } from '../../access/data-classes.ts'
import type { Frame } from '../../http/frame.ts'
import { isHead } from '../../http/head.ts'
import type { Permission, StreamOperation } from '../../http/other-replies.ts'
import { startResponse } from '../../http/respond.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Together } from '../../lib/together.ts'
import type { EventRow } from '../log/schema.ts'
import { Bell } from './bell.ts'
import { Readers } from './readers.ts'
import { ofAccount, ofProduct, wantedBy, type Source, type Wanted } from './sources.ts'

const BEAT_MS = 15 * SECOND
/** A reader that takes nothing for so long is let go. */
const STALLED_MS = 30 * SECOND
/** How often it is looked whether a reader to whom nothing happens may still read. */
const CHECK_MS = SECOND
/** Readers come again by themselves. */
const LIFE_MS = 15 * MINUTE
const BATCH = 50

/** The connection ends with the stream, so that a server that stops need not wait for it. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/** What a process counts and looks at once for all of its streams. */
interface Streams {
  readonly readers: Readers
  readonly bell: Bell
  readonly reads: Together<EventRow[]>
}

const streamsOfFrames = new WeakMap<Frame, Streams>()

function streamsOf(frame: Frame): Streams {
  const known = streamsOfFrames.get(frame)
  if (known) return known
  const streams = { readers: new Readers(), bell: new Bell(frame), reads: new Together<EventRow[]>() }
  streamsOfFrames.set(frame, streams)
  return streams
}

const shared = {
  reply: 'stream',
  kind: 'read',
  path: '/events/stream',
  access: 'events.read',
} as const

const openOn = (source: Source) => (frame: Frame) => {
  const { readers, ...streams } = streamsOf(frame)
  return (permission: Permission, reply: FastifyReply) =>
    readers.admit(permission.scope, () => answer({ frame, permission, source, ...streams }, reply))
}

/**
 * Streams of events in the order of commits, from the one on that `Last-Event-ID` names, or else from now on
 * (`docs/decisions.md` 6.7); which one that is stands at the beginning and in a header, so that who has read none yet
 * misses none either when it comes again. Whoever may list events may read them, as long as that is so.
 */
export const streamOperations: readonly StreamOperation[] = [
  { ...shared, id: 'keywright/stream-events', scopes: ['product', 'developer'], open: openOn(ofProduct) },
  { ...shared, id: 'keywright/stream-account-events', scopes: ['account'], open: openOn(ofAccount) },
]

interface Reading extends Omit<Streams, 'readers'> {
  readonly frame: Frame
  readonly permission: Permission
  readonly source: Source
}

async function answer(reading: Reading, reply: FastifyReply): Promise<void> {
  const { frame, permission, source } = reading
  const wanted = wantedBy(reply.request)
  const after = wanted.after ?? (await source.last(frame.ctx, permission.scope, wanted))
  const raw = startResponse(reply, 200, { ...HEADERS, 'last-event-id': String(after) })
  if (isHead(reply.request)) raw?.end()
  if (!raw || isHead(reply.request)) return
  const closed = new AbortController()
  raw.on('close', () => closed.abort())
  try {
    await follow(reading, { ...wanted, raw, after, closed: closed.signal })
    raw.end()
  } catch (error) {
    raw.destroy()
    if (!closed.signal.aborted) frame.ctx.log.warn({ err: error }, 'a stream of events broke off')
  }
}

interface Writing extends Wanted {
  readonly raw: ServerResponse
  readonly after: number
  readonly closed: AbortSignal
}

/**
 * Reads no more than the reader takes: what it has not taken stays in the database. Each event is shown as the reader's
 * role is when it is sent (`docs/decisions.md` 3.15).
 */
async function follow({ frame, permission, source, bell, reads }: Reading, writing: Writing): Promise<void> {
  const { raw, closed, environment, isUnnamed } = writing
  const startedAt = performance.now()
  let { scope } = permission
  let last = writing.after
  let wroteAt = startedAt
  let checkedAt = startedAt
  await write(raw, closed, `retry: ${SECOND}\n${placeOf(last, isUnnamed)}`)
  const goesOn = () => !frame.stopping && !closed.aborted && performance.now() - startedAt < LIFE_MS
  while (goesOn()) {
    const found = await reads.do(`${source.name(scope, writing)} after ${last}`, () =>
      source.rows(frame.ctx, scope, writing, { after: last, count: BATCH }),
    )
    const rows = environment === null ? found : found.filter((row) => row.environment === environment)
    if (rows.length > 0 || performance.now() - checkedAt >= CHECK_MS) {
      const proven = await permission.prove()
      if (!proven) return
      scope = proven
      checkedAt = performance.now()
    }
    last = found.at(-1)?.seq ?? last
    const events = await source.events(frame.ctx, scope, rows)
    const text = rows
      .map(({ seq, type }, n) => messageOf(seq, isUnnamed ? null : type, shownTo(scope, events[n])))
      .join('')
    if (text !== '' || performance.now() - wroteAt >= BEAT_MS) {
      // Who comes again need not go through what it was not shown.
      await write(raw, closed, text === '' ? placeOf(last, isUnnamed) : text)
      wroteAt = performance.now()
    }
    const untilCheck = Math.max(0, CHECK_MS - (performance.now() - checkedAt))
    if (found.length < BATCH) await bell.wait(closed, untilCheck)
  }
}

const messageOf = (seq: number | null, name: string | null, event: unknown): string =>
  `id: ${seq}\n${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`

/** Where a reader stands; a browser shows its page an id only with data. */
const placeOf = (seq: number, isUnnamed: boolean): string =>
  isUnnamed ? `event: place\nid: ${seq}\ndata: ${seq}\n\n` : `id: ${seq}\n\n`

/** Waits until the reader has taken it. */
async function write(raw: ServerResponse, closed: AbortSignal, text: string): Promise<void> {
  if (closed.aborted || raw.write(text)) return
  await once(raw, 'drain', { signal: AbortSignal.any([closed, AbortSignal.timeout(STALLED_MS)]) })
}
