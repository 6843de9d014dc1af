import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Context, transaction, type TxContext } from '../context.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { ApiError } from '../lib/errors.ts'
import { DAY, MINUTE, SECOND } from '../lib/time.ts'
import { pathOf } from './log.ts'
import { claimKey, findKey, releaseKey, storeReply, type ClaimRow } from './idempotency-queries.ts'
import { isStranger, type Scope } from '../access/scope.ts'

/** How long a request may work before another one with its key may take over. */
const LEASE_MS = MINUTE
const KEPT_MS = DAY
/** How long a refusal waits until its key is free, and the pause before that is tried again. */
const PATIENCE_MS = SECOND / 4
const MAX_KEY = 255
/** Of a key by which alone one caller is told from the next. */
const MIN_RANDOM_KEY = 16
const PLACE = 'idempotency_keys.reply'

const SEE_OTHER = 303

/** What is answered, and again to whoever repeats the key: with a body, or an address that the browser is led to. */
export type StoredReply =
  | { readonly status: number; readonly body: string; readonly location?: never }
  | { readonly status: typeof SEE_OTHER; readonly body: ''; readonly location: string }

/** The reply that leads elsewhere. */
export const leadingTo = (location: string): StoredReply => ({ status: SEE_OTHER, body: '', location })

/** Who sends a key, with the arguments of the request. */
interface Caller {
  readonly scope: Scope
  readonly params: object
  readonly query: object
  readonly body: object
}

/** Either the reply of the request that had the key before, or the claim under which the work is done now. */
export type Idempotent = { readonly replay: StoredReply } | { readonly claim: ClaimRow }

/**
 * Claims the request's Idempotency-Key (`docs/decisions.md` 8.1); null when it has none. A key in work is 409, a key
 * with another body 422.
 */
export async function claimIdempotency(
  ctx: Context,
  request: FastifyRequest,
  caller: Caller,
): Promise<Idempotent | null> {
  const key = keyOf(request)
  if (key === null) return null
  const now = ctx.clock.real()
  const bodyHash = sha256(
    request.url.slice(pathOf(request.url).length),
    request.rawBody ?? request.partsDigest,
  )
  const owner = ownerOf(caller, { key, agent: request.headers['user-agent'] ?? '', bodyHash })
  const scopeHash = sha256(...owner, request.method, pathOf(request.url), key)
  // Under the secret, as a body may have a password that a plain hash lets be guessed.
  const bodyHashes = ctx.keys.keyedHashes(bodyHash, 'idempotency_keys.body_hash')
  const row = { scopeHash, bodyHashes, now, leaseMs: LEASE_MS, keptMs: KEPT_MS }
  const claim = await transaction(ctx, ({ db }) => claimKey(db, row))
  if (claim) return { claim }
  const known = await findKey(ctx.db, scopeHash)
  if (known && !bodyHashes.includes(known.body_hash)) {
    throw new ApiError(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another request.')
  }
  if (!known || known.status === null || known.reply === null) {
    throw new ApiError(409, 'idempotency_in_flight', 'A request with this Idempotency-Key is in work.')
  }
  const text = ctx.keys.open(known.reply, PLACE)
  return { replay: known.status === SEE_OTHER ? leadingTo(text) : { status: known.status, body: text } }
}

/** Null: the request has none. */
function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY) return key
  throw invalidKey(`Idempotency-Key must have 1 to ${MAX_KEY} characters.`)
}

const invalidKey = (message: string) => new ApiError(400, 'invalid_idempotency_key', message)

/** A text in the path that only one holder knows, such as the token of a checkout: ids are numbers. */
const namesHolder = (params: object) => Object.values(params).some((value) => typeof value === 'string')

interface Sent {
  readonly key: string
  readonly agent: string
  readonly bodyHash: string
}

/**
 * Whose a key is: its credential's; of several pairs of one user, and of those that an install had one after the other,
 * that of the one that signed. Who proves nothing is told apart by the token in the path, which is hashed beside
 * it, or by the license key and the machine that the arguments name. Nothing else tells two buyers behind one address
 * apart, so that a key of theirs must be one that both cannot have: 400 `invalid_idempotency_key`
 * (`docs/decisions.md` 8.1).
 */
function ownerOf({ scope, params, query, body }: Caller, sent: Sent): string[] {
  const { actor, ip } = scope
  if (!isStranger(scope)) return [actor.credential, actor.publicKey ?? '']
  if (namesHolder(params)) return [actor.credential, 'path']
  const { license_key: key, uid } = { ...query, ...body } as { license_key?: unknown; uid?: unknown }
  const named = [key, uid].map((value) => (typeof value === 'string' ? value : ''))
  if (named.some((value) => value !== '')) return [actor.credential, 'arguments', ...named]
  if (sent.key.length < MIN_RANDOM_KEY) {
    throw invalidKey(
      `Without a credential, Idempotency-Key must be random and have ${MIN_RANDOM_KEY} characters or more.`,
    )
  }
  return [actor.credential, 'address', ip ?? '', sent.agent, sent.bodyHash]
}

/** Stores the reply in the transaction of the work, which undoes itself when the key was taken over. */
export async function keepReply(
  ctx: TxContext,
  claim: ClaimRow,
  { status, body, location = body }: StoredReply,
): Promise<void> {
  const stored = await storeReply(ctx.db, claim, { status, reply: ctx.keys.seal(location, PLACE) })
  if (!stored)
    throw new ApiError(409, 'idempotency_in_flight', 'Another request took over this Idempotency-Key.')
}

/**
 * Frees the key of work that was refused or failed, so that it can be tried again at once. While the database is away
 * it is tried until that is back, and nobody waits for it longer than a moment.
 */
export async function releaseIdempotency(ctx: Context, claim: ClaimRow): Promise<void> {
  const releasing = release(ctx, claim).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'an Idempotency-Key could not be freed'),
  )
  await Promise.race([releasing, sleep(PATIENCE_MS, undefined, { ref: false })])
}

async function release(ctx: Context, claim: ClaimRow): Promise<void> {
  const giveUp = performance.now() + LEASE_MS
  for (;;) {
    try {
      await transaction(ctx, ({ db }) => releaseKey(db, claim))
      return
    } catch (error) {
      if (!(error instanceof DatabaseBusy) || performance.now() > giveUp) throw error
      await sleep(PATIENCE_MS, undefined, { ref: false })
    }
  }
}

/** Each part is preceded by its length, so that no two lists of parts read alike. */
function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}
