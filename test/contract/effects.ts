import { operations } from '../../src/app.ts'
import type { Mount } from '../../src/http/mounts.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import { bodyOf, queryOf } from '../security/examples.ts'
import { isFresh } from '../security/fresh.ts'
import { newIds } from '../security/new-ids.ts'
import {
  allowed,
  isWrite,
  MOUNTS,
  placesOf,
  requestTo,
  sentTo,
  withQuery,
  type Place,
} from '../security/requests.ts'
import { changesBetween, dumpOf, restore, TRACES } from '../security/tables.ts'
import { keywordsOf, plainOf } from '../security/values.ts'
import type { Ids, World } from '../security/world.ts'
import { contractOperations, ourId, type ContractOperation } from './facts.ts'

/** One argument of an operation, where we serve it. */
export interface Argument {
  /** `users/list query search` */
  readonly name: string
  readonly mount: Mount
  readonly place: Place
}

/** Every argument that the document names in a query or body of an operation, but the file of an upload. */
export const documentedArguments = (): Argument[] => [
  ...contractOperations.flatMap((contract) => argumentsAt(contract.id, mountOf(contract))),
  ...ownOperations().flatMap((op) => argumentsAt(op.id, firstMountOf(op))),
]

/** The operations that are none of the contract; those that end keys come last, as others are called with these. */
function ownOperations(): AnyOperation[] {
  const known = new Set(contractOperations.map(ourId))
  const endsKeys = ({ id }: AnyOperation) => Number(id.startsWith('keywright/renew-'))
  return operations.filter(({ id }) => !known.has(id)).toSorted((a, b) => endsKeys(a) - endsKeys(b))
}

const argumentsAt = (id: string, mount: Mount): Argument[] =>
  placesOf(mount)
    .filter(({ where }) => where !== 'path')
    .map((place) => ({ name: `${id} ${place.where} ${place.name}`, mount, place }))

/** The contract spells one path of the developer's scope in the singular. */
function mountOf(contract: ContractOperation): Mount {
  const path = contract.path.replace(/^\/developer\//, '/developers/')
  const found = MOUNTS.find(
    (mount) =>
      mount.served &&
      mount.method === contract.method &&
      mount.path === path &&
      mount.op.id === ourId(contract),
  )
  if (!found) throw new Error(`${contract.id} is not served.`)
  return found
}

function firstMountOf(op: AnyOperation): Mount {
  const found = MOUNTS.find((mount) => mount.served && mount.op === op && mount.kind === op.scopes[0])
  if (!found) throw new Error(`${op.id} is not served.`)
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
  const isNew = isWrite(mount.op) || isFresh(mount.op)
  const ids = isNew ? await newIds(world, mount, newEmail()) : world.ids.own
  const call = allowed(world, mount, callWith(mount, ids, place, value), ids)
  const { answer, rows } =
    look === 'rows'
      ? await written(world, () => world.send(call))
      : { answer: await world.send(call), rows: [] }
  if (answer.status === 402 || REFUSED.has(answer.json?.error?.code)) return null
  return new Map([
    ['status', answer.status],
    ...leavesOf('reply', answer.json === null ? answer.text : withoutRequest(answer.json)),
    ...leavesOf('rows', rows),
  ])
}

const REFUSED = new Set(['invalid_argument', 'unknown_argument'])

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
  const {
    type,
    format = '',
    enum: choices,
    minimum = 1,
    maximum = Infinity,
  } = keywordsOf(plainOf(place.schema))
  const formed = BY_FORMAT[format]
  if (formed !== undefined) return [formed, ABSENT]
  if (choices) return [...choices, ABSENT]
  if (type === 'boolean') return [true, false, ABSENT]
  if (type === 'integer' || type === 'number') return [minimum, Math.min(minimum + 7, maximum), ABSENT]
  return ['Another text', ABSENT]
}

const NOBODY = '999999999'

/** Text of a form that is another than the example (`test/security/values.ts`), on a host that the product lists. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  'http-url': 'https://shop.example.com/another',
  'http-url-or-empty': 'https://shop.example.com/another',
  'web-address': 'https://shop.example.com/another',
  // Has a region of the name that the example has, too.
  'country-or-empty': 'ch',
}

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
  address_country: () => ['Deutschland'],
  address_state: () => ['BY'],
  email: () => [newEmail()],
  user_email: () => [newEmail()],
  install_ids: ({ install_id }) => [install_id, NOBODY],
  account_number: () => ['FR7630006000011234567890189'],
  swift: () => ['DEUTDEFF'],
  screenshots: () => [{ screenshot_0: 'https://shop.example.com/another.png' }],
  discounts: () => [{ eur: 9 }],
  plans: ({ plan_id }) => [plan_id],
  slug: () => [`another-${++people}`],
  'keywright/add-license-site body pattern': () => ['another.example.com'],
  'keywright/record-install-event body type': () => ['another.thing'],
  'keywright/open-checkout body visitor': () => ['another visitor'.padEnd(40, 'r')],
  'keywright/write-setting body data': () => ['{"selling_unit_plural":"Seats"}'],
  'keywright/advance-sandbox-clock body duration': () => ['P2D'],
  'keywright/update-user-installs body installs': ({ install_id }) => [[{ id: install_id, version: '1.2' }]],
}

/** Whether the outcome differs in what two of the same call have in common: a value, or that there is one. */
export const differs = (one: Outcome, again: Outcome, other: Outcome): boolean =>
  [...new Set([...one.keys(), ...again.keys(), ...other.keys()])].some(
    (path) =>
      (one.get(path) === again.get(path) && again.get(path) !== other.get(path)) ||
      (one.has(path) === again.has(path) && again.has(path) !== other.has(path)),
  )
