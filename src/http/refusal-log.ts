import type { FastifyRequest } from 'fastify'
import { type Context, type Hooks, quietly } from '../context.ts'
import type { RefusedOccasion } from '../db/tables/refusals.ts'
import type { ApiError } from '../lib/errors.ts'
import { SECOND } from '../lib/time.ts'

type RefusedCall = Parameters<Hooks['refusals']['find']>[1][number]

const FLUSH_MS = SECOND

/** Different refusals that are held until the next flush; what comes beyond them is not kept. */
const MOST_HELD = 200

/** Characters of what a client told. */
const MOST_TEXT = 255

/** Refusals that the fault of the server, a limit or a lost login is the reason of say nothing of a license. */
const isKept = (occasion: RefusedOccasion, { status }: ApiError): boolean =>
  status === 400 || (status === 402 && occasion === 'activation') || (status === 404 && occasion !== 'update')

/**
 * Refusals of operations that say so (`keepsRefusals`), noted in memory as they are answered and written together a
 * second later, so that no client waits for it. A server that is killed loses those of the last second.
 */
export class RefusalLog {
  readonly #ctx: Context
  readonly #timer: NodeJS.Timeout
  #held = new Map<string, RefusedCall>()
  #writing = Promise.resolve()

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  note(occasion: RefusedOccasion, request: FastifyRequest, refusal: ApiError): void {
    if (!isKept(occasion, refusal)) return
    const at = this.#ctx.clock.real()
    const call = { ...toldIn(request), occasion, code: refusal.code, message: refusal.message, at, count: 1 }
    const { productId, installId, licenseId, key, uid, url, code } = call
    const name = JSON.stringify([occasion, productId, installId, licenseId, key, uid, url, code])
    const known = this.#held.get(name)
    if (known) {
      known.count++
      known.at = at
    } else if (this.#held.size < MOST_HELD) this.#held.set(name, call)
  }

  /** Writes what was noted until now; what cannot be written is left out, as it is no part of the books. */
  async flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    if (this.#held.size === 0) return
    const calls = [...this.#held.values()]
    this.#held = new Map()
    try {
      const write = await this.#ctx.hooks.refusals.find(this.#ctx, calls)
      await quietly(this.#ctx, write)
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'refusals could not be kept')
    }
  }
}

type Told = Pick<RefusedCall, 'productId' | 'installId' | 'licenseId' | 'key' | 'uid' | 'url' | 'version'>

/** What nobody reads, and no database takes; a key that somebody put into the wrong field stays a secret. */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu
const SECRET = /(?:sk|kwi?)_[\w%-]{20,}/g

const toldText = (text: string, name: string): string => {
  const short = text.slice(0, MOST_TEXT)
  return name === 'license_key' ? short : short.replaceAll(UNREADABLE, '').replaceAll(SECRET, '…')
}

/** What a request says of who asks and where, wherever it says it. */
function toldIn({ scope, params, query, arguments: body }: FastifyRequest): Told {
  const parts = [body, query, params].filter((part) => typeof part === 'object' && part !== null)
  const find = (name: string): string | null => {
    for (const part of parts) {
      const value = (part as Readonly<Record<string, unknown>>)[name]
      if (typeof value === 'string' || typeof value === 'number') return toldText(String(value), name)
    }
    return null
  }
  const idIn = (name: string): number | null => {
    const text = find(name)
    return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  }
  return {
    productId: scope?.productId ?? 0,
    installId: idIn('install_id'),
    licenseId: idIn('license_id'),
    key: find('license_key'),
    uid: find('uid'),
    url: find('url'),
    version: find('version'),
  }
}
