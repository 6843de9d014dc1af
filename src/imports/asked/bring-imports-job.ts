import { transaction, type Context, type TxContext } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { LeaseLost } from '../../db/claim.ts'
import { ArchiveRefused } from '../../deployments/archive/safety.ts'
import type { QueueJob } from '../../job.ts'
import { SECOND } from '../../lib/time.ts'
import { NoAccount } from '../export-account.ts'
import { NoExport } from '../files/manifest.ts'
import { OVER } from '../begun-rows.ts'
import type { StaysCode } from '../codes.ts'
import type { Asker } from '../import-rows.ts'
import { ServerRefuses } from '../server/client.ts'
import { undoImport, type Stayed } from '../undo-import.ts'
import { TakenMeanwhile } from '../write-rows.ts'
import type { Found } from './bring.ts'
import { InHand, Stopped } from './in-hand.ts'
import { anyAsked, claimAsked, replaceReport, updateAsked, WAITS_MS } from './queries.ts'
import type { ImportRow } from './schema.ts'
import { askedIn } from './service.ts'

/** After as many failures an import is given up. */
const TRIES = 5
const RETRY_MS = 5 * SECOND
/** How many rows that stay are named. */
const NAMED = 10_000

/**
 * Works on imports, one at a time in this process, the one first that has waited longest: looks at their rows, brings
 * them in, takes them out again. One whose process was killed goes on in another one when its lease is over.
 */
export const bringImports: QueueJob = {
  kind: 'queue',
  name: 'bring-imports',
  isDue: ({ db, clock }) => anyAsked(db, clock.real()),
  async run(ctx, stopping) {
    if (stopping.aborted) return 'done'
    const claimed = { engine: ctx.database.engine, now: ctx.clock.real() }
    const row = await ctx.database.transaction((db) => claimAsked(db, claimed))
    if (!row) return 'done'
    try {
      await workOn(ctx, new InHand(ctx, row, stopping))
    } catch (error) {
      if (error instanceof LeaseLost) return 'more'
      if (error instanceof Stopped) await change(ctx, row, { lease_until: 0 })
      else await fail(ctx, row, error)
      if (error instanceof DatabaseBusy) throw error
    }
    return 'more'
  },
}

async function workOn(ctx: Context, hand: InHand): Promise<void> {
  const { row } = hand
  const now = ctx.clock.now()
  // Nobody has started it in time.
  if (row.state === 'checked') return change(ctx, row, { ...OVER, state: 'canceled', finished_at: now })
  const { actor, ip, requestId, ...asked } = askedIn(ctx, row)
  const asker = { actor, ip, requestId }
  if (row.state === 'undoing') return undo(ctx, hand, { ...asker, action: 'keywright/undo-import' })
  // Few servers ever bring something along: what reads platforms and servers is not loaded as one starts.
  const { bring } = await import('./bring.ts')
  const report = await bring(ctx, hand, {
    ...asked,
    asker: { ...asker, action: 'keywright/create-import' },
    onWritten: (tx, found) => note(tx, hand, found),
  })
  if (report.import_id === null) await transaction(ctx, (tx) => note(tx, hand, report))
}

type Change = Parameters<typeof updateAsked>[2]

async function change(ctx: Context, row: ImportRow, to: Change): Promise<void> {
  await ctx.database.transaction((db) => updateAsked(db, row, to))
}

/** What has come of it: one that is written ends by that, another one waits to be started. */
async function note(tx: TxContext, { row, progress }: InHand, report: Found): Promise<void> {
  const waits = {
    state: 'checked',
    due_at: tx.clock.real() + WAITS_MS,
    lease_until: 0,
    failures: 0,
    error: null,
  } as const
  const isWritten = report.import_id !== null
  const isHeld = await updateAsked(tx.db, row, {
    ...progress,
    bad: report.bad_count,
    left_out: report.left_out,
    aside: JSON.stringify(report.aside),
    does_not_fit: JSON.stringify(report.does_not_fit),
    ...(!isWritten && waits),
  })
  if (!isHeld) throw new LeaseLost('Another process works on this import, or it was canceled.')
  const files = new Map(report.kinds.map(({ kind, file }) => [kind, file]))
  const fileOf = (one: { readonly kind: string; readonly file?: string }) =>
    one.file ?? files.get(one.kind) ?? null
  const wrong = report.bad.map(({ column, reason, message, ...one }) => ({
    part: 'check' as const,
    kind: one.kind,
    file: fileOf(one),
    line: one.line,
    row_key: null,
    field: column?.slice(0, 100) ?? null,
    code: reason,
    message,
  }))
  const kept = report.kept_rows.map(({ key, reason, message, ...one }) => ({
    part: 'kept' as const,
    kind: one.kind,
    file: fileOf(one),
    line: one.line,
    row_key: key,
    field: null,
    code: reason,
    message,
  }))
  await replaceReport(tx.db, row.id, [...wrong, ...kept])
}

const STAYS_CODES: Readonly<Record<Stayed['reason'], StaysCode>> = {
  'changed here': 'changed_here',
  'in use': 'in_use',
  'was here before': 'was_here_before',
}

async function undo(ctx: Context, hand: InHand, asker: Asker): Promise<void> {
  const { row } = hand
  const report = await undoImport(ctx, row.developer_id, row.id, {
    isHeld: true,
    asker,
    named: NAMED,
    onPart: () => hand.beat(),
  })
  const lines = report.stayed.map(({ kind, key, reason }) => ({
    part: 'undo' as const,
    kind,
    file: null,
    line: null,
    row_key: key,
    field: null,
    code: STAYS_CODES[reason],
    message: `stays: ${reason}`,
  }))
  await ctx.database.transaction((db) => replaceReport(db, row.id, lines))
}

/** What trying again does not mend. */
const FOR_GOOD = [NoExport, NoAccount, ServerRefuses, ArchiveRefused]

async function fail(ctx: Context, row: ImportRow, error: unknown): Promise<void> {
  const isForGood = FOR_GOOD.some((kind) => error instanceof kind)
  if (!isForGood) ctx.log.error({ err: error, import: row.id }, 'an import could not be brought in')
  const failures = row.failures + 1
  const end: Change =
    isForGood || failures >= TRIES
      ? { ...OVER, state: 'failed', error: wordsOf(error), finished_at: ctx.clock.now() }
      : { due_at: ctx.clock.real() + RETRY_MS * 2 ** row.failures, lease_until: 0 }
  await change(ctx, row, { failures, ...end })
}

/** Of an archive the message goes on after its subject; what else went wrong is told to the log alone. */
function wordsOf(error: unknown): string {
  if (error instanceof ArchiveRefused) return `The file ${error.message}.`
  const isTold = [TakenMeanwhile, ...FOR_GOOD].some((kind) => error instanceof kind)
  return isTold && error instanceof Error ? error.message.slice(0, 1000) : 'The server could not do it.'
}
