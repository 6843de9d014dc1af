import type { FastifyRequest } from 'fastify'
import { ApiError, tooManyRequests } from '../lib/errors.ts'
import { addressKey } from '../lib/token-buckets.ts'

const MIB = 1024 * 1024

/** Bytes of bodies that are on their way at once: of the process, and of an address. */
const MOST = 64 * MIB
const MOST_OF_ADDRESS = 16 * MIB

/**
 * Bounds what bodies hold that are not whole yet, however many come slowly at once: the one whose bytes go past a limit
 * is refused, 429 where its address holds too much and 503 where all together do (CHECKS S21, S34).
 */
export class BodyRoom {
  readonly #addresses = new Map<string, number>()
  #all = 0

  /**
   * Counts the bytes of a request's body from now on until it ends, or nobody reads it any more: of one that is too
   * large the rest is passed over. `refuse` is called at most once, while somebody hears it.
   */
  watch(request: FastifyRequest, refuse: (error: ApiError) => void): void {
    const { raw } = request
    const hold = this.hold(request)
    const count = (chunk: Buffer) => {
      const isRead = raw.listenerCount('error') > 0
      const error = isRead ? hold(chunk.length) : null
      if (isRead && !error) return
      raw.off('data', count)
      if (error) refuse(error)
    }
    raw.on('data', count)
  }

  /** Counts bytes that are held of a request's body until it ends; the refusal where they are too many. */
  hold({ raw, ip }: FastifyRequest): (bytes: number) => ApiError | null {
    const key = addressKey(ip)
    let held = 0
    let isOver = false
    const end = () => {
      raw.off('end', end).off('close', end)
      this.#add(key, -held)
      held = 0
      isOver = true
    }
    raw.on('end', end).on('close', end)
    return (bytes) => {
      if (isOver) return null
      held += bytes
      this.#add(key, bytes)
      const error = this.#refusal(key)
      if (error) end()
      return error
    }
  }

  #add(key: string, bytes: number): void {
    this.#all += bytes
    const held = (this.#addresses.get(key) ?? 0) + bytes
    if (held > 0) this.#addresses.set(key, held)
    else this.#addresses.delete(key)
  }

  #refusal(key: string): ApiError | null {
    if ((this.#addresses.get(key) ?? 0) > MOST_OF_ADDRESS) return tooManyRequests(1, { connection: 'close' })
    if (this.#all <= MOST) return null
    const headers = { 'retry-after': '1', connection: 'close' }
    return new ApiError(503, 'maintenance_mode', 'Too much comes in at once; try again.', { headers })
  }
}
