import { isHead } from './head.ts'
import type { FastifyRequest } from 'fastify'
import { formerSecrets } from '../db/former-keys.ts'
import type { KeyOwner } from '../db/tables/former-keys.ts'
import type { Reach } from '../db/tables/user-keys.ts'
import { sameText } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { parseRequestDate } from '../lib/request-date.ts'
import { contentMd5, isSignedBy, signedText, type Authorization, type SignedParts } from '../lib/signature.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import { MINUTE } from '../lib/time.ts'
import type { Credentialed } from './authenticate.ts'
import {
  findDeveloperKeys,
  findInstallKeys,
  findProductKeys,
  findStoreKeys,
  findUserKeys,
} from '../access/credential-rows.ts'
import { familyProduct } from './family-product.ts'
import { pathOf } from './log.ts'
import { ownedProduct, scopeFor, type OwnedProduct } from './owned-product.ts'
import type { Actor, Scope } from '../access/scope.ts'

type Signed = Extract<Authorization, { readonly publicKey: string }>

/** A signature is good this long before and after its date (`docs/decisions.md` 2.5). */
const SKEW_MS = 15 * MINUTE

/** Stands for an id beyond every sequence: no row has it. */
const NO_ID = 0

/** Signed in place of a secret that does not exist, so that an unknown id costs what a wrong key costs. */
const NO_SECRET = 'sk_'.padEnd(32, '0')

const WRONG_PATH = 'The id in the Authorization header is not the one that the path begins with.'
const NO_PRODUCT = 'There is no product with this id and this public key.'

/** Says what the server signed, so that whoever signs by hand finds the line that differs; it is what the caller sent. */
const notSigned = (parts: SignedParts) =>
  unauthorized(
    'signature_invalid',
    `The signature is not that of this request with the secret key of this id and public key. Signed was: ${JSON.stringify(signedText(parts))}.`,
  )

interface Keys {
  readonly id: number
  readonly developer_id: number
  readonly public_key: string
  readonly secret_key: string
  readonly product_id?: number
  /** The owner of an install, and the highest version of its product. */
  readonly user_id?: number
  readonly newest_version?: string | null
  /** How far the keys of a user or install reach, and which pair of the user they are. */
  readonly reach?: Reach
  readonly user_key_id?: number | null
  /** The product whose pair was the proof of that pair; null: none was. */
  readonly proof_product_id?: number | null
}

/** A request signed with the keys of the entity its path begins with (`FS`, `FSP`; `docs/interface.md` 2.2, 2.6). */
export function signedScope(signed: Signed, credentialed: Credentialed): Soon<Scope> {
  const { frame, request, kind, ids } = credentialed
  const signer = SIGNERS[kind]
  if (!signer || ids[signer.pathId] !== signed.id) throw unauthorized('signature_wrong_path', WRONG_PATH)
  const parts = signedParts(request)
  refuseOtherTimes(parts.date, frame.ctx.clock.real())
  const id = Number(signed.id)
  const found = signer.find(credentialed, Number.isSafeInteger(id) ? id : NO_ID, signed.publicKey)
  return goOn(found, ([keys]) => {
    const secret = secretOf(signed, keys && frame.ctx.keys.open(keys.secret_key, placeOf(signer, keys)))
    const isBy = (one: string) => isSignedBy(one, parts, signed.signature)
    const fits = isBy(secret) || goOn(formerOf(signed, signer, credentialed), (all) => all.some(isBy))
    return goOn(fits, (isSigned) => {
      if (!isSigned || !keys || !sameText(keys.public_key, signed.publicKey)) throw notSigned(parts)
      return scopeOf(signed, signer, keys, credentialed)
    })
  })
}

/** A product by its public key alone, where that is enough (`isForPages`): who calls is nobody, as with `FSP`. */
export function publicScope(publicKey: string, credentialed: Credentialed): Soon<Scope> {
  const { frame, ids } = credentialed
  const id = /^[1-9][0-9]{0,15}$/.test(ids.product_id ?? '') ? Number(ids.product_id) : NO_ID
  return goOn(findProductKeys(frame.ctx.db, { id }), ([keys]) => {
    if (!keys || !sameText(keys.public_key, publicKey)) throw unauthorized('public_key_unknown', NO_PRODUCT)
    const credential = `FSP:product:${keys.id}`
    const actor: Actor = { kind: 'public', id: keys.id, credential, publicKey: keys.public_key }
    return scopeFor(credentialed, { product: { id: keys.id, developerId: keys.developer_id }, actor })
  })
}

/** Those that were replaced, looked for also where nobody has the id: an unknown one costs what a wrong key costs. */
function formerOf({ scheme, id }: Signed, { former }: Signer, { frame }: Credentialed): Soon<string[]> {
  if (former === undefined || scheme === 'FSP') return []
  return formerSecrets(frame.ctx, former, Number.isSafeInteger(Number(id)) ? Number(id) : NO_ID)
}

