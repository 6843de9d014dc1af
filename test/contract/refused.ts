import { ServerResponse } from 'node:http'
import { operations, refusals } from '../../src/app.ts'
import { refusalsOf } from '../../src/http/refusals.ts'
import type { RefusalCode } from '../../src/lib/errors.ts'
import type { Answered } from '../audit-gaps.ts'

/** What servers of this process have refused requests with, by the id of the request. */
const sent = new Map<string, string>()

const { end } = ServerResponse.prototype
ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
  const [body] = given
  if (this.statusCode >= 400 && typeof body === 'string') noteBody(body)
  return (end as (...given: unknown[]) => ServerResponse).apply(this, given)
}

function noteBody(body: string): void {
  const [, code, id] = /"code":"(\w+)","http":\d+,"timestamp":"[^"]*","request_id":"([^"]+)"/.exec(body) ?? []
  if (code !== undefined && id !== undefined) sent.set(id, code)
}

const declared: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  operations.map((op) => [op.id, new Set<string>(refusalsOf(op))]),
)

/** A request that was refused: by which operation, with which code. */
export interface RefusedRequest {
  readonly operation: string
  readonly status: number
  readonly code: string
}

/** What of these answers was refused. */
export const refusedIn = (answers: readonly Answered[]): RefusedRequest[] =>
  answers.flatMap(({ request_id: id, operation, status }) => {
    const code = sent.get(id)
    return code === undefined ? [] : [{ operation, status, code }]
  })

/**
 * What operations answered that they do not declare (`refuses`, and what follows from what they are), and codes that came
 * with another status than they are listed with.
 */
export function undeclaredIn(requests: readonly RefusedRequest[]): string[] {
  const faults = requests.flatMap(({ operation, status, code }) => {
    const codes = declared.get(operation)
    const listed = refusals[code as RefusalCode]?.status
    return [
      ...(codes && !codes.has(code) ? [`${operation} answers ${code}, which it does not declare`] : []),
      ...(listed === status ? [] : [`${code} is listed with ${listed} and came with ${status}`]),
    ]
  })
  return [...new Set(faults)]
}
