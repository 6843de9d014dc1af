import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, tooManyRequests } from '../lib/errors.ts'
import { addressKey, blockKey } from '../lib/token-buckets.ts'

const MIB = 1024 * 1024

/** Bytes of bodies that are on their way at once: of the process, and of an address. */
const MOST = 64 * MIB
const MOST_OF_ADDRESS = 16 * MIB

/** Bytes that a chunk counts as at least: a body may come a byte at a time, and what holds a chunk has hundreds. */
const LEAST = 512

/** A body that is not whole yet, and how many bytes of it are held. */
export interface HeldBody {
  /** Why it was ended; null while it goes on, and when it came to its end by itself. */
  readonly refusal: ApiError | null
  /** Told when it is ended for bytes of others; who reads the body sets it. */
  onRefusal: (refusal: ApiError) => void
  /** Counts a chunk that is held from now on; the refusal where it is too much, and of what was ended before. */
  take(bytes: number): ApiError | null
}

interface Holder extends HeldBody {
  readonly address: string
  readonly block: string
  held: number
  refusal: ApiError | null
  /** Gives its bytes back. */
  end(): void
}

interface Address {
  readonly block: string
  held: number
  /** Those that hold something, who has held it longest first. */
  readonly holders: Set<Holder>
}

/**
 * Bounds what bodies hold that are not whole yet, however many come slowly at once (`docs/security-checks.md` S21,
 * S34). Of an address that holds too much the one is refused, 429, whose bytes go past the limit. Where all together
 * do, 503 ends the one that has held its bytes longest of the address that holds most in the block of addresses (a /24
 * of IPv4, a /48 of IPv6) that does: who lets bodies stand keeps nobody else out.
 */
export class BodyRoom {
  readonly #addresses = new Map<string, Address>()
  readonly #waiting = new WeakMap<IncomingMessage, Holder>()
  #all = 0

  /**
   * Counts what comes of a request's body from its arrival on, which is before its turn and before its caller is known.
   * Refused, what is held of it and all that follows is let go; `begin` says so.
   */
  wait(request: FastifyRequest): void {
    const { raw } = request
    if (raw.readableEnded) return
    const body = this.hold(request)
    this.#waiting.set(raw, body)
    body.onRefusal = () => void raw.resume()
    // Whoever listened to the stream would make it flow.
    const { push } = raw
    raw.push = (chunk: Buffer | null) => {
      const refusal = chunk && body.take(chunk.length)
      if (!refusal) return push.call(raw, chunk)
      body.onRefusal(refusal)
      return true
    }
    // It flows to who reads it, or to nobody after an answer that needed none of it.
    raw.once('resume', body.end)
  }

  /** Who reads the body counts it from now on; the refusal where it has held too much before. */
  begin({ raw }: FastifyRequest): ApiError | null {
    const body = this.#waiting.get(raw)
    body?.end()
    return body?.refusal ?? null
  }

  /**
   * Counts the bytes of a request's body from now on until it ends, or nobody reads it any more: of one that is too
   * large or refused the rest is passed over. Who reads it hears a refusal as an error of the stream.
   */
  watch(request: FastifyRequest): void {
    const { raw } = request
    const body = this.hold(request)
    body.onRefusal = (refusal) => {
      raw.off('data', count)
      if (isRead(raw)) raw.emit('error', refusal)
    }
    const count = (chunk: Buffer) => {
      if (!isRead(raw)) return void raw.off('data', count)
      const refusal = body.take(chunk.length)
      if (refusal) body.onRefusal(refusal)
    }
    raw.on('data', count)
  }

  /** What counts the bytes that are held of a request's body until it ends. */
  hold({ raw, ip }: FastifyRequest): Holder {
    let isOver = false
    const holder: Holder = {
      address: addressKey(ip),
      block: blockKey(ip),
      held: 0,
      refusal: null,
      onRefusal: () => {},
      take: (bytes) => (isOver ? holder.refusal : this.#take(holder, Math.max(bytes, LEAST))),
      end: () => {
        raw.off('end', holder.end).off('close', holder.end)
        isOver = true
        this.#release(holder)
      },
    }
    raw.on('end', holder.end).on('close', holder.end)
    return holder
  }

  #take(holder: Holder, bytes: number): ApiError | null {
    const address = this.#addresses.get(holder.address) ?? {
      block: holder.block,
      held: 0,
      holders: new Set(),
    }
    this.#addresses.set(holder.address, address)
    address.holders.add(holder)
    address.held += bytes
    holder.held += bytes
    this.#all += bytes
    if (address.held > MOST_OF_ADDRESS) return refuse(holder, tooManyRequests(1, { connection: 'close' }))
    while (this.#all > MOST) {
      const ended = this.#longestOfMost() ?? holder
      const refusal = refuse(ended, tooMuch())
      if (ended === holder) return refusal
      ended.onRefusal(refusal)
    }
    return null
  }

  #longestOfMost(): Holder | undefined {
    const blocks = Map.groupBy(this.#addresses.values(), ({ block }) => block)
    const block = most([...blocks.values()], (addresses) => sum(addresses))
    const [longest] = most(block ?? [], ({ held }) => held)?.holders ?? []
    return longest
  }

  #release(holder: Holder): void {
    const address = this.#addresses.get(holder.address)
    if (!address?.holders.delete(holder)) return
    address.held -= holder.held
    this.#all -= holder.held
    if (address.holders.size === 0) this.#addresses.delete(holder.address)
  }
}

const sum = (addresses: readonly Address[]) => addresses.reduce((total, { held }) => total + held, 0)

function most<T>(of: readonly T[], measure: (one: T) => number): T | undefined {
  return of.reduce<T | undefined>(
    (best, one) => (best === undefined || measure(one) > measure(best) ? one : best),
    undefined,
  )
}

/** A body that is refused elsewhere goes on to come, and nobody holds it. */
const isRead = (raw: IncomingMessage) => raw.listenerCount('error') > 0

function refuse(holder: Holder, refusal: ApiError): ApiError {
  holder.refusal = refusal
  holder.end()
  return refusal
}

const tooMuch = () =>
  new ApiError(503, 'maintenance_mode', 'Too much comes in at once; try again.', {
    headers: { 'retry-after': '1', connection: 'close' },
  })
