import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/app.ts'
import type { Database } from '../../src/db/database.ts'
import { concernedBy } from '../../src/events/log/read-events.ts'
import { mountsOf } from '../../src/http/mounts.ts'
import type { EventType } from '../../src/db/tables/event-types.ts'
import { contractOperations, entityFact, ourId, type Fact } from './facts.ts'
import { parseShape } from './shape.ts'

/** Where each process of a run writes which fields it saw with a value; unset: nobody asks. */
const folder = process.env['KEYWRIGHT_TEST_SEEN']

/** `event license.created`, `event license.created data quota`, `… objects user`: what tests recorded. */
const seen = new Set<string>()

/** `User.email`: fields of entities of the contract, with up to two values that replies had in them. */
const values = new Map<string, Set<string>>()

if (folder) {
  process.once('exit', () => {
    const fields = [...values].flatMap(([field, some]) => [...some].map((value) => `${field} ${value}`))
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...seen, ...fields]))
  })
}

/** What a refusal is, whatever was asked for. */
const REFUSAL = entityFact('ApiError')

/** Notes what fields of which entities a reply has values in. `path` is as it was sent, without `/v1`. */
export function noteReply(call: { method: string; path: string }, status: number, json: unknown): void {
  if (!folder) return
  if (status >= 400) note(REFUSAL, json)
  const shape = status < 300 && shapes().get(`${call.method} ${patternOf(call.path)}`)
  if (shape) note(shape, json)
}

/** A text, an object or a list with nothing in it, as it is without data. */
const isEmpty = (value: unknown) =>
  value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

function noteValue(field: string, value: unknown): void {
  const some = values.get(field) ?? new Set()
  values.set(field, some)
  if (some.size < 2) some.add(JSON.stringify(value).slice(0, 100))
}

function note(fact: Fact, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { items, others = [] } = fact
  if (Array.isArray(value)) {
    if (items) for (const item of value) note(items, item)
    return
  }
  for (const other of others) note(other, value)
  for (const [name, one] of Object.entries(value)) noteField(fact, name, one)
}

function noteField({ entity, fields, additional }: Fact, name: string, value: unknown): void {
  if (value === null || isEmpty(value)) return
  if (entity !== undefined) noteValue(`${entity}.${name}`, value)
  const field = fields?.[name] ?? additional
  if (field) note(field, value)
}

type Readable = Pick<Database, 'reader'>

/** Of a database: the types of events that a test has written by itself. */
const byHand = new WeakMap<Readable, Set<EventType>>()

/** What a database has of such events says nothing of the server: a test is about to write some by itself. */
export function writesEvents(database: Readable, ...types: readonly EventType[]): void {
  byHand.set(database, (byHand.get(database) ?? new Set()).union(new Set(types)))
}

/** Notes the types of events that the server recorded in a test, the names in their data, and what they concern. */
export async function noteEvents(database: Readable): Promise<void> {
  if (!folder) return
  const rows = await database.reader
    .selectFrom('events')
    .select(['type', 'data', 'user_id', 'install_id', 'cart_id'])
    .execute()
  const own: ReadonlySet<string> = byHand.get(database) ?? new Set()
  for (const row of rows) {
    if (own.has(row.type)) continue
    seen.add(`event ${row.type}`)
    const data = row.data === null ? {} : (JSON.parse(row.data) as object)
    for (const name of Object.keys(data)) seen.add(`event ${row.type} data ${name}`)
    for (const [kind, id] of Object.entries(concernedBy(row)))
      if (id !== null) seen.add(`event ${row.type} objects ${kind}`)
  }
}

let known: ReadonlyMap<string, Fact> | undefined

/** What the contract says of the reply, by method and address with a star for each id. */
const shapes = () =>
  (known ??= new Map(
    mountsOf(operations).flatMap(({ served, method, path, op }) => {
      const contract = contractOperations.find((one) => ourId(one) === op.id)
      const shape = contract?.responses[contract.success]
      if (!served || !shape || shape === 'none' || shape.startsWith('binary')) return []
      return [[`${method} ${patternOf(path)}`, parseShape(shape)] as const]
    }),
  ))

const patternOf = (path: string) =>
  path
    .replace(/\?.*$/s, '')
    .replace(/^\/v1/, '')
    .replace(/^(.*?)\/plugins\//, '$1/products/')
    .replaceAll(/\/(\d+|\{\w+\})(?=\/|\.|$)/g, '/*')