function scopeOf(signed: Signed, signer: Signer, keys: Keys, credentialed: Credentialed): Soon<Scope> {
  const isPublic = signed.scheme === 'FSP'
  if (isPublic && signer.actor !== 'product') throw unauthorized('signature_wrong_path', WRONG_PATH)
  const actor: Actor = {
    kind: isPublic ? 'public' : signer.actor,
    id: keys.id,
    credential: `${signed.scheme}:${signer.actor}:${keys.id}`,
    publicKey: keys.public_key,
  }
  return goOn(productOf(credentialed, keys), (product) =>
    scopeFor(credentialed, {
      product,
      actor,
      userId: keys.user_id,
      reach: keys.reach,
      userKeyId: keys.user_key_id,
      newestVersion: keys.newest_version,
    }),
  )
}

/** A pair that was handed out is kept beside the one that the seller is shown. */
const placeOf = ({ place }: Signer, { user_key_id: id }: Keys): string =>
  typeof id === 'number' ? 'user_keys.secret_key' : place

function refuseOtherTimes(text: string, now: number): void {
  const date = parseRequestDate(text)
  if (date !== null && Math.abs(date - now) <= SKEW_MS) return
  if (text === '')
    throw unauthorized(
      'request_date_missing',
      'A signed request needs its date: the header Date, or auth_date in the query.',
    )
  if (date === null)
    throw unauthorized(
      'request_date_invalid',
      'The date of the request cannot be read: it must be like "Sat, 31 Jan 2026 10:00:00 GMT".',
    )
  throw unauthorized('request_expired', 'The date of the request is more than 15 minutes off.')
}

/** `FSP` is signed with the public key itself. */
const secretOf = ({ scheme, publicKey }: Signed, secretKey: string | undefined) =>
  secretKey === undefined ? NO_SECRET : scheme === 'FSP' ? publicKey : secretKey

interface Signer {
  readonly actor: 'product' | 'developer' | 'store' | 'user' | 'install'
  readonly pathId: 'product_id' | 'developer_id' | 'store_id' | 'user_id' | 'install_id'
  /** Where the secret key is kept. */
  readonly place: string
  /** Whose former secret keys go on for some time. */
  readonly former?: KeyOwner
  find(credentialed: Credentialed, id: number, publicKey: string): Soon<readonly Keys[]>
}

const DEVELOPER: Signer = {
  actor: 'developer',
  pathId: 'developer_id',
  place: 'developers.secret_key',
  former: 'developers',
  find: ({ frame }, id) => findDeveloperKeys(frame.ctx.db, { id }),
}

const STORE: Signer = {
  actor: 'store',
  pathId: 'store_id',
  place: 'stores.secret_key',
  former: 'stores',
  find: ({ frame }, id) => findStoreKeys(frame.ctx.db, { id }),
}

const SIGNERS: { readonly [K in Scope['kind']]?: Signer } = {
  product: {
    actor: 'product',
    pathId: 'product_id',
    place: 'products.secret_key',
    former: 'products',
    find: ({ frame }, id) => findProductKeys(frame.ctx.db, { id }),
  },
  developer: DEVELOPER,
  account: DEVELOPER,
  store: STORE,
  store_account: STORE,
  user: {
    actor: 'user',
    pathId: 'user_id',
    place: 'product_users.secret_key',
    find: ({ frame }, id, publicKey) => findUserKeys(frame.ctx.db, { id, publicKey }),
  },
  install: {
    actor: 'install',
    pathId: 'install_id',
    place: 'installs.secret_key',
    find: ({ frame }, id) => findInstallKeys(frame.ctx.db, { id }),
  },
}

function productOf(credentialed: Credentialed, keys: Keys): Soon<OwnedProduct> {
  const { kind } = credentialed
  if (kind === 'product') return { id: keys.id, developerId: keys.developer_id }
  if (keys.product_id !== undefined) {
    const within = keys.proof_product_id ?? undefined
    const own = { id: keys.product_id, developerId: keys.developer_id, within }
    return kind === 'user' ? familyProduct(credentialed, own) : own
  }
  const storeId = kind === 'store' || kind === 'store_account' ? { storeId: keys.id } : {}
  return ownedProduct(credentialed, { developerId: keys.developer_id, ...storeId })
}

function signedParts(request: FastifyRequest): SignedParts {
  const { method, headers, query, originalUrl } = request
  const inHeader = headers.authorization !== undefined
  const { auth_date: authDate } = query as { auth_date?: unknown }
  return {
    method: isHead(request) ? 'HEAD' : method,
    contentMd5: inHeader ? String(headers['content-md5'] ?? '') : '',
    contentType: inHeader ? (headers['content-type'] ?? '') : '',
    date: inHeader ? (headers.date ?? '') : typeof authDate === 'string' ? authDate : '',
    path: pathOf(originalUrl),
  }
}

/** False when a signed request brings a body that its signature does not cover (`docs/decisions.md` 3.6). */
export function bodyIsCovered(request: FastifyRequest): boolean {
  const body = request.rawBody
  const credential = request.scope?.actor.credential ?? ''
  if (!body || body.length === 0 || !credential.startsWith('FS') || credential.startsWith('FSA')) return true
  return sameText(contentMd5(body), String(request.headers['content-md5'] ?? ''))
}
