import type { Answer } from './client.ts'

/** The error of an answer without what differs from request to request. */
export function errorOf({ json }: Answer): unknown {
  const { timestamp: _timestamp, request_id: _requestId, ...error } = (json?.error ?? {}) as Record<string, unknown>
  return error
}

const DIFFERENT = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'])

/** Everything a caller can tell two refusals apart by: status, error, headers. */
export const faceOf = (answer: Answer): unknown => ({
  status: answer.status,
  error: errorOf(answer),
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !DIFFERENT.has(name))),
})
