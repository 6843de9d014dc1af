import type { ReadContext } from '../context.ts'
import type { Database, Reader } from '../db/database.ts'
import { Refunds } from './check-refunds.ts'
import { classify, type Into, type Item } from './classify.ts'
import type { KeptCode, PlatformFault } from './codes.ts'
import { GivingWay } from './giving-way.ts'
import type { Kind, Unique, Value, Values, Wrong } from './kinds/column.ts'
import { kindOf } from './kinds/kinds.ts'
import { findReferred, findTaken, type Account } from './queries.ts'
import { hashOf, keyOf, readRow } from './read-row.ts'
import { madeOf } from './stored.ts'

/** A row that cannot be taken: where it stands, and why. */
export interface BadRow extends Omit<Wrong, 'reason'> {
  readonly reason: PlatformFault
  readonly kind: string
  /** Of its file, from 1. */
  readonly line: number
}

/** A row that stays as it is here: where it stands, what names it, and why. */
export interface KeptRow {
  readonly kind: string
  /** Of its file, from 1. */
  readonly line: number
  readonly key: string
  readonly reason: KeptCode
  readonly message: string
}

/** What an import would do, or does, with the rows of a kind. */
export interface KindReport {
  readonly kind: string
  /** The name of the file that its rows stand in; null: in none. */
  readonly file: string | null
  /** Not here yet; the same as when they were brought; changed there since; changed here too, and so left. */
  add: number
  same: number
  change: number
  kept: number
  bad: number
}

interface Given {
  readonly line: number
  readonly given: unknown
}

interface Pending {
  readonly line: number
  readonly column: string
  readonly id: number
  readonly product: number | null
}

type Looking = Pick<ReadContext, 'db' | 'keys'> & Pick<Database, 'engine'>

/**
 * Looks at every row of an import before any is written: what it says, whether what it names is there and of the account,
 * whether what must be alone is. It keeps ids in mind, some hundred bytes a row.
 */
export class Checker {
  readonly reports: KindReport[] = []
  readonly bad: BadRow[] = []
  /** The first ones that stay as they are here, as many as of the bad ones. */
  readonly kept: KeptRow[] = []
  badCount = 0
  rows = 0
  /** Rows that are here with all that they say, and that no import has noted. */
  unnoted = 0
  readonly #ctx: Looking
  readonly #account: Account
  readonly #most: number
  /** The product of each row so far, by kind and id; 0 of those without. */
  readonly #products = new Map<string, Map<number, number>>()
  /** The largest id of each kind. */
  readonly largest = new Map<string, number>()
  readonly #into: Into
  #seen = new Map<string, number>()
  #pending: Pending[] = []
  readonly #refunds = new Refunds()

  constructor(ctx: Looking, account: Account, most: number) {
    this.#ctx = ctx
    this.#account = account
    this.#most = most
    this.#into = { account, givingWay: GivingWay.of(account, ctx.engine), isHeld: false }
  }

  /** Whether the files have a row of the kind with this id. */
  has(kind: Kind, id: number): boolean {
    return this.#products.get(kind.name)?.has(id) === true
  }

  begin(kind: Kind, file: string | null = null): KindReport {
    const report = { kind: kind.name, file, add: 0, same: 0, change: 0, kept: 0, bad: 0 }
    this.reports.push(report)
    this.#seen = new Map()
    this.#pending = []
    this.#products.set(kind.name, this.#products.get(kind.name) ?? new Map())
    return report
  }

  /** Looks at some rows of the kind that was begun. */
  async look(kind: Kind, report: KindReport, lines: readonly Given[]): Promise<void> {
    this.rows += lines.length
    const items: Item[] = []
    for (const { line, given } of lines) {
      const item = this.#read(kind, report, line, given)
      if (item) items.push(item)
    }
    const { db, keys } = this.#ctx
    await this.#checkReferences(kind, report, items)
    const sorted = await classify({ db, keys }, kind, this.#into, items)
    report.same += sorted.same.length
    this.unnoted += sorted.unnoted.length
    report.kept += sorted.kept.length
    for (const { item, reason } of sorted.kept) this.#keep(kind, item, reason)
    report.add += sorted.add.length + sorted.replace.length
    report.change += sorted.change.length
    for (const { item, wrong } of sorted.taken) this.#refuse(kind, report, item.line, wrong)
    await this.#checkUniques(db, kind, report, [...sorted.add, ...sorted.replace, ...sorted.change])
  }

  /** Looks at what rows have said of later rows of the kind. */
  async end(kind: Kind, report: KindReport): Promise<void> {
    const waiting = this.#pending
    this.#pending = []
    const missing = waiting.filter((one) => !this.#fits(kind.name, one))
    await this.#checkReferred(kind, report, kind.name, missing)
    if (kind.name !== 'payments') return
    for (const { line, wrong } of this.#refunds.faults()) this.#refuse(kind, report, line, wrong)
  }

  #read(kind: Kind, report: KindReport, line: number, given: unknown): Item | null {
    if (given === undefined) {
      this.#refuse(kind, report, line, {
        column: null,
        reason: 'not_read',
        message: 'is no line of its file',
      })
      return null
    }
    const { row, wrong } = readRow(kind, given)
    this.#keepInMind(kind, row)
    if (kind.name === 'payments' && wrong.length === 0) this.#refunds.note(line, row)
    const twice = wrong.length === 0 ? this.#twice(kind, row, line) : []
    const all = [...wrong, ...twice]
    for (const one of all) this.#refuse(kind, report, line, one)
    return all.length > 0 ? null : { line, row, key: keyOf(kind, row), hash: hashOf(kind, row) }
  }

