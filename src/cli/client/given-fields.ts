import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Cli } from '../cli.ts'
import { pathArgument } from '../arguments.ts'
import { Failure } from '../failure.ts'

type Value = string | number | boolean | null | Value[] | { [name: string]: Value }
export type Fields = Readonly<Record<string, unknown>>

/**
 * `key=value` texts as one object: `raw` are texts, `typed` are true, false, null, numbers, or `@file` for what a file
 * has. `key[name]=value` fills an object, `key[]=value` a list.
 */
export async function fieldsOf(cli: Cli, raw: readonly string[], typed: readonly string[]): Promise<Fields> {
  const fields: { [name: string]: Value } = {}
  for (const field of raw) set(fields, field, partsOf(field).value)
  for (const field of typed) set(fields, field, await valueOf(cli, partsOf(field).value))
  return fields
}

function partsOf(field: string) {
  const at = field.indexOf('=')
  if (at < 1) throw new Failure('usage', `'${field}' must be key=value.`, 2)
  return { key: field.slice(0, at), value: field.slice(at + 1) }
}

async function valueOf(cli: Cli, value: string): Promise<Value> {
  if (value.startsWith('@')) return (await inputOf(cli, value.slice(1))).toString()
  if (value === 'true' || value === 'false') return value === 'true'
  if (value === 'null') return null
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? Number(value) : value
}

function set(fields: { [name: string]: Value }, field: string, value: Value): void {
  const [, name = '', inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(partsOf(field).key) ?? []
  if (name === '')
    throw new Failure('usage', `'${field}' must be key=value, key[name]=value or key[]=value.`, 2)
  if (inner === undefined) fields[name] = value
  else if (inner === '') fields[name] = [...(Array.isArray(fields[name]) ? fields[name] : []), value]
  else fields[name] = { ...objectAt(fields[name]), [inner]: value }
}

const objectAt = (value: Value | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** What a file has, or standard input for `-`. */
export async function inputOf(cli: Cli, path: string): Promise<Buffer> {
  if (path === '-') return Buffer.from(await text(process.stdin))
  return readFile(pathArgument(path, cli))
}

/** Fields as a query: lists by commas, objects as JSON. */
export function queryOf(fields: Fields): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, queryText(value)])
  return pairs.length === 0 ? '' : String(new URLSearchParams(pairs))
}

const queryText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** A path with a query after the one it has. */
export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
