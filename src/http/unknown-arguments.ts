import { closestMatch } from 'leven'
import type { FastifyRequest } from 'fastify'
import type { Actor, Scope } from '../access/scope.ts'
import type { FieldError } from '../lib/errors.ts'
import type { TObject, TSchema } from '../lib/type.ts'
import { isSecret } from './errors.ts'
import type { AnyOperation } from './operation.ts'

/** What the frame itself reads of a query, at any address. */
const FRAME = ['authorization', 'auth_date', 'public_key', 'method']

/** So many names are told of one request. */
const MOST_NAMES = 20
const LONGEST_NAME = 64

/** A name this far from one that is taken is another word. */
const FARTHEST = 3

interface Names {
  readonly query: ReadonlySet<string>
  readonly body: ReadonlySet<string>
  /** What it answers, which may be sent back. */
  readonly answered: ReadonlySet<string>
  /** Of arguments of the body that are objects, or lists of them; null: there are none (the way of most). */
  readonly inside: Inside | null
}

/** What an object takes, and what the objects in it take. */
interface Taken {
  readonly names: ReadonlySet<string>
  readonly inside: Inside | null
}
type Inside = ReadonlyMap<string, Taken>

const known = new WeakMap<object, Names>()

const namesIn = (schema: TObject | undefined): string[] => Object.keys(schema?.properties ?? {})

/** What an operation takes in its query and in its body, worked out once. */
function namesOf(op: AnyOperation): Names {
  const found = known.get(op)
  if (found) return found
  const [query, body] = [namesIn(op.query), namesIn(op.body)]
  const files = Object.keys(op.files ?? {})
  const names = {
    query: new Set([...FRAME, ...query, ...(op.takesQuery ? body : [])]),
    body: new Set([...body, ...files, ...(query.includes('fields') ? ['fields'] : [])]),
    answered: new Set(Object.keys((op.response as TObject | undefined)?.properties ?? {})),
    inside: insideOf({ ...op.body?.properties, ...op.inside }),
  }
  known.set(op, names)
  return names
}

interface Keywords {
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
}

function insideOf(properties: Readonly<Record<string, TSchema>>): Inside | null {
  const inside = Object.entries(properties).flatMap(([name, schema]) => {
    const taken = takenBy(schema)
    return taken ? [[name, taken] as const] : []
  })
  return inside.length === 0 ? null : new Map(inside)
}

/** Null for what is no object, and for one that says no name of its own: it takes any. */
function takenBy(schema: TSchema): Taken | null {
  const { anyOf = [], items, properties = {} } = schema as Keywords
  const names = Object.keys(properties)
  if (names.length > 0) return { names: new Set(names), inside: insideOf(properties) }
  return [...anyOf, ...(items ? [items] : [])].map(takenBy).find((taken) => taken !== null) ?? null
}

interface Given {
  readonly query: unknown
  readonly body: object
}

/**
 * The names in a request that its operation does not take, each once: the first of those that it does not answer either,
 * then those that it does; null: there are none (the way of most).
 */
export function unknownNames(op: AnyOperation, { query, body }: Given): string[] | null {
  const names = namesOf(op)
  const [unknown, sentBack] = [new Set<string>(), new Set<string>()]
  const note = (name: string) => (names.answered.has(name) ? sentBack : unknown).add(name)
  for (const name in query as object) if (!names.query.has(name)) note(name)
  // What is read of a query by the body's schema stands in `body` too. Nobody need be told a million names.
  for (const name in body) {
    if (unknown.size >= MOST_NAMES) break
    if (!names.body.has(name) && !names.query.has(name)) note(name)
  }
  if (names.inside) noteInside(names.inside, body, { path: '', unknown })
  return unknown.size + sentBack.size === 0 ? null : [...unknown, ...sentBack]
}

interface Noting {
  /** Of the object, with a dot at its end. */
  readonly path: string
  readonly unknown: Set<string>
}

function noteInside(inside: Inside, given: object, noting: Noting): void {
  for (const [name, taken] of inside) {
    const value: unknown = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined
    noteValue(taken, value, { ...noting, path: `${noting.path}${name}.` })
  }
}

