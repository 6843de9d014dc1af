import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import { isSeller, userKeysShownTo, type Actor, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { invalid, unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import type { OwnReach } from '../../db/tables/reach.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import {
  areMadeAlike,
  deleteInstallTokens,
  findPair,
  findPairOfCaller,
  findPairOfInstall,
  holdCaller,
  insertPair,
  isMadeByPair,
  linkAlike,
  linkInstall,
  reachesOneOf,
  releasePair,
  setKeysOfInstall,
  setReachOfInstalls,
  showLicense,
  signOnlyWith,
  tellPair,
  unlinkInstall,
} from './key-queries.ts'
import { showLicenseOn } from './user-key-rows.ts'
import { presentProfile, presentUser, type User, type UserRow } from './schema.ts'

const PLACE = 'user_keys.secret_key'

/** A pair with its secret key in clear, as who gets it is answered. */
export interface HandedOut {
  readonly user_public_key: string
  readonly user_secret_key: string
}

interface Place {
  /** Of an install. */
  readonly id: number
  readonly product_id: number
  readonly user_id: number
}

interface Owned extends Place {
  readonly reach: Reach
  readonly license_id: number | null
}

/** An install that a caller names by its uid. */
export interface Made {
  readonly install: Owned
  /** False when it was there already. */
  readonly isFirst: boolean
}

interface HandOut {
  /** `whole` only where the owner's address was proven for these installs (`docs/decisions.md` 3.12). */
  readonly reach: Reach
  /** The product whose pair was the proof of that, if one was. */
  readonly within?: number | null
  /** The address that the caller said. */
  readonly email?: string | undefined
  /** Licenses whose key the caller showed. */
  readonly licenseIds?: readonly number[]
  /** The license that is put on the installs; it came by one of these keys. */
  readonly licenseId?: number | null
  /** The caller holds the keys of the installs that were there already. */
  readonly isHolder?: boolean
}

/**
 * Hands out the pair of an install, with others of one network, to who connects it: the same at each time for one
 * proof, for another one another pair. The keys of the installs reach as far as it alone from then on. Who shows the
 * key of another license and the uid gets the install with other keys (`takeFromHolders`).
 */
export async function handOut(
  ctx: TxContext,
  made: readonly [Made, ...Made[]],
  { reach, within = null, email, licenseIds = [], ...more }: HandOut,
): Promise<HandedOut> {
  const as = { reach, within, told: email === undefined ? null : fold(email) }
  for (const one of made) {
    const isOpen = one.isFirst || (await mayHave(ctx, one.install, { reach, licenseIds, ...more }))
    if (!isOpen) await takeFromHolders(ctx, one.install.id)
  }
  const [{ install: first }] = made
  const pair = await pairFor(ctx, first, as)
  const ids = made.map(({ install }) => install.id)
  for (const id of ids) await linkInstall(ctx.db, { user_key_id: pair.id, install_id: id })
  for (const id of licenseIds) await showLicense(ctx.db, { user_key_id: pair.id, license_id: id })
  await signOnlyWith(ctx.db, pair.id, ids)
  if (made.some(({ install }) => install.reach !== reach)) await setReachOfInstalls(ctx.db, ids, reach)
  return { user_public_key: pair.public_key, user_secret_key: ctx.keys.open(pair.secret_key, PLACE) }
}

/**
 * Whether what was handed out for an install is for this caller too: one of whole reach for an install of whole reach,
 * its holder, and who shows the key of a license that runs on it or that its pair opens.
 */
async function mayHave(
  ctx: TxContext,
  { id, license_id: running, reach: has }: Owned,
  { reach, licenseIds = [], licenseId = null, isHolder = false }: HandOut,
): Promise<boolean> {
  if (reach === 'whole') return has === 'whole'
  const shown = licenseId === null ? licenseIds : [...licenseIds, licenseId]
  if (isHolder || (running !== null && shown.includes(running))) return true
  const [pair] = await findPairOfInstall(ctx.db, { installId: id })
  return reachesOneOf(ctx.db, pair ? { of: 'pair', id: pair.id } : { of: 'install', id }, shown)
}

/**
 * An install gets other keys and no pair reaches it any more: who had them keeps its licenses, and has this install
 * again by the key of one that it puts there.
 */
async function takeFromHolders(ctx: TxContext, installId: number): Promise<void> {
  await giveOtherKeys(ctx, installId)
  await takeFromPairs(ctx, installId)
}

/** The keys and tokens that an install had so far open nothing any more. */
export async function giveOtherKeys(ctx: TxContext, installId: number): Promise<void> {
  const { publicKey, secretKey } = newKeyPair()
  const sealed = ctx.keys.seal(secretKey, 'installs.secret_key')
  await setKeysOfInstall(ctx.db, installId, { public_key: publicKey, secret_key: sealed })
  await deleteInstallTokens(ctx.db, installId)
}

/** No pair that was handed out so far has an install any more. */
export async function takeFromPairs(ctx: TxContext, installId: number): Promise<void> {
  await unlinkInstall(ctx.db, installId)
  await releasePair(ctx.db, installId)
}

interface Told {
  readonly reach: Reach
  readonly within: number | null
  /** Folded. */
  readonly told: string | null
}

/** The pair of an install for such a proof; the transaction holds the install, so that no other call hands one out. */
const pairFor = async (ctx: TxContext, install: Place, as: Told) =>
  (await pairOf(ctx, install, as)) ?? (await newPair(ctx, install, as))

/** The pair that an install has and may be given. */
async function pairOf(ctx: TxContext, install: Place, { reach, within, told }: Told) {
  const [known] = await findPairOfInstall(ctx.db, { installId: install.id })
  if (!known) return undefined
  const isAlike = known.reach === reach && known.proof_product_id === within
  if (known.user_id !== install.user_id || !isAlike) {
    await releasePair(ctx.db, install.id)
    return undefined
  }
  if (told !== null && told !== known.email_folded) await tellPair(ctx.db, known.id, told)
  return known
}

/** A further pair, handed out to an install that has none. */
async function newPair(ctx: TxContext, install: Place, { reach, within, told }: Told) {
  const { publicKey, secretKey } = newKeyPair()
  const sealed = ctx.keys.seal(secretKey, PLACE)
  const [added] = await insertPair(ctx.db, {
    product_id: install.product_id,
    user_id: install.user_id,
    install_id: install.id,
    reach,
    proof_product_id: within,
    email_folded: told,
    public_key: publicKey,
    secret_key: sealed,
    created: ctx.clock.now(),
  })
  if (!added) throw new Error('Who holds an install hands out its pair alone.')
  return { id: added.id, public_key: publicKey, secret_key: sealed }
}

/**
 * Notes with which keys an install was made, or beside which other one: its keys reach as far as theirs. 400
 * `install_uid_taken` for keys of own reach that name one which they have not made: by its uid alone nobody gets the
 * keys of another install.
 */
export async function noteMade(
  ctx: TxContext,
  { reach, ...scope }: Scope,
  { install, isFirst }: Made,
  beside?: Owned,
): Promise<void> {
  if (!isFirst && reach && !(await isMadeWith(ctx, reach, install.id))) {
    throw invalid('install_uid_taken', 'Another install of this user has this uid.', 'uid')
  }
  if (reach?.of === 'pair') await linkInstall(ctx.db, { user_key_id: reach.id, install_id: install.id })
  if (!isFirst) return
  if (beside) await linkAlike(ctx.db, beside.id, install.id)
  const isOfOwner = isSeller(scope) || scope.actor.kind === 'user'
  const isWhole = !reach && (beside ? beside.reach === 'whole' : isOfOwner)
  if (isWhole) await setReachOfInstalls(ctx.db, [install.id], 'whole')
}

/** A person that calls by whole keys takes an install of its uid from whoever had it without proof. */
export async function takeHome(
  ctx: TxContext,
  { reach, actor }: Scope,
  { install, isFirst }: Made,
): Promise<void> {
  if (isFirst || reach || actor.kind !== 'user' || install.reach === 'whole') return
  await takeFromHolders(ctx, install.id)
  await setReachOfInstalls(ctx.db, [install.id], 'whole')
}

/** Whether a pair has made an install, or the same pairs that an install was made with. */
export const isMadeWith = (ctx: TxContext, { of, id }: OwnReach, installId: number): Promise<boolean> =>
  of === 'pair' ? isMadeByPair(ctx.db, id, installId) : areMadeAlike(ctx.db, id, installId)

/** The holder of the pair that calls has shown the key of a license, which it reaches from now on. */
export async function noteShown(ctx: TxContext, { reach }: Scope, licenseId: number): Promise<void> {
  if (reach?.of === 'pair') await showLicense(ctx.db, { user_key_id: reach.id, license_id: licenseId })
  if (reach?.of === 'install') await showLicenseOn(ctx.db, { install_id: reach.id, license_id: licenseId })
}

type Showing = ReadContext & Partial<Pick<Context, 'database' | 'nudge'>>

/**
 * A user as this caller may see it (`docs/decisions.md` 3.12). The caller's own pair stands for its keys, the one of
 * the person for the seller's; who is not proven to be the person is told its name, and the address if it has said it.
 * An install sees no keys that reach as far as its owner.
 */
export function shownUser(ctx: Showing, scope: Scope, row: UserRow): Soon<User> {
  const keys = userKeysShownTo(scope, ctx.keys)
  const { actor, userKeyId, reach } = scope
  if (actor.kind === 'install') return shownToInstall(ctx, scope, row)
  if (userKeyId === undefined) return presentUser(row, keys)
  return goOn(findPair(ctx.db, userKeyId), (pair) => {
    if (!pair) return presentUser(row, null)
    const user = reach ? presentProfile(row, pair.email_folded) : presentUser(row, null)
    return { ...user, public_key: pair.public_key, secret_key: ctx.keys.open(pair.secret_key, PLACE) }
  })
}

async function shownToInstall(ctx: Showing, { actor, productId }: Scope, row: UserRow): Promise<User> {
  const caller = callerOf(actor)
  const [known] = await findPairOfCaller(ctx.db, caller)
  const pair = known ?? (await made(ctx, { ...caller, product_id: productId, user_id: row.id }))
  const profile = presentProfile(row, pair.email_folded)
  const isShown = pair.reach === 'own'
  return {
    ...profile,
    public_key: pair.public_key,
    ...(isShown && { secret_key: ctx.keys.open(pair.secret_key, PLACE) }),
  }
}

interface Caller {
  readonly id: number
  readonly publicKey: string
}

const callerOf = ({ id, publicKey = '' }: Actor): Caller => ({ id, publicKey })

/** The id of the pair of a caller of own reach; an install that was handed out none gets its first one. */
export async function pairInReach(
  ctx: TxContext,
  { reach, actor }: { readonly reach: OwnReach; readonly actor: Actor },
  user: { readonly id: number; readonly product_id: number },
): Promise<number> {
  if (reach.of === 'pair') return reach.id
  const caller = callerOf(actor)
  const [known] = await findPairOfCaller(ctx.db, caller)
  const pair = known ?? (await made(ctx, { ...caller, product_id: user.product_id, user_id: user.id }))
  return pair.id
}

/** The first pair of an install that calls and was never handed one out; 401 where it has other keys by now. */
async function made(ctx: Showing, install: Place & Caller) {
  const make = async (tx: TxContext) => {
    if (!(await holdCaller(tx.db, install))) throw unauthorized()
    const [known] = await findPairOfInstall(tx.db, { installId: install.id })
    const one = known ?? {
      ...(await newPair(tx, install, { reach: 'own', within: null, told: null })),
      reach: 'own',
      email_folded: null,
    }
    await linkInstall(tx.db, { user_key_id: one.id, install_id: install.id })
    return one
  }
  if (isInside(ctx)) return make(ctx)
  const { database, nudge } = ctx
  if (!database || !nudge) throw new Error('A read may make a pair in a transaction of its own.')
  return transaction({ ...ctx, database, nudge }, make)
}

const isInside = (ctx: Showing): ctx is Showing & TxContext => 'atEnd' in ctx
