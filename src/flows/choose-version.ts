import { transaction, type ReadContext } from '../context.ts'
import type { CountingContext } from '../http/operation.ts'
import { isSeller, type Scope } from '../http/scope.ts'
import { versionKey } from '../lib/version-key.ts'
import { listLater, listOffers } from '../resources/deployments/queries.ts'
import type { ShownDeployment, VersionType } from '../resources/deployments/schema.ts'
import { offerTo } from '../resources/deployments/service.ts'
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
 * The version that somebody is offered; null when there is none (`spec/behaviour/deployments…` 1): the highest that is
 * released, or in beta to who takes part; not beyond the next incremental one; of one for a limited number of users
 * only to them, of whom the caller becomes one if there is room. 400 for the premium build without a license.
 */
export async function chooseVersion(
  ctx: CountingContext,
  scope: Scope,
  seeker: Seeker,
  wanted: Wanted,
): Promise<Chosen | null> {
  const rows = await laterVersions(ctx, scope, seeker, wanted)
  if (rows.length > 0 && wanted.isPremium) requireLicense(seeker)
  const base = wanted.newerThan ?? seeker.version
  for (const row of upToStop(rows, base === null ? null : versionKey(base))) {
    if (await mayHave(ctx, scope, seeker, row)) {
      return { row, isPremium: buildOf(row, seeker, wanted) === 'premium' }
    }
  }
  return null
}

/** The same without offering anything: every version that the caller may have by now, the highest first. */
export async function versionsFor(
  ctx: ReadContext,
  scope: Scope,
  seeker: Seeker,
  wanted: Wanted & { readonly olderThan?: string | undefined },
): Promise<Chosen[]> {
  const rows = await laterVersions(ctx, scope, seeker, wanted)
  const before = wanted.olderThan === undefined ? null : versionKey(wanted.olderThan)
  const inRange = rows.filter(({ version_key: key }) => before === null || key < before)
  const limited = inRange.filter(({ max_users: limit }) => limit !== null).map(({ id }) => id)
  const offered = await offersOf(ctx, scope, seeker, limited)
  return inRange
    .filter(({ id, max_users: limit }) => limit === null || offered.has(id))
    .map((row) => ({ row, isPremium: buildOf(row, seeker, wanted) === 'premium' }))
}

/** Whether a version that was offered still may be downloaded: it was not taken back, and the right was not lost. */
export async function isStillOffered(
  ctx: ReadContext,
  scope: Scope,
  seeker: Seeker,
  { row, isPremium }: Chosen,
): Promise<boolean> {
  if (isPremium) requireLicense(seeker)
  if (!modesFor(scope, seeker, undefined).includes(row.release_mode)) return false
  if (row.max_users === null) return true
  return (await offersOf(ctx, scope, seeker, [row.id])).has(row.id)
}

async function laterVersions(ctx: ReadContext, scope: Scope, seeker: Seeker, wanted: Wanted) {
  const after = wanted.newerThan === undefined ? '' : versionKey(wanted.newerThan)
  const rows = await listLater(ctx.db, scope, { after })
  const modes = modesFor(scope, seeker, wanted.type)
  return rows.filter((row) => modes.includes(row.release_mode) && buildOf(row, seeker, wanted) !== null)
}

type Mode = ShownDeployment['release_mode']

/** Sellers see what they ask for; anybody else what is released, and beta versions if they take part. */
function modesFor(scope: Scope, { isBeta }: Seeker, type: VersionType | undefined): readonly Mode[] {
  if (isSeller(scope) && type !== undefined) return type === 'all' ? ['released', 'beta', 'pending'] : [type]
  return isBeta && type !== 'released' ? ['released', 'beta'] : ['released']
}

function buildOf(
  row: ShownDeployment,
  { license }: Seeker,
  { isPremium }: Wanted,
): 'free' | 'premium' | null {
  const wantsPremium = isPremium ?? license === 'valid'
  if (wantsPremium && row.premium_file !== null) return 'premium'
  return isPremium !== true && row.free_file !== null ? 'free' : null
}

/** Those up to the lowest incremental one after the version in use, which must not be skipped. */
function upToStop(rows: readonly ShownDeployment[], base: string | null): readonly ShownDeployment[] {
  if (base === null) return rows
  const stop = rows.findLast(({ is_incremental: stops, version_key: key }) => stops === 1 && key > base)
  return stop ? rows.filter(({ version_key: key }) => key <= stop.version_key) : rows
}

async function mayHave(
  ctx: CountingContext,
  scope: Scope,
  seeker: Seeker,
  { id, max_users: limit, offered }: ShownDeployment,
): Promise<boolean> {
  if (limit === null) return true
  const { userId } = seeker
  if (userId === null) return false
  if ((await offersOf(ctx, scope, seeker, [id])).has(id)) return true
  // Places that are gone do not come back by themselves, so nobody else need write to find that out.
  return offered < limit && transaction(ctx, (tx) => offerTo(tx, scope, { id, userId }))
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
