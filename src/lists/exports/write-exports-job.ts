import { transaction, type Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { LeaseLost } from '../../db/claim.ts'
import { systemScope } from '../../access/scope.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { QueueJob } from '../../job.ts'
import { TooManyBytes, type Received } from '../../lib/receive.ts'
import { DAY, SECOND, toUtcTime } from '../../lib/time.ts'
import { scopeOfAsker } from '../asker.ts'
import type { WantedArchive } from '../hooks.ts'
import { columnsOf, listOf, WHOLE, type ExportKind } from './kinds.ts'
import { anyToWrite, claimExport, endOlder, LEASE_MS, updateExport } from './queries.ts'
import { readWhole } from './read-whole.ts'
import type { ExportRow } from './schema.ts'
import { askedIn } from './service.ts'
import { writingOf } from './written.ts'

/** How long a file is there. */
const KEPT_MS = DAY
/** How often it is noted how far an export is, which also says that somebody writes it. */
const NOTE_MS = SECOND
const MOST_BYTES = 4 * 1024 ** 3
/** After as many failures an export is given up. */
const TRIES = 5
const RETRY_MS = 5 * SECOND

const TOO_LARGE = 'It is larger than 4 GiB; narrow it.'
const TOO_LARGE_WHOLE = 'It is larger than 4 GiB; whoever runs the server writes it by keywright export.'

/** The process ends: what is in hand is begun anew by another one. */
class Stopped extends Error {}

/**
 * Writes exports, of lists and of whole accounts, one at a time in this process, the one first that has waited longest.
 * One whose process was killed is begun anew when its lease is over; who holds the lease no longer writes nothing of it.
 */
export const writeExports: QueueJob = {
  kind: 'queue',
  name: 'write-exports',
  isDue: ({ db, clock }) => anyToWrite(db, clock.real()),
  async run(ctx, stopping) {
    if (stopping.aborted) return 'done'
    const claimed = { engine: ctx.database.engine, now: ctx.clock.real() }
    const row = await ctx.database.transaction((db) => claimExport(db, claimed))
    if (!row) return 'done'
    await writeOne(ctx, row, stopping)
    return 'more'
  },
}

async function writeOne(ctx: Context, row: ExportRow, stopping: AbortSignal): Promise<void> {
  const written = new Written(ctx, row, stopping)
  const receive = (chunks: AsyncIterable<Uint8Array>) => ctx.storage.receive(chunks, MOST_BYTES)
  try {
    const received = await (row.kind === WHOLE
      ? ctx.hooks.archiveAccount(ctx, archiveOf(row, written), receive)
      : receive(chunksOf(ctx, row, written)))
    await finish(ctx, row, received, written.rows)
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (error instanceof Stopped) return change(ctx, row, { lease_until: 0 })
    await fail(ctx, row, error)
    if (error instanceof DatabaseBusy) throw error
  }
}

async function change(ctx: Context, row: ExportRow, to: Parameters<typeof updateExport>[2]): Promise<void> {
  await ctx.database.transaction((db) => updateExport(db, row, to))
}

/** How far an export is in this process, which is noted now and then. */
class Written {
  readonly #ctx: Context
  readonly #row: ExportRow
  readonly #stopping: AbortSignal
  #noted: number
  rows = 0

  constructor(ctx: Context, row: ExportRow, stopping: AbortSignal) {
    this.#ctx = ctx
    this.#row = row
    this.#stopping = stopping
    this.#noted = ctx.clock.real()
  }

  /** Stopped where this process ends, LeaseLost where another one writes the export; `progress` is from 0 to 1. */
  async beat(progress: number): Promise<void> {
    if (this.#stopping.aborted) throw new Stopped()
    const now = this.#ctx.clock.real()
    if (now - this.#noted < NOTE_MS) return
    this.#noted = now
    await note(this.#ctx, this.#row, { row_count: this.rows, progress: Math.floor(progress * 1000) })
  }
}

const archiveOf = ({ developer_id: developerId, format }: ExportRow, written: Written): WantedArchive => ({
  developerId,
  format,
  onPart: ({ rows, progress }) => {
    written.rows = rows
    return written.beat(progress)
  },
})

/** The bytes of the file of a list, as they are read. */
async function* chunksOf(
  ctx: Context,
  row: ExportRow,
  written: Written,
): AsyncGenerator<Uint8Array, void, undefined> {
  const asked = askedIn(ctx, row)
  const list = listOf(ctx, row.kind as ExportKind, asked.productIds !== null)
  const scope = scopeOfAsker({ developerId: row.developer_id, productId: 0 }, asked.actor)
  const known = new Map(columnsOf(list, scope).map((column) => [column.name, column]))
  const columns = row.columns.split(',').flatMap((name) => known.get(name) ?? [])
  const writing = writingOf(row, columns)
  yield Buffer.from(writing.head)
  for await (const { items, progress } of readWhole(ctx, list, { scope, ...asked })) {
    written.rows += items.length
    yield Buffer.from(writing.rows(items))
    await written.beat(progress)
  }
}

async function note(ctx: Context, row: ExportRow, at: Parameters<typeof updateExport>[2]): Promise<void> {
  const until = ctx.clock.real() + LEASE_MS
  const isHeld = await ctx.database.transaction((db) => updateExport(db, row, { ...at, lease_until: until }))
  if (!isHeld) throw new LeaseLost('Another process writes this export.')
}

/** The file is kept before the row names it; one that no row names is swept away. */
async function finish(ctx: Context, row: ExportRow, received: Received, rows: number): Promise<void> {
  await note(ctx, row, {}).catch(async (error: unknown) => {
    await ctx.storage.discard(received)
    throw error
  })
  await ctx.storage.keep(received)
  const now = ctx.clock.real()
  await transaction(ctx, async (tx) => {
    const isHeld = await updateExport(tx.db, row, {
      state: 'done',
      row_count: rows,
      progress: 1000,
      file: received.sha256,
      size: received.size,
      error: null,
      finished_at: toUtcTime(now),
      expires_at: toUtcTime(now + KEPT_MS),
      due_at: null,
      lease_until: 0,
    })
    if (!isHeld) throw new LeaseLost('Another process writes this export.')
    // There are secrets in such a file: no more of them are kept than one of an account.
    if (row.kind === WHOLE) await endOlder(tx.db, row, toUtcTime(now))
    const scope = systemScope({ developerId: row.developer_id, productId: 0 })
    const data = { export_id: String(row.id), kind: row.kind, rows }
    await recordEvent(tx, scope, { type: 'export.completed', data })
  })
}

async function fail(ctx: Context, row: ExportRow, error: unknown): Promise<void> {
  const failures = row.failures + 1
  const isTooLarge = error instanceof TooManyBytes
  ctx.log.error({ err: error, export: row.id }, 'an export could not be written')
  const now = ctx.clock.real()
  const again = { due_at: now + RETRY_MS * 2 ** row.failures }
  const larger = row.kind === WHOLE ? TOO_LARGE_WHOLE : TOO_LARGE
  const why = isTooLarge ? larger : 'The server could not write it.'
  const givenUp = { state: 'failed', error: why, finished_at: toUtcTime(now), due_at: null } as const
  const end = isTooLarge || failures >= TRIES ? givenUp : again
  await change(ctx, row, { failures, lease_until: 0, ...end })
}
