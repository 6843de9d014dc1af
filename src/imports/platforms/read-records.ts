import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { csvRecords } from '../../lib/read-csv.ts'
import { NoExport } from '../files/manifest.ts'
import type { Field, Platform, Records } from './map.ts'
import { readPhp } from './php.ts'
import { metaKeysOf } from './used-fields.ts'

/** What a platform has of something, and where it stands: in JSON the line is its number in the file. */
export interface Given {
  readonly file: string
  readonly line: number
  readonly values: Readonly<Record<string, unknown>>
}

export type RecordsOf = ReadonlyMap<string, readonly Given[]>

/**
 * The records of each source of a platform that lie in a folder: tables as CSV, pages of an interface as JSON, or JSON
 * lines, one or several files each. `NoExport` where there are none, or one of them cannot be read.
 */
export async function readRecords(platform: Platform, folder: string): Promise<RecordsOf> {
  const names = await readdir(folder).catch(() => null)
  if (names === null) throw new NoExport(`${folder} is no folder.`)
  const found = new Map<string, readonly Given[]>()
  let files = 0
  for (const [source, about] of Object.entries(platform.sources)) {
    const own = names.filter((name) => isFileOf(about.file, name)).toSorted()
    files += own.length
    if (own.length === 0 && about.required)
      throw new NoExport(`${folder} has no ${about.file}.csv, .json or .jsonl: ${about.says}.`)
    const keys = metaKeysOf(platform, source)
    const all = await Promise.all(own.map((name) => Array.fromAsync(recordsIn(folder, name, about))))
    const records = all.flat().filter((one) => isUsed(keys, one))
    found.set(source, about.unpack ? unpacked(records, about.unpack) : records)
  }
  if (files > 0) return found
  const [some] = Object.values(platform.sources)
  throw new NoExport(`${folder} has no file of ${platform.title}, such as ${some?.file}.json.`)
}

/** `orders.json`, `orders-2.json`, `wp_edd_orders.csv`; hyphens are as good as underscores. */
function isFileOf(file: string, name: string): boolean {
  const plain = (one: string) => one.toLowerCase().replaceAll('-', '_')
  const [, stem = '', ending] = /^(.*?)(?:[-._]\d+)?\.(csv|json|jsonl)$/i.exec(name) ?? []
  if (ending === undefined) return false
  return plain(stem) === plain(file) || (/^[a-z0-9]+_(?:\d+_)?/i.exec(stem)?.[0] ?? '') + file === stem
}

const isUsed = (keys: ReadonlySet<string> | null, { values }: Given) =>
  keys === null || keys.has(String(values['meta_key']))

async function* recordsIn(folder: string, file: string, about: Records): AsyncGenerator<Given> {
  const path = join(folder, file)
  if (/\.csv$/i.test(file)) yield* recordsOfCsv(path, file)
  else if (/\.jsonl$/i.test(file)) yield* recordsOfLines(path, file)
  else {
    const page = parsed((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    const list = Array.isArray(page) ? page : valueAt(page, about.list ?? 'data')
    if (!Array.isArray(list)) throw new NoExport(`${file} is no list of JSON, and has none.`)
    for (const [n, values] of list.entries()) yield { file, line: n + 1, values: objectOf(values) }
  }
}

async function* recordsOfLines(path: string, file: string): AsyncGenerator<Given> {
  const lines = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').split('\n')
  for (const [n, line] of lines.entries()) {
    if (line.trim() === '') continue
    const values = parsed(line)
    if (values === undefined) throw new NoExport(`${file} line ${n + 1} is no JSON.`)
    yield { file, line: n + 1, values: objectOf(values) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Of a cell that a table has nothing in. */
const NULLS = new Set(['NULL', '\\N'])

async function* recordsOfCsv(path: string, file: string): AsyncGenerator<Given> {
  let names: readonly string[] | null = null
  for await (const { line, cells } of csvRecords(createReadStream(path, { encoding: 'utf8' }))) {
    if (names === null) names = cells.map((name) => name.trim())
    else if (cells.length !== names.length)
      throw new NoExport(`${file} line ${line} has ${cells.length} cells, and the first one ${names.length}.`)
    else {
      const values = names.map((name, n) => [name, NULLS.has(cells[n] ?? '') ? null : cells[n]] as const)
      yield { file, line, values: Object.fromEntries(values) }
    }
  }
}

const objectOf = (values: unknown): Given['values'] =>
  typeof values === 'object' && values !== null && !Array.isArray(values) ? (values as Given['values']) : {}

/** What stands at a field of a record; undefined where there is nothing. */
export function valueAt(values: unknown, field: Field): unknown {
  let value: unknown = values
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** A record for each thing in a field: it is the `entry`, `key` its number or name, and the rest is as it was. */
function unpacked(records: readonly Given[], { field, as, where }: NonNullable<Records['unpack']>): Given[] {
  return records.flatMap((record) => {
    if (where && record.values[where[0]] !== where[1]) return []
    const value = valueAt(record.values, field)
    const held = as === 'php' ? readPhp(String(value ?? '')) : value
    if (typeof held !== 'object' || held === null) return []
    return Object.entries(held).map(([key, entry]) => ({
      ...record,
      values: { ...record.values, key, entry },
    }))
  })
}
