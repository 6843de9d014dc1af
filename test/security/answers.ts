import assert from 'node:assert/strict'
import { testEngine } from '../database.ts'
import type { Answer } from './client.ts'

/** The error of an answer without what differs from request to request. */
function errorOf({ json }: Answer): unknown {
  const {
    timestamp: _timestamp,
    request_id: _requestId,
    ...error
  } = (json?.error ?? {}) as Record<string, unknown>
  return error
}

const DIFFERENT = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'])

/** Everything a caller can tell two refusals apart by: status, error, headers. */
export const faceOf = (answer: Answer): unknown => ({
  status: answer.status,
  error: errorOf(answer),
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !DIFFERENT.has(name))),
})

/**
 * The answer, which must not take longer than `bound` milliseconds. What other processes do in the meantime is not
 * judged: where the database is in this process, as the server is, the time counts for which it was busy, and one of
 * two tries; elsewhere the whole time, and one of five.
 */
export async function promptly(name: string, bound: number, send: () => Promise<Answer>): Promise<Answer> {
  const times: number[] = []
  const isHere = testEngine() === 'sqlite'
  while (times.length < (isHere ? 2 : 5)) {
    const start = process.cpuUsage()
    const answer = await send()
    const { user, system } = process.cpuUsage(start)
    const ms = isHere ? (user + system) / 1000 : answer.ms
    if (ms < bound) return answer
    times.push(ms)
  }
  return assert.fail(`${name}: ${times.join(' and ')} ms`)
}

/**
 * At most about `limit` of the trials of every place with each of `texts` texts. Every text and every place
 * stays among them: the step through the list has no divisor in common with the number of texts.
 */
export function spread<T>(trials: readonly T[], texts: number, limit: number): T[] {
  let step = Math.ceil(trials.length / limit)
  while (step > 1 && hasCommonDivisor(step, texts)) step++
  return trials.filter((_, index) => index % step === 0)
}

const hasCommonDivisor = (a: number, b: number): boolean => (b === 0 ? a > 1 : hasCommonDivisor(b, a % b))
