import { closestMatch } from 'leven'
import type { FastifyRequest } from 'fastify'
import type { FieldError } from '../lib/errors.ts'
import type { TObject } from '../lib/type.ts'
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
}

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
  }
  known.set(op, names)
  return names
}

interface Given {
  readonly query: unknown
  readonly body: object
}

/** The first names in a request that its operation does not take, each once; null: there are none (the way of most). */
export function unknownNames(op: AnyOperation, { query, body }: Given): string[] | null {
  const names = namesOf(op)
  const unknown = new Set<string>()
  for (const name in query as object) if (!names.query.has(name)) unknown.add(name)
  // What is read of a query by the body's schema stands in `body` too. Nobody need be told a million names.
  for (const name in body) {
    if (unknown.size >= MOST_NAMES) break
    if (!names.body.has(name) && !names.query.has(name)) unknown.add(name)
  }
  return unknown.size === 0 ? null : [...unknown]
}

/**
 * Whether a caller asks that what an operation does not take is refused. Clients send what they always did, among it
 * whole entities as they were answered, and are told its names alone.
 */
export const isStrict = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-keywright-strict'] === '1'

/** What an error says of these names: each with the nearest one that is taken, where one is near. */
export function unknownProblems(op: AnyOperation, unknown: readonly string[]): FieldError[] {
  const { query, body } = namesOf(op)
  const taken = [...new Set([...query, ...body])].filter((name) => !FRAME.includes(name))
  return unknown.slice(0, MOST_NAMES).map((name) => ({ field: shown(name), message: messageOf(name, taken) }))
}

function messageOf(name: string, taken: readonly string[]): string {
  const maxDistance = Math.min(FARTHEST, Math.ceil(name.length / 3))
  const near = name.length <= LONGEST_NAME && closestMatch(name.toLowerCase(), taken, { maxDistance })
  return near ? `is not known here; did you mean ${near}?` : 'is not known here'
}

/** The names as one header, by commas, percent-encoded. */
export const ignoredHeader = (unknown: readonly string[]): string =>
  unknown
    .slice(0, MOST_NAMES)
    .map((name) => encodeURIComponent(shown(name).toWellFormed()))
    .join(', ')

/** A secret or a card number may stand where a name belongs. */
const shown = (name: string): string => (isSecret(name) ? '…' : name.slice(0, LONGEST_NAME))
