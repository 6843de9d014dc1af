import { setImmediate as afterOthers } from 'node:timers/promises'
import { auditCommand } from '../access/audit-command.ts'
import { systemScope } from '../access/scope.ts'
import { transaction, type Context } from '../context.ts'
import { isDuplicate } from '../db/duplicate.ts'
import { passIds } from '../db/moved-ids.ts'
import { recordEvent } from '../events/log/record.ts'
import { Checker, type BadRow, type KindReport } from './check-rows.ts'
import type { Item } from './classify.ts'
import { NoAccount } from './export-account.ts'
import { GivingWay } from './giving-way.ts'
import { endImport, holdImport, insertImport, listImports, takeImport, type Held } from './import-queries.ts'
import type { Kind, Values } from './kinds/column.ts'
import { findAccount, type Account } from './queries.ts'
import { hashOf, keyOf, readRow } from './read-row.ts'
import { TakenMeanwhile, writeRows, type Writing } from './write-rows.ts'

/** How many rows are looked at, and written by one transaction. */
export const PART = 500
/** How many bad rows are named. */
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
  readonly kinds: readonly { readonly kind: Kind; readonly lines: () => AsyncIterable<readonly Line[]> }[]
}

export interface Import {
  readonly developerId: number
  readonly isDryRun: boolean
  /** Only where an import from there was broken off. */
  readonly isResumed?: boolean
  /** Told after each part. */
  readonly onPart?: (done: {
    readonly phase: 'check' | 'write'
    readonly kind: string
    readonly rows: number
  }) => void
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
  /** The first thousand. */
  readonly bad: readonly BadRow[]
  readonly bad_count: number
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
  const { developerId, isDryRun } = given
  const account = await findAccount(ctx.db, developerId)
  if (!account) throw new NoAccount(`There is no account ${developerId}.`)
  const running = await runningImport(ctx, source, developerId)
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
  }
  const isIdle = report.added + report.changed + checker.unnoted === 0 && running === undefined
  if (isDryRun || checker.badCount > 0 || isIdle) return { import_id: null, ...report }
  const held = await begin(ctx, source, { developerId, running })
  const writing = { held, account, givingWay: GivingWay.of(account, ctx.database.engine), isHeld: true }
  await passAll(ctx, source, checker)
  await write(ctx, source, { writing, checker, onPart: given.onPart })
  await finish(ctx, source, developerId, { held, kept: report.kept })
  return { import_id: String(held.id), ...report }
}

async function runningImport(ctx: Context, { name }: Source, developerId: number) {
  const all = await listImports(ctx.db, developerId)
  return all.find(({ state, source }) => state === 'running' && source === name)?.id
}

async function check(ctx: Context, source: Source, account: Account, given: Import): Promise<Checker> {
  const { db, keys, database } = ctx
  const checker = new Checker({ db, keys, engine: database.engine }, account, NAMED)
  for (const { kind, lines } of source.kinds) {
    const report = checker.begin(kind)
    for await (const part of lines()) {
      await checker.look(kind, report, part)
      given.onPart?.({ phase: 'check', kind: kind.name, rows: part.length })
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

async function writePart(ctx: Context, { writing, onPart }: Work, kind: Kind, items: readonly Item[]) {
  if (items.length > 0) await writeRows(ctx, writing, kind, items)
  onPart?.({ phase: 'write', kind: kind.name, rows: items.length })
}

function itemOf(kind: Kind, { line, given }: Line): Item {
  const { row, wrong } = readRow(kind, given)
  if (wrong.length > 0)
    throw new TakenMeanwhile(`Line ${line} of ${kind.name} is not what it was a moment ago.`)
  return { line, row, key: keyOf(kind, row), hash: hashOf(kind, row) }
}

/** Rows that name another one of their kind come after it, wherever they stand. */
class Order {
  readonly #columns: readonly string[]
  readonly #kind: Kind
  readonly #checker: Checker
  readonly #written = new Set<number>()
  #aside: Item[] = []

  constructor(kind: Kind, checker: Checker) {
    this.#kind = kind
    this.#checker = checker
    this.#columns = Object.entries(kind.columns).flatMap(([name, column]) =>
      column.type === 'reference' && column.to === kind.name ? [name] : [],
    )
  }

  /** Of some rows, those that can be written. */
  ready(items: readonly Item[]): readonly Item[] {
    if (this.#columns.length === 0) return items
    const ready: Item[] = []
    for (const item of items) {
      if (this.#waits(item.row)) this.#aside.push(item)
      else {
        ready.push(item)
        this.#written.add(Number(item.row['id']))
      }
    }
    return ready
  }

  /** Of those that were put aside, the ones that can be written now. */
  rest(): readonly Item[] {
    const aside = this.#aside
    this.#aside = []
    const ready = this.ready(aside)
    const [stuck] = this.#aside
    if (ready.length === 0 && stuck) {
      throw new TakenMeanwhile(`Line ${stuck.line} of ${this.#kind.name} names itself, by way of others.`)
    }
    return ready
  }

  #waits(row: Values): boolean {
    return this.#columns.some((column) => {
      const id = row[column]
      return typeof id === 'number' && this.#checker.has(this.#kind, id) && !this.#written.has(id)
    })
  }
}

const finish = (
  ctx: Context,
  { name }: Source,
  developerId: number,
  { held, kept }: { readonly held: Held; readonly kept: number },
): Promise<void> =>
  transaction(ctx, async (tx) => {
    if (!(await holdImport(tx.db, held)))
      throw new TakenMeanwhile('Another process goes on with this import, or has undone it.')
    const ended = { state: 'finished', finished_at: tx.clock.now(), kept } as const
    const { added, changed } = await endImport(tx.db, held.id, ended)
    const data = { import_id: String(held.id), source: name, added, changed, kept }
    const scope = systemScope({ developerId, productId: 0 })
    await recordEvent(tx, scope, { type: 'import.finished', data })
    await auditCommand(tx, { command: 'import', productId: null, developerId, details: data })
  })
