import { operations } from '../../src/app.ts'
import { mountsOf, type Mount } from '../../src/http/mounts.ts'
import { bodyOf, queryOf } from '../security/examples.ts'
import { newIds } from '../security/new-ids.ts'
import { allowed, isWrite, placesOf, requestTo, sentTo, withQuery, type Place } from '../security/requests.ts'
import { changesBetween, dumpOf, restore, TRACES } from '../security/tables.ts'
import { keywordsOf, plainOf } from '../security/values.ts'
import type { Ids, World } from '../security/world.ts'
import { contractOperations, ourId, type ContractOperation } from './facts.ts'

/** One argument of an operation of the contract, where we serve it. */
export interface Argument {
  /** `users/list query search` */
  readonly name: string
  readonly mount: Mount
  readonly place: Place
}

const mounts = mountsOf(operations)

/** Every argument that the contract documents in a query or body, but the file of an upload. */
export const documentedArguments = (): Argument[] =>
  contractOperations.flatMap((contract) => {
    const mount = mountOf(contract)
    const named = { query: Object.keys(contract.query), body: Object.keys(contract.body?.fields ?? {}) }
    return placesOf(mount)
      .filter(({ where, name }) => where !== 'path' && named[where].includes(name))
      .map((place) => ({ name: `${contract.id} ${place.where} ${place.name}`, mount, place }))
  })

/** The contract spells one path of the developer's scope in the singular. */
function mountOf(contract: ContractOperation): Mount {
  const path = contract.path.replace(/^\/developer\//, '/developers/')
  const found = mounts.find(
    (mount) =>
      mount.served &&
      mount.method === contract.method &&
      mount.path === path &&
      mount.op.id === ourId(contract),
  )
  if (!found) throw new Error(`${contract.id} is not served.`)
  return found
}

/** An argument that is not sent. */
const ABSENT = Symbol('absent')

/** What came of a call: each value of the answer and of the rows that it wrote, by its path. */
export type Outcome = ReadonlyMap<string, unknown>

/** How closely a call is looked at: what it answers, or also the rows that it writes, which takes longer. */
export type Look = 'reply' | 'rows'

/** Sends the operation with this value of the argument; null where the answer only says what is malformed. */
export async function outcomeOf(
  world: World,
  { mount, place }: Pick<Argument, 'mount' | 'place'>,
  value: unknown,
  look: Look,
): Promise<Outcome | null> {
  const ids = isWrite(mount.op) ? await newIds(world, mount, newEmail()) : world.ids.own
  const call = allowed(world, mount, callWith(mount, ids, place, value), ids)
  const { answer, rows } =
    look === 'rows'
      ? await written(world, () => world.send(call))
      : { answer: await world.send(call), rows: [] }
  if (answer.status === 402 || answer.json?.error?.code === 'invalid_argument') return null
  return new Map([
    ['status', answer.status],
    ...leavesOf('reply', answer.json === null ? answer.text : withoutRequest(answer.json)),
    ...leavesOf('rows', rows),
  ])
}

let people = 0
const newEmail = () => `argument-${++people}@example.com`

/** What a call answered, and the rows that it wrote; what it changed is put back. */
async function written<T>({ ctx }: World, send: () => Promise<T>) {
  const before = await dumpOf(ctx.database, TRACES)
  const answer = await send()
  const changes = changesBetween(before, await dumpOf(ctx.database, TRACES))
  // Rows that were added stay, so the counter of invoices does too.
  await restore(
    ctx.database,
    changes.filter(({ table }) => table !== 'invoice_numbers'),
  )
  return { answer, rows: changes.map(({ table, after }) => ({ table, ...after })) }
}

/** A refusal repeats the request. */
const withoutRequest = (json: Record<string, unknown>) => {
  const { request: _, ...said } = json
  return said
}

function callWith(mount: Mount, ids: Ids, { where, name }: Place, value: unknown) {
  const call = requestTo(mount, ids)
  if (where === 'body') {
    const { [name]: _, ...others } = bodyOf(mount.op, ids)
    return { ...call, ...sentTo(mount.op, value === ABSENT ? others : { ...others, [name]: value }) }
  }
  const [path = '', query = ''] = call.path.split('?')
  const params = new URLSearchParams(query)
  params.delete(name)
  const bare = params.size > 0 ? `${path}?${params}` : path
  if (value === ABSENT) return { ...call, path: bare }
  return { ...call, path: withQuery(bare, `${name}=${encodeURIComponent(String(value))}`) }
}

function leavesOf(at: string, value: unknown): [path: string, leaf: unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]]
  const inner = Object.entries(value)
  return inner.length === 0 ? [[at, 'empty']] : inner.flatMap(([key, one]) => leavesOf(`${at}.${key}`, one))
}

/** What the argument is in the example of its operation. */
export function exampleOf({ mount: { op }, place: { where, name } }: Argument, ids: Ids): unknown {
  const values: Record<string, unknown> =
    where === 'body' ? bodyOf(op, ids) : Object.fromEntries(queryOf(op, ids))
  return values[name] ?? ABSENT
}

/** Values of an argument that may each be answered differently: all choices, or some that differ widely. */
export function valuesOf({ name, place }: Argument, ids: Ids): unknown[] {
  const own = VALUES[name] ?? VALUES[place.name]
  if (own) return [...own(ids), ABSENT]
  const { type, enum: choices, minimum = 1, maximum = Infinity } = keywordsOf(plainOf(place.schema))
  if (choices) return [...choices, ABSENT]
  if (type === 'boolean') return [true, false, ABSENT]
  if (type === 'integer' || type === 'number') return [minimum, Math.min(minimum + 7, maximum), ABSENT]
  return ['Another text', ABSENT]
}

const NOBODY = '999999999'

/** By the name of the argument, or of the argument of one operation: texts of a form, and ids of what is there. */
const VALUES: Readonly<Record<string, (ids: Ids) => unknown[]>> = {
  fields: () => ['id'],
  ids: ({ install_id }) => [install_id, NOBODY],
  from: () => ['2001-01-01', '2099-01-01'],
  to: () => ['2001-01-01', '2099-01-01'],
  reason_ids: () => ['2', '7'],
  reason_id: () => ['4', '7'],
  site_url: () => ['https://another.example.com/'],
  permissions: () => ['user', 'extensions'],
  version: () => ['0.1', '9999.0'],
  older_than: () => ['0.1', '9999.0'],
  first_name: () => ['Grace'],
  last_name: () => ['Hopper'],
  trial_timestamp: () => ['1769853600', '1769853500'],
  uid: () => ['f'.repeat(32)],
  discount_type: () => ['percentage', 'dollar'],
  name: () => ['Grace Hopper'],
  general: () => ['another@example.com'],
  dont_reply: () => ['another@example.com'],
  personal: () => ['another@example.com'],
  personal_technical: () => ['another@example.com'],
  personal_setup: () => ['another@example.com'],
  support: () => ['another@example.com'],
  support_email: () => ['another@example.com'],
  is_premium: () => ['true', 'false'],
  currency: () => ['usd', 'eur', 'gbp'],
  region: () => ['BY'],
  address_state: () => ['BY'],
  email: () => [newEmail()],
  user_email: () => [newEmail()],
}

/** Whether the outcome differs in what two of the same call have in common. */
export const differs = (one: Outcome, again: Outcome, other: Outcome): boolean =>
  [...new Set([...one.keys(), ...again.keys(), ...other.keys()])].some(
    (path) => one.get(path) === again.get(path) && again.get(path) !== other.get(path),
  )