  /** Also a row that is wrong, so that those that name it are not called wrong for that. */
  #keepInMind(kind: Kind, row: Values): void {
    const { id, product_id: product } = row
    if (typeof id !== 'number') return
    this.#products.get(kind.name)?.set(id, typeof product === 'number' ? product : 0)
    this.largest.set(kind.name, Math.max(this.largest.get(kind.name) ?? 0, id))
  }

  #twice(kind: Kind, row: Values, line: number): Wrong[] {
    const made = { ...row, ...madeOf(kind, row, this.#ctx.keys) }
    const named = [
      { says: 'double_id' as const, column: kind.key[0] ?? null, text: `key ${keyOf(kind, row)}` },
      ...kind.unique
        .map((unique, n) => ({ unique, n }))
        .filter(({ unique }) => unique.where?.(row) ?? true)
        .map(({ unique, n }) => ({
          says: 'double' as const,
          column: nameOf(unique),
          text: `${n} ${JSON.stringify(valuesOf(unique, made))}`,
        })),
    ]
    return named.flatMap(({ says, column, text }) => {
      const before = this.#seen.get(text)
      this.#seen.set(text, before ?? line)
      if (before === undefined) return []
      return [{ column, reason: says, message: `is in line ${before} already` }]
    })
  }

  async #checkReferences(kind: Kind, report: KindReport, items: readonly Item[]): Promise<void> {
    for (const [column, about] of Object.entries(kind.columns)) {
      if (about.type !== 'reference') continue
      const named = items.flatMap(({ line, row }): Pending[] => {
        const value = row[column]
        if (typeof value !== 'number') return []
        const product = about.isInProduct ? Number(row['product_id']) : null
        return [{ line, column, id: value, product }]
      })
      const isOwn = about.to === kind.name
      const open = named.filter((one) => !this.#fits(about.to, one))
      if (isOwn) this.#pending.push(...open)
      else await this.#checkReferred(kind, report, about.to, open)
    }
  }

  #fits(name: string, { id, product }: Pending): boolean {
    const found = this.#products.get(name)?.get(id)
    return found !== undefined && (product === null || found === product)
  }

  /** What is not in the files may be here already, of the account. */
  async #checkReferred(
    kind: Kind,
    report: KindReport,
    name: string,
    open: readonly Pending[],
  ): Promise<void> {
    if (open.length === 0) return
    const inFiles = this.#products.get(name)
    const ids = [...new Set(open.map(({ id }) => id))].filter((id) => !inFiles?.has(id))
    const referred =
      ids.length === 0 ? [] : await findReferred(this.#ctx.db, kindOf(name), this.#account, ids)
    const here = new Map(referred.map((one) => [one.id, one]))
    for (const one of open) {
      const found = here.get(one.id)
      const product = inFiles?.get(one.id) ?? found?.product
      const wrong = wrongReference(name, one, {
        product,
        isOwned: found === undefined || found.is_owned === 1,
      })
      if (wrong) this.#refuse(kind, report, one.line, wrong)
    }
  }

  async #checkUniques(db: Reader, kind: Kind, report: KindReport, items: readonly Item[]): Promise<void> {
    for (const unique of kind.unique) {
      const wanted = items
        .filter(({ row }) => unique.where?.(row) ?? true)
        .map((item) => ({
          item,
          values: valuesOf(unique, { ...item.row, ...madeOf(kind, item.row, this.#ctx.keys) }),
        }))
      const values = wanted.map((one) => one.values)
      const taken = await findTaken(db, kind, unique, { account: this.#account, values })
      const whose = new Map(
        taken.map((row) => [
          JSON.stringify(unique.columns.map((_, n) => row[`value_${n}`])),
          kind.key.map((column) => row[column]).join(':'),
        ]),
      )
      for (const { item, values: own } of wanted) {
        const key = whose.get(JSON.stringify(own))
        if (key === undefined || key === item.key) continue
        const message = 'is here already, of another row'
        this.#refuse(kind, report, item.line, { column: nameOf(unique), reason: 'taken', message })
      }
    }
  }

  #keep({ name: kind }: Kind, { line, key }: Item, reason: KeptCode): void {
    if (this.kept.length >= this.#most) return
    this.kept.push({ kind, line, key, reason, message: KEPT_WORDS[reason] })
  }

  #refuse(kind: Kind, report: KindReport, line: number, wrong: Wrong): void {
    report.bad++
    this.badCount++
    if (this.bad.length < this.#most) this.bad.push({ kind: kind.name, line, ...wrong })
  }
}

const KEPT_WORDS: Readonly<Record<KeptCode, string>> = {
  changed_here: 'was changed here since it was brought: it stays so',
  removed_here: 'was removed here since it was brought: it does not come back',
}

/** The column that is named of those that no two rows have in common. */
const NAMES: Readonly<Record<string, string>> = {
  email_folded: 'email',
  key_hash: 'secret_key',
}
const nameOf = ({ columns }: Unique): string => {
  const name = columns.find((column) => column !== 'product_id') ?? 'product_id'
  return NAMES[name] ?? name
}

const valuesOf = ({ columns, nullIs0 }: Unique, row: Values): Value[] =>
  columns.map((column) => {
    const value = row[column] ?? null
    return value === null && column === nullIs0 ? 0 : value
  })

function wrongReference(
  name: string,
  { column, product }: Pending,
  found: { readonly product: number | undefined; readonly isOwned: boolean },
): Wrong | null {
  if (found.product === undefined) {
    const message = `names no row of ${name} in the files, and none that is here`
    return { column, reason: 'unknown_reference', message }
  }
  if (!found.isOwned) {
    return { column, reason: 'foreign_reference', message: `names a row of ${name} of another account` }
  }
  if (product === null || product === found.product) return null
  return { column, reason: 'other_product', message: `names a row of ${name} of another product` }
}
