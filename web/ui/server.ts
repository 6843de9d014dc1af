import { call, Problem } from '../shared/call.ts'
import { patiently } from './away.ts'
import { problemInLanguage } from './refusal.ts'

/** What stands in the page itself: what each page says of its own is added to it. */
interface Given {
  readonly prefix?: string
}

/** What the server has put into the page. */
export const given = JSON.parse(document.querySelector('#data')?.textContent ?? '{}') as Given

/** What comes before each path of the server. */
export const prefix = given.prefix ?? ''

/** Answers 200 as soon as the server can be asked. */
const READY = `${prefix}/readyz`

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The value that writes with the cookie of who has come in need. */
let csrf = ''
export const setCsrf = (value: string): void => {
  csrf = value
}

/** The path of a call below `/v1`, with what of the query is given. */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  )
  const text = new URLSearchParams(given).toString()
  return `${prefix}/v1${path}${text === '' ? '' : `?${text}`}`
}

/** An argument that a page misspells is refused, as it would otherwise mean nothing. */
const STRICT = { 'x-keywright-strict': '1' }

/** Asks the interface; a `Problem` where it refuses. */
export const ask = <T>(path: string, query?: Query): Promise<T> => askWith<T>(STRICT, path, query)

/** Asks for what may not have been written yet: null then, in the place of a refusal. */
export const askIfAny = <T>(path: string): Promise<T | null> => askWith<T | null>(IF_ANY, path)

const IF_ANY = { ...STRICT, 'x-keywright-if-any': '1' }

const askWith = <T>(headers: Readonly<Record<string, string>>, path: string, query?: Query): Promise<T> =>
  patiently(READY, (waits) => call<T>({ method: 'GET', path: pathOf(path, query), headers, waits })).catch(
    (error: unknown) => refuse(error instanceof Problem ? ofAddress(error, query) : error),
  )

async function refuse(error: unknown): Promise<never> {
  throw error instanceof Problem ? await problemInLanguage(error) : error
}

/** What the server calls what its path names otherwise. */
const THINGS: Readonly<Record<string, string>> = { tag: 'version', template: 'mail' }

/** A read takes arguments from its query and its path alone: an id in the path that is none is that of nothing. */
function ofAddress(problem: Problem, query: Query = {}): Problem {
  const { code, details, requestId } = problem
  const [{ field } = { field: '' }] = details
  const isOfPath = details.every((one) => /_(id|name)$/.test(one.field) && !Object.hasOwn(query, one.field))
  if (code !== 'invalid_argument' || field === '' || !isOfPath) return problem
  const name = field.replace(/_(id|name)$/, '').replaceAll('_', ' ')
  const message = `There is no such ${THINGS[name] ?? name}.`
  return new Problem({ status: 404, code: 'not_found', message, requestId })
}

const OVER = new Set(['authorization_missing', 'session_ended', 'csrf_required'])

/** Whether a session is over; a wrong password or code in a form is 401 too. */
export const isSignedOut = ({ status, code }: Problem): boolean => status === 401 && OVER.has(code)

interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  /** Of one form: pressed twice, or sent again after an answer was lost, it is done once. */
  readonly key?: string
}

/** What a write with the cookie of who has come in says beside its body. */
export const writeHeaders = (key?: string): Readonly<Record<string, string>> => ({
  ...STRICT,
  'x-keywright-csrf': csrf,
  ...(key !== undefined && { 'idempotency-key': key }),
})

/** Changes something by the interface. */
export const send = <T>({ method, path, query, body, key }: Write): Promise<T> =>
  patiently(READY, (waits) =>
    call<T>({
      method,
      path: pathOf(path, query),
      ...(body !== undefined && { body }),
      headers: writeHeaders(key),
      waits,
    }),
  ).catch(refuse)