function noteValue(taken: Taken, value: unknown, { path, unknown }: Noting): void {
  if (!Array.isArray(value)) return noteObject(taken, value, { path, unknown })
  for (const [index, item] of value.entries()) {
    if (unknown.size >= MOST_NAMES) return
    noteObject(taken, item, { path: `${path}${index}.`, unknown })
  }
}

function noteObject({ names, inside }: Taken, value: unknown, { path, unknown }: Noting): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const name in value) {
    if (unknown.size >= MOST_NAMES) return
    if (!names.has(name)) unknown.add(`${path}${name}`)
  }
  if (inside) noteInside(inside, value, { path, unknown })
}

/**
 * Which of these names a request is refused for; of the others it is told (`docs/decisions.md` 1.1). A caller says for
 * all or for none by `X-Keywright-Strict`. Where it says nothing, clients of the interface go on with what they always
 * sent, and what they do not know of is strict: tokens of an account, who is logged in, and operations of ours.
 */
export function refusedNames(
  op: AnyOperation,
  unknown: readonly string[],
  { headers }: Pick<FastifyRequest, 'headers'>,
  { actor }: Pick<Scope, 'actor'>,
): readonly string[] {
  const asked = headers['x-keywright-strict']
  if (asked === '1') return unknown
  if (asked === '0' || !isOfToday(op, actor)) return []
  // An entity is sent back as it was answered.
  const { answered } = namesOf(op)
  return unknown.filter((name) => !answered.has(name))
}

/** No client of the interface is this caller, nor calls this operation with such a credential. */
const isOfToday = (op: AnyOperation, { kind, credential, sessionId, productIds }: Actor): boolean => {
  if (kind === 'developer' && sessionId !== undefined) return true
  if (!credential.startsWith('token:')) return false
  // A token of an account that was narrowed to some products acts as one of each.
  return kind === 'developer' || productIds !== undefined || isOfSellers(op)
}

/** Whether it is one of ours that neither sites nor their users call. */
const isOfSellers = ({ id, scopes, caller, isOfClients }: AnyOperation): boolean =>
  id.startsWith('keywright/') &&
  !isOfClients &&
  !scopes.includes('user') &&
  !scopes.includes('install') &&
  caller !== 'public' &&
  caller !== 'open'

/** What an error says of these names: each with the nearest one that is taken, where one is near. */
export function unknownProblems(op: AnyOperation, unknown: readonly string[]): FieldError[] {
  const { query, body, inside } = namesOf(op)
  const taken = [...new Set([...query, ...body])].filter((name) => !FRAME.includes(name))
  return unknown.slice(0, MOST_NAMES).map((path) => {
    const found = inside && objectAt(inside, path)
    const message = found ? messageOf(found.name, [...found.taken], found.path) : messageOf(path, taken)
    return { field: shown(path), message }
  })
}

/** The object that a path leads into, such as `sites.0.` of `sites.0.uuid`; null: it is a name of the request itself. */
function objectAt(inside: Inside, path: string) {
  let [within, names]: [Inside | null, ReadonlySet<string> | null] = [inside, null]
  let rest = path
  for (;;) {
    const [, step = '', after = ''] = /^([^.]+)\.(?:\d+\.)?(.+)$/s.exec(rest) ?? []
    const taken: Taken | undefined = within?.get(step)
    if (!taken) break
    ;[within, names, rest] = [taken.inside, taken.names, after]
  }
  return names && { name: rest, taken: names, path: path.slice(0, path.length - rest.length) }
}

function messageOf(name: string, taken: readonly string[], path = ''): string {
  const maxDistance = Math.min(FARTHEST, Math.ceil(name.length / 3))
  const near = name.length <= LONGEST_NAME && closestMatch(name.toLowerCase(), taken, { maxDistance })
  return near ? `is not known here; did you mean ${path}${near}?` : 'is not known here'
}

/** The names as one header, by commas, percent-encoded. */
export const ignoredHeader = (unknown: readonly string[]): string =>
  unknown
    .slice(0, MOST_NAMES)
    .map((name) => encodeURIComponent(shown(name).toWellFormed()))
    .join(', ')

/** A secret or a card number may stand where a name belongs. */
const shown = (name: string): string =>
  isSecret(name) || name.split('.').some(isSecret) ? '…' : name.slice(0, LONGEST_NAME)
