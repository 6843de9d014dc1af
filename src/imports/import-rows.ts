import { setImmediate as afterOthers } from 'node:timers/promises'
import { audit, type Audited } from '../access/audit.ts'
import { auditCommand } from '../access/audit-command.ts'
import { systemScope } from '../access/scope.ts'
import { transaction, type Context, type TxContext } from '../context.ts'
import { isDuplicate } from '../db/duplicate.ts'
import { passIds } from '../db/moved-ids.ts'
import { recordEvent } from '../events/log/record.ts'
import { Checker, type BadRow, type KeptRow, type KindReport } from './check-rows.ts'
import type { Item } from './classify.ts'
import { NoAccount } from './export-account.ts'
import { GivingWay } from './giving-way.ts'
import {
  beginHeld,
  endBrokenOff,
  endImport,
  holdImport,
  insertImport,
  listImports,
  takeImport,
  type Held,
} from './import-queries.ts'
import type { Kind } from './kinds/column.ts'
import { findAccount, type Account } from './queries.ts'
import { Order } from './order.ts'
import { hashOf, keyOf, readRow } from './read-row.ts'
import { TakenMeanwhile, writeRows, type Writing } from './write-rows.ts'

/** How many rows are looked at, and written by one transaction. */
export const PART = 500
/** How many bad rows, and rows that stay, are named where nobody says otherwise. */
const NAMED = 1_000

/** A row as its source gives it, and where it stands there. */
export interface Line {
  readonly line: number
  readonly given: unknown
}

/** Where rows come from: kinds in the order of the list of kinds, the rows of each as often as they are asked for. */
export interface Source {
  /** As the import is called: `files`, or an address. */
  readonly name: string
  readonly kinds: readonly SourceKind[]
}

interface SourceKind {
  readonly kind: Kind
  /** The name of the file that its rows stand in. */
  readonly file?: string
  readonly lines: () => AsyncIterable<readonly Line[]>
}

export interface Import {
  readonly developerId: number
  readonly isDryRun: boolean
  /** Only where an import from there was broken off. */
  readonly isResumed?: boolean
  /** An import that is held already, and not one that is looked for. */
  readonly held?: Held
  /** Who has asked for it; absent: somebody at the command line. */
  readonly asker?: Asker
  /** How many rows are looked at, and written, at once. */
  readonly part?: number
  /** How many bad rows are named, and how many that stay as they are here. */
  readonly named?: number
  /** Told after each part, and awaited: what it throws ends the import. */
  readonly onPart?: (done: PartDone) => void | Promise<void>
  /** Writes what has come of it down in the transaction that ends it, so that neither is seen without the other. */
  onWritten?(ctx: TxContext, report: ImportReport): Promise<void>
}

/** By whom the end of an import is written to the audit log. */
export type Asker = Pick<Audited, 'action' | 'actor' | 'ip' | 'requestId'>

export interface PartDone {
  readonly phase: 'check' | 'write'
  readonly kind: string
  readonly rows: number
  /** What the look has said of the kind so far, or in all. */
  readonly report: KindReport | undefined
}

export interface ImportReport {
  /** Null: nothing was to be written, or was. */
  readonly import_id: string | null
  readonly dry_run: boolean
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly kept: number
  readonly same: number
  readonly kinds: readonly KindReport[]
  /** The first ones. */
  readonly bad: readonly BadRow[]
  readonly bad_count: number
  /** The first ones of those that stay as they were changed here. */
  readonly kept_rows: readonly KeptRow[]
}

/** What is no row here, such as orders that were never paid, counted by kind and code. */
export interface PutAside {
  readonly kind: string
  readonly reason: string
  readonly count: number
}

/** There is no import from there that was broken off. */
export class NothingToResume extends Error {}

/**
 * Brings the rows of a source into an account, with their ids and keys. All of it is looked at first: while a row is bad,
 * nothing is written. Then it is written in parts, each whole; broken off, the next import from the same source goes on,
 * and one that has brought all before changes only what has changed there since and not here. Nobody is mailed, and no
 * listener is told of a row: `import.finished` says that it is done.
 */
export async function importRows(ctx: Context, source: Source, given: Import): Promise<ImportReport> {
  const { developerId, isDryRun, held: holds } = given
  const account = await findAccount(ctx.db, developerId)
  if (!account) throw new NoAccount(`There is no account ${developerId}.`)
  const running = holds ? undefined : await runningImport(ctx, source, developerId)
  if (given.isResumed && running === undefined)
    throw new NothingToResume(`No import from ${source.name} was broken off.`)
  const checker = await check(ctx, source, account, given)
  const sum = (of: 'add' | 'change' | 'kept' | 'same') =>
    checker.reports.reduce((total, report) => total + report[of], 0)
  const report = {
    dry_run: isDryRun,
    rows: checker.rows,
    added: sum('add'),
    changed: sum('change'),
    kept: sum('kept'),
    same: sum('same'),
    kinds: checker.reports,
    bad: checker.bad,
    bad_count: checker.badCount,
    kept_rows: checker.kept,
  }
  const isIdle = report.added + report.changed + checker.unnoted === 0 && running === undefined
  if (isDryRun || checker.badCount > 0 || (isIdle && !holds)) return { import_id: null, ...report }
  const held = holds
    ? await takeOver(ctx, source, developerId, holds)
    : await begin(ctx, source, { developerId, running })
  const writing = { held, account, givingWay: GivingWay.of(account, ctx.database.engine), isHeld: true }
  await passAll(ctx, source, checker)
  await write(ctx, source, { writing, checker, onPart: given.onPart })
  const written = { import_id: String(held.id), ...report }
  await finish(ctx, source, given, { held, report: written })
  return written
}

