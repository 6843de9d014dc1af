import { transaction, type ReadContext } from '../../context.ts'
import type { CountingContext } from '../../http/operation.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { versionKey } from '../../lib/version-key.ts'
import { listLater, listOffers } from '../versions/version-rows.ts'
import type { ShownDeployment, VersionType } from '../versions/schema.ts'
import { offerTo } from '../versions/service.ts'
import { requireLicense, type Seeker } from './seekers.ts'

/** A version in one of its builds. */
export interface Chosen {
  readonly row: ShownDeployment
  readonly isPremium: boolean
}

export interface Wanted {
  /** Undefined: what the license says. */
  readonly isPremium?: boolean | undefined
  readonly type?: VersionType | undefined
  /** Only versions after this one. */
  readonly newerThan?: string | undefined
}

/**
 * The highest version that somebody is offered (`docs/interface.md` 12.2), or null: released, or in beta to who
 * takes part; with the client's library where no other is wanted; not beyond the next incremental one; one for so many
 * users to them alone, of whom the caller becomes one if there is room. 400 for the premium build without a license.
 */
export async function chooseVersion(
  ctx: CountingContext,
  scope: Scope,
  seeker: Seeker,
  wanted: Wanted,
): Promise<Chosen | null> {
  return chooseBy(ctx, scope, { seeker, wanted }, (offer) =>
    transaction(ctx, (tx) => offerTo(tx, scope, offer)),
  )
}

/** What `chooseVersion` would answer, without offering it: there is room where nobody took it meanwhile. */
export const foreseeVersion = (
  ctx: ReadContext,
  scope: Scope,
  seeker: Seeker,
  wanted: Wanted,
): Promise<Chosen | null> => chooseBy(ctx, scope, { seeker, wanted }, async () => true)

/** Takes a place among so many users; false: there is none. */
type TakePlace = (offer: { readonly id: number; readonly userId: number }) => Promise<boolean>

async function chooseBy(
  ctx: ReadContext,
  scope: Scope,
  { seeker, wanted }: { readonly seeker: Seeker; readonly wanted: Wanted },
  take: TakePlace,
): Promise<Chosen | null> {
  const rows = await laterVersions(ctx, scope, seeker, wanted)
  if (rows.length > 0 && wanted.isPremium) requireLicense(seeker)
  for (const row of upToStop(rows, seeker, wanted)) {
    if (await mayHave(ctx, scope, { seeker, take }, row)) {
      return { row, isPremium: offeredBuild(row, seeker, wanted) === 'premium' }
    }
  }
  return null
}

interface Listed {
  readonly olderThan?: string | undefined
  /** Also those for so many users, while there is room for a user that is known. */
  readonly orWithRoom?: true
}

/**
 * Every version that the caller may have by now, the highest first, without offering one. Sellers see
 * what comes after an incremental version too.
 */
export async function versionsFor(
  ctx: ReadContext,
  scope: Scope,
  seeker: Seeker,
  wanted: Wanted & Listed,
): Promise<Chosen[]> {
  const later = await laterVersions(ctx, scope, seeker, wanted)
  const rows = isSeller(scope) ? later : upToStop(later, seeker, wanted)
  const before = wanted.olderThan === undefined ? null : versionKey(wanted.olderThan)
  const inRange = rows.filter(({ version_key: key }) => before === null || key < before)
  const limited = inRange.filter(({ max_users: limit }) => limit !== null).map(({ id }) => id)
  const offered = await offersOf(ctx, scope, seeker, limited)
  const hasRoom = wanted.orWithRoom === true && seeker.userId !== null
  return inRange
    .filter(
      ({ id, max_users: limit, offered: taken }) =>
        limit === null || offered.has(id) || (hasRoom && taken < limit),
    )
    .map((row) => ({ row, isPremium: offeredBuild(row, seeker, wanted) === 'premium' }))
}

/** How somebody asked for a version: what decided then decides later too. */
export interface Asked extends Pick<Wanted, 'newerThan'> {
  readonly bySeller: boolean
  /** That a seller asked for. */
  readonly type?: VersionType | undefined
}

export const askedIn = (scope: Scope, { type, newerThan }: Wanted): Asked => {
  const bySeller = isSeller(scope)
  return { bySeller, newerThan, ...(bySeller && { type }) }
}

/** What was offered, to whom, and how they asked. */
export interface Offer {
  readonly chosen: Chosen
  readonly seeker: Seeker
  readonly asked: Asked
}

/**
 * Whether a version that was offered still may be downloaded: it was not taken back, no incremental one came before it,
 * and the right was not lost.
 */
