import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { noteReply } from '../contract/seen.ts'

export interface Call {
  readonly method: string
  /** As it goes over the wire, from `/v1`; nothing is normalised. */
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
  readonly json: any
  /** From sending to the last byte. */
  readonly ms: number
}

export type Send = (call: Call) => Promise<Answer>

/** Speaks HTTP without the manners of `fetch`: any method, any spelling of a path, any header. */
export function clientOf(address: string): { readonly send: Send; close(): void } {
  const { hostname, port } = new URL(address)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send: Send = ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const hasLength = body !== undefined && headers['transfer-encoding'] === undefined
      const length = hasLength ? { 'content-length': Buffer.byteLength(body) } : {}
      const sent = request({ hostname, port, agent, method, path, headers: { ...length, ...headers } })
      sent.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('error', reject)
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false
          const status = response.statusCode ?? 0
          const json = isJson && text !== '' ? (JSON.parse(text) as unknown) : null
          noteReply({ method, path }, status, json)
          resolve({
            status,
            headers: response.headers,
            text,
            json,
            ms: performance.now() - start,
          })
        })
      })
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** A JSON body with its content type, for `Call`. */
export const jsonBody = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** Every call with at most `limit` under way; the answers in the order of the calls. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit = 16,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