async function runningImport(ctx: Context, { name }: Source, developerId: number) {
  const all = await listImports(ctx.db, developerId)
  // One that the server works on is nobody else's to take up.
  return all.find((one) => one.state === 'running' && one.due_at === null && one.source === name)?.id
}

async function check(ctx: Context, source: Source, account: Account, given: Import): Promise<Checker> {
  const { db, keys, database } = ctx
  const checker = new Checker({ db, keys, engine: database.engine }, account, given.named ?? NAMED)
  for (const { kind, file, lines } of source.kinds) {
    const report = checker.begin(kind, file)
    for await (const part of lines()) {
      await checker.look(kind, report, part)
      await given.onPart?.({ phase: 'check', kind: kind.name, rows: part.length, report })
      await afterOthers()
    }
    await checker.end(kind, report)
  }
  return checker
}

/** Begins an import, or takes up the one that was broken off: whoever had it writes nothing more. */
async function begin(
  ctx: Context,
  { name }: Source,
  { developerId, running }: { readonly developerId: number; readonly running: number | undefined },
): Promise<Held> {
  const begun = transaction(ctx, async (tx) => {
    const taken = running === undefined ? undefined : await takeImport(tx.db, running, ['running'])
    const created = tx.clock.now()
    return taken ?? insertImport(tx.db, { developer_id: developerId, source: name, created })
  })
  return begun.catch((error: unknown) => {
    if (!isDuplicate(error)) throw error
    throw new TakenMeanwhile(`Another import from ${name} has just begun.`)
  })
}

/** Begins an import that somebody holds: one from there that was broken off ends with what it has brought. */
const takeOver = (ctx: Context, { name }: Source, developerId: number, held: Held): Promise<Held> =>
  transaction(ctx, async (tx) => {
    await endBrokenOff(tx.db, { developerId, source: name, not: held.id, now: tx.clock.now() })
    if (!(await beginHeld(tx.db, held, name))) throw new TakenMeanwhile(GOES_ON)
    return held
  })

const GOES_ON = 'Another process goes on with this import, or has undone it.'

/** Of the ids that a source has not come to yet: rows of a later import from there find theirs free. */
const ROOM = 100_000

/** What is added meanwhile, and until the next import, gets ids past those of the source. */
const passAll = (ctx: Context, { kinds }: Source, { largest }: Checker): Promise<void> =>
  transaction(ctx, async ({ db }) => {
    for (const { kind } of kinds) {
      const upTo = largest.get(kind.name)
      if (upTo !== undefined && kind.key[0] === 'id')
        await passIds(db, ctx.database.engine, kind.table, upTo + ROOM)
    }
  })

interface Work {
  readonly writing: Writing
  readonly checker: Checker
  readonly onPart: Import['onPart']
}

async function write(ctx: Context, { kinds }: Source, work: Work): Promise<void> {
  for (const { kind, lines } of kinds) {
    const order = new Order(kind, work.checker)
    for await (const part of lines()) {
      await writePart(ctx, work, kind, order.ready(part.map((line) => itemOf(kind, line))))
      await afterOthers()
    }
    for (let rest = order.rest(); rest.length > 0; rest = order.rest()) {
      for (let at = 0; at < rest.length; at += PART)
        await writePart(ctx, work, kind, rest.slice(at, at + PART))
    }
  }
}

async function writePart(
  ctx: Context,
  { writing, checker, onPart }: Work,
  kind: Kind,
  items: readonly Item[],
) {
  if (items.length > 0) await writeRows(ctx, writing, kind, items)
  const report = checker.reports.find((one) => one.kind === kind.name)
  await onPart?.({ phase: 'write', kind: kind.name, rows: items.length, report })
}

function itemOf(kind: Kind, { line, given }: Line): Item {
  const { row, wrong } = readRow(kind, given)
  if (wrong.length > 0)
    throw new TakenMeanwhile(`Line ${line} of ${kind.name} is not what it was a moment ago.`)
  return { line, row, key: keyOf(kind, row), hash: hashOf(kind, row) }
}

const finish = (
  ctx: Context,
  { name }: Source,
  given: Import,
  { held, report }: { readonly held: Held; readonly report: ImportReport },
): Promise<void> =>
  transaction(ctx, async (tx) => {
    const { developerId, asker } = given
    const { kept } = report
    if (!(await holdImport(tx.db, held))) throw new TakenMeanwhile(GOES_ON)
    await given.onWritten?.(tx, report)
    const ended = { state: 'finished', finished_at: tx.clock.now(), kept } as const
    const { added, changed } = await endImport(tx.db, held.id, ended)
    const data = { import_id: String(held.id), source: name, added, changed, kept }
    const scope = systemScope({ developerId, productId: 0 })
    await recordEvent(tx, scope, { type: 'import.finished', data })
    await auditEnd(tx, { command: 'import', developerId, asker }, data)
  })

/** Writes down the end of an import, or of its undoing, as done by who has asked for it. */
export const auditEnd = (
  tx: TxContext,
  { command, developerId, asker }: { command: string; developerId: number; asker: Asker | undefined },
  details: object,
): Promise<void> =>
  asker
    ? audit(tx, { ...asker, productId: null, developerId, details })
    : auditCommand(tx, { command, productId: null, developerId, details })