export async function isStillOffered(ctx: ReadContext, scope: Scope, offer: Offer): Promise<boolean> {
  const { chosen, seeker, asked } = offer
  const { row, isPremium } = chosen
  if (isPremium) requireLicense(seeker)
  if (!isReleasedTo(scope, { seeker, isPremium, type: asked.type }, row)) return false
  if (!asked.bySeller && (await isBeyondStop(ctx, scope, offer))) return false
  if (row.max_users === null) return true
  return (await offersOf(ctx, scope, seeker, [row.id])).has(row.id)
}

async function isBeyondStop(
  ctx: ReadContext,
  scope: Scope,
  { chosen: { row, isPremium }, seeker, asked: { newerThan } }: Offer,
): Promise<boolean> {
  const base = newerThan ?? seeker.version
  if (base === null) return false
  const stop = stopIn(await laterVersions(ctx, scope, seeker, { isPremium, newerThan: base }))
  return stop !== undefined && row.version_key > stop.version_key
}

async function laterVersions(ctx: ReadContext, scope: Scope, seeker: Seeker, wanted: Wanted) {
  const after = wanted.newerThan === undefined ? '' : versionKey(wanted.newerThan)
  const rows = await listLater(ctx.db, scope, { after })
  return rows.filter((row) => {
    const build = offeredBuild(row, seeker, wanted)
    return (
      build !== null &&
      (row.sdk_version !== '' || !seeker.needsSdk) &&
      isReleasedTo(scope, { seeker, isPremium: build === 'premium', type: wanted.type }, row)
    )
  })
}

interface ReleasedTo {
  readonly seeker: Seeker
  readonly isPremium: boolean
  readonly type: VersionType | undefined
}

/** A premium build for the sandbox is released to it by its version, any other as the version is to everybody. */
function isReleasedTo(scope: Scope, { seeker, isPremium, type }: ReleasedTo, row: ShownDeployment): boolean {
  if (isPremium && seeker.isOfSandbox) return row.is_sandbox
  return modesFor(scope, seeker, type).includes(row.release_mode)
}

type Mode = ShownDeployment['release_mode']

/** Sellers see what they ask for; anybody else what is released, and beta versions if they take part. */
function modesFor(scope: Scope, { isBeta }: Seeker, type: VersionType | undefined): readonly Mode[] {
  if (isSeller(scope) && type !== undefined) return type === 'all' ? ['released', 'beta', 'pending'] : [type]
  return isBeta && type !== 'released' ? ['released', 'beta'] : ['released']
}

function offeredBuild(
  row: ShownDeployment,
  { license, isOfSandbox }: Seeker,
  { isPremium }: Wanted,
): 'free' | 'premium' | null {
  const wantsPremium = isPremium ?? license === 'valid'
  const hasPremium = row.premium_file !== null && (!isOfSandbox || row.is_sandbox)
  if (wantsPremium && hasPremium) return 'premium'
  return isPremium !== true && row.free_file !== null ? 'free' : null
}

/** Those up to the lowest incremental one after the version in use, which must not be skipped. */
function upToStop(
  rows: readonly ShownDeployment[],
  seeker: Seeker,
  { newerThan }: Wanted,
): readonly ShownDeployment[] {
  const base = newerThan ?? seeker.version
  if (base === null) return rows
  const baseKey = versionKey(base)
  const stop = stopIn(rows.filter(({ version_key: key }) => key > baseKey))
  return stop ? rows.filter(({ version_key: key }) => key <= stop.version_key) : rows
}

/** The lowest incremental one, of the highest first. */
const stopIn = (rows: readonly ShownDeployment[]) => rows.findLast(({ is_incremental: stops }) => stops)

async function mayHave(
  ctx: ReadContext,
  scope: Scope,
  { seeker, take }: { readonly seeker: Seeker; readonly take: TakePlace },
  { id, max_users: limit, offered }: ShownDeployment,
): Promise<boolean> {
  if (limit === null) return true
  const { userId } = seeker
  if (userId === null) return false
  if ((await offersOf(ctx, scope, seeker, [id])).has(id)) return true
  // Places that are gone do not come back by themselves, so nobody else need write to find that out.
  return offered < limit && take({ id, userId })
}

async function offersOf(
  ctx: ReadContext,
  scope: Scope,
  { userId }: Seeker,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userId === null || ids.length === 0) return new Set()
  const rows = await listOffers(ctx.db, scope, userId, ids)
  return new Set(rows.map(({ deployment_id: id }) => id))
}
