import { transaction, type Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { LeaseLost } from '../../db/claim.ts'
import { systemScope } from '../../access/scope.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { QueueJob } from '../../job.ts'
import { TooManyBytes, type Received } from '../../lib/receive.ts'
import { DAY, SECOND, toUtcTime } from '../../lib/time.ts'
import { scopeOfAsker } from '../asker.ts'
import { columnsOf, listOf, type ExportKind } from './kinds.ts'
import { anyToWrite, claimExport, LEASE_MS, updateExport } from './queries.ts'
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

/** The process ends: what is in hand is begun anew by another one. */
class Stopped extends Error {}

/**
 * Writes exports, one at a time in this process, the one first that has waited longest. One whose process was killed is
 * begun anew when its lease is over; who holds the lease no longer writes nothing of it.
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
  const written = { rows: 0 }
  try {
    const received = await ctx.storage.receive(chunksOf(ctx, row, written, stopping), MOST_BYTES)
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

/** The bytes of the file, as they are read. */
async function* chunksOf(
  ctx: Context,
  row: ExportRow,
  written: { rows: number },
  stopping: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const asked = askedIn(ctx, row)
  const list = listOf(ctx, row.kind as ExportKind, asked.productIds !== null)
  const scope = scopeOfAsker({ developerId: row.developer_id, productId: 0 }, asked.actor)
  const known = new Map(columnsOf(list, scope).map((column) => [column.name, column]))
  const columns = row.columns.split(',').flatMap((name) => known.get(name) ?? [])
  const writing = writingOf(row, columns)
  yield Buffer.from(writing.head)
  let noted = ctx.clock.real()
  for await (const { items, progress } of readWhole(ctx, list, { scope, ...asked })) {
    if (stopping.aborted) throw new Stopped()
    written.rows += items.length
    yield Buffer.from(writing.rows(items))
    const now = ctx.clock.real()
    if (now - noted < NOTE_MS) continue
    noted = now
    await note(ctx, row, { row_count: written.rows, progress: Math.floor(progress * 1000) })
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
  const why = isTooLarge ? 'It is larger than 4 GiB; narrow it.' : 'The server could not write it.'
  const givenUp = { state: 'failed', error: why, finished_at: toUtcTime(now), due_at: null } as const
  const end = isTooLarge || failures >= TRIES ? givenUp : again
  await change(ctx, row, { failures, lease_until: 0, ...end })
}
