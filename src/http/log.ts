import type { FastifyRequest } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Context } from '../context.ts'
import type { Frame } from './frame.ts'
import { isHead } from './head.ts'

/** What the log tells of a request. */
type Logged = Pick<
  FastifyRequest,
  'id' | 'operationId' | 'method' | 'originalUrl' | 'ip' | 'startedAt' | 'scope' | 'failure' | 'raw'
> &
  Partial<Pick<FastifyRequest, 'isSoon'>>

/**
 * One structured line a response, without query, body and headers, where secrets travel
 * (`docs/security-checks.md` S39), and its time in the metrics. It is written with the response: to wait for the end of
 * that costs a sixth of a read.
 */
export function logResponse({ ctx, metrics }: Frame, request: Logged, status: number): void {
  const ms = Math.round((performance.now() - request.startedAt) * 1000) / 1000
  metrics.observeRequest(request.operationId, status, ms / 1000)
  const credential = request.scope?.actor.credential
  // Put together by hand, in half of the time that a whole object takes.
  const line =
    `"request_id":"${request.id}","operation":"${request.operationId}","method":"${isHead(request) ? 'HEAD' : request.method}",` +
    `"path":${pathText(pathOf(request.originalUrl))},"status":${status},"ms":${ms},` +
    `"ip":${addressText(request.ip)},"credential":${credential === undefined ? 'null' : quoted(credential)}`
  if (status >= 500 && !request.isSoon)
    ctx.log.error(withFailure(JSON.parse(`{${line}}`), request.failure), 'response')
  else writeInfo(ctx, line)
}

/** The path of a request without its query. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

const withFailure = (line: object, failure: unknown) => (failure === null ? line : { ...line, err: failure })

const { streamSym } = pino.symbols

/** As `log.info(line, 'response')` would, whose own serialising costs four times as much. */
function writeInfo({ log, clock }: Context, line: string): void {
  if (!log.isLevelEnabled('info')) return
  const { [streamSym]: stream } = log as Logger & Record<symbol, DestinationStream>
  const time = isoTime(clock.real())
  stream?.write(`{"level":"info","time":"${time}",${line},"msg":"response"}\n`)
}

let lastTime = { at: 0, text: '' }

/** Many responses share a millisecond. */
function isoTime(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() }
  return lastTime.text
}

/** As the paths of operations and pages are: words and ids. */
const PLAIN_PATH = /^(?:\/(?:v1|[a-z._-]{1,31}|\d{1,19}(?:\.[a-z]{1,9})?))*\/?$/
/** As the files of pages are, with the hash of their content. */
const BUILT_FILE = /^\/-\/web\/[\w-]{1,50}\.[a-z]{1,4}$/

/**
 * As JSON. A link that acts carries its token in the path, and anybody may paste a key there, or lose the `?` before
 * it.
 */
const shownPath = (path: string): string =>
  PLAIN_PATH.test(path) || BUILT_FILE.test(path)
    ? `"${path}"`
    : JSON.stringify(path.replaceAll(/[^/]+/g, (part) => (PLAIN_PATH.test(`/${part}`) ? part : '…')))

/** Addresses and the names of callers hardly ever need more than quotes. */
const quoted = (text: string): string => (/^[\w.:*-]*$/.test(text) ? `"${text}"` : JSON.stringify(text))

/** The last text is kept, as many requests in a row have the same. */
function lastOf(textOf: (value: string) => string): (value: string) => string {
  let last = { value: '', text: textOf('') }
  return (value) => {
    if (value !== last.value) last = { value, text: textOf(value) }
    return last.text
  }
}

const pathText = lastOf(shownPath)
const addressText = lastOf(quoted)
