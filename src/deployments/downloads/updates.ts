import type { ReadContext } from '../../context.ts'
import type { CountingContext, State, StateOf } from '../../http/operation.ts'
import { ofAnyInstall, type Scope } from '../../access/scope.ts'
import type { StoredDownload } from '../../http/send-file.ts'
import { ApiError, notFound, Refused } from '../../lib/errors.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import { DAY } from '../../lib/time.ts'
import { versionKey } from '../../lib/version-key.ts'
import { findReadme, listLater } from '../versions/version-rows.ts'
import {
  presentDeployment,
  type LatestWanted,
  type Update,
  type UpdateArchiveWanted,
  type UpdateList,
  type UpdateWanted,
} from '../versions/schema.ts'
import { askedIn, chooseVersion, versionsFor, type Chosen, type Offer } from './choose-version.ts'
import { findAddonOf } from '../versions/seeker-rows.ts'
import { archiveFor, buildFor, downloadUrl } from './download-version.ts'
import { ANYBODY, seekerOfInstall, seekerOfUser, type Seeker } from './seekers.ts'

/** Whose update it is, and of which product. */
export interface Sought {
  readonly scope: Scope
  readonly seeker: Seeker
}

/** The update that is offered, with whom it is offered to. */
export type Offered = Sought & Offer

interface Find {
  /** Of the product whose versions are looked for. */
  readonly scope: Scope
  /** It was proven already that there is who looks, and that the product may be looked at. */
  readonly isThere: boolean
  /** 404 when there is none. */
  seeker(ctx: ReadContext): Promise<Seeker>
}

/** The product of an install, for it. */
export const forInstall = (scope: Scope, installId: number): Find => ({
  scope,
  isThere: scope.installId === installId,
  seeker: (ctx) => seekerOfInstall(ctx, scope, installId),
})

/** A product, for the user whose scope it is, otherwise for anybody. */
export const forCaller = (scope: Scope): Find => ({
  scope,
  isThere: true,
  seeker: async (ctx) => (scope.userId === null ? ANYBODY : seekerOfUser(ctx, scope, scope.userId)),
})

/** An add-on, for the user of an install of its parent; for anybody without an install. 404 for no add-on of it. */
export function forAddon(scope: Scope, addonId: number, installId: number | null): Find {
  const own = { ...ofAnyInstall(scope), productId: addonId, newestVersion: undefined }
  return {
    scope: own,
    isThere: false,
    async seeker(ctx) {
      const user = installId === null ? null : (await seekerOfInstall(ctx, scope, installId)).userId
      if (!(await findAddonOf(ctx.db, scope, addonId))) throw notFound('add-on')
      return user === null ? ANYBODY : seekerOfUser(ctx, own, user)
    },
  }
}

/** 404 without anything newer, which is what clients take for "up to date" (`docs/interface.md` 3.6). */
const NOTHING_NEWER = new Refused(new ApiError(404, 'not_found', 'There is no newer version.'))

/**
 * What is offered, and its state: the address in the answer ends a day after it was made, so that a state is one of
 * half a day.
 */
export function offeredUpdate(ctx: CountingContext, find: Find, wanted: UpdateWanted): StateOf<Offered> {
  const { newer_than: newerThan } = wanted
  // Most who ask have the newest version: they need not be known any better.
  if (!find.isThere || !isGiven(newerThan)) return offerTo(ctx, find, wanted)
  return goOn<boolean, Refused | State<Offered>>(hasLater(ctx, find.scope, newerThan), (isLater) =>
    isLater ? offerTo(ctx, find, wanted) : NOTHING_NEWER,
  )
}

async function offerTo(
  ctx: CountingContext,
  { scope, ...find }: Find,
  { is_premium: isPremium, type, newer_than: newerThan }: UpdateWanted,
): Promise<State<Offered> | Refused> {
  const seeker = await find.seeker(ctx)
  const wanted = { isPremium, type, newerThan: baseOf(newerThan, seeker) }
  const chosen = await chooseVersion(ctx, scope, seeker, wanted)
  if (!chosen) return NOTHING_NEWER
  const { id, updated } = chosen.row
  const halfDay = Math.floor((2 * ctx.clock.real()) / DAY)
  const changed = (updated ?? '').replaceAll(/\D/g, '')
  const tag = `${id}-${changed}-${chosen.isPremium ? 'premium' : 'free'}-${halfDay}`
  return { tag, known: { scope, seeker, chosen, asked: askedIn(scope, wanted) } }
}

const isGiven = (newerThan: string | undefined): newerThan is string =>
  newerThan !== undefined && !/^(?:true|false|0|1|)$/i.test(newerThan)

/** Whether there is a later version at all. Whoever calls as an install has brought the answer along. */
function hasLater(ctx: ReadContext, scope: Scope, version: string): Soon<boolean> {
  const { newestVersion: newest } = scope
  const key = versionKey(version)
  if (newest !== undefined) return newest !== null && newest > key
  return goOn(listLater(ctx.db, scope, { after: key }), ({ length }) => length > 0)
}

/** The contract calls it a boolean: `true` is the version in use, `false` none. */
function baseOf(newerThan: string | undefined, { version }: Seeker): string | undefined {
  if (newerThan === undefined || /^(?:false|0|)$/i.test(newerThan)) return undefined
  return /^(?:true|1)$/i.test(newerThan) ? (version ?? undefined) : newerThan
}

export async function presentOffered(
  ctx: ReadContext,
  offered: Offered,
  wanted: Pick<UpdateWanted, 'readme' | 'include_upgrade_notice'>,
): Promise<Update> {
  const { scope, chosen } = offered
  const update = presentUpdate(ctx, offered)
  if (!wanted.readme && !wanted.include_upgrade_notice) return update
  const stored = (await findReadme(ctx.db, scope, chosen.row.id))?.readme ?? null
  const readme = JSON.parse(stored ?? '{"sections":{},"upgradeNotices":{}}') as StoredReadme
  const notice = readme.upgradeNotices[chosen.row.version]
  return {
    ...update,
    ...(wanted.readme && { readme: { sections: readme.sections, banners: {} } }),
    ...(wanted.include_upgrade_notice && notice !== undefined && { upgrade_notice: notice }),
  }
}

interface StoredReadme {
  readonly sections: Record<string, string>
  readonly upgradeNotices: Readonly<Record<string, string>>
}

const presentUpdate = (ctx: ReadContext, offered: Offered) => ({
  ...presentDeployment(offered.chosen.row),
  is_released: offered.chosen.row.release_mode === 'released',
  url: downloadUrl(ctx, offered.scope, offered),
})

/** A page of the versions that an install may have, the highest first. */
export async function listUpdates(
  ctx: ReadContext,
  scope: Scope,
  installId: number,
  { version, older_than: olderThan, type, count, offset }: UpdateList,
) {
  const seeker = await seekerOfInstall(ctx, scope, installId)
  const wanted = { newerThan: version, olderThan, type }
  const found = await versionsFor(ctx, scope, seeker, wanted)
  const asked = askedIn(scope, wanted)
  const page = found.slice(offset, offset + count)
  return { tags: page.map((chosen) => presentUpdate(ctx, { scope, seeker, chosen, asked })) }
}

/** The archive of what is offered; of the version in use too, unless it must be newer. 404 when there is none. */
export async function updateArchive(
  ctx: CountingContext,
  find: Find,
  { is_premium: isPremium, type, newer_than: newerThan }: UpdateArchiveWanted,
): Promise<StoredDownload> {
  const { scope } = find
  const seeker = await find.seeker(ctx)
  const wanted = { isPremium, type, newerThan: baseOf(newerThan, seeker) }
  const chosen = await chooseVersion(ctx, scope, seeker, wanted)
  if (!chosen) throw notFound('version')
  return archiveFor(scope, chosen, seeker)
}

/** A seller's highest version of a type that has the build, `released` unless another is asked for; 404 for none. */
export async function latestVersion(
  ctx: ReadContext,
  scope: Scope,
  { is_premium: isPremium, type = 'released' }: LatestWanted,
): Promise<Chosen> {
  const rows = await listLater(ctx.db, scope, { after: '' })
  const found = rows.find(
    (row) =>
      (type === 'all' || row.release_mode === type) &&
      (isPremium ? row.premium_file : row.free_file) !== null,
  )
  if (!found) throw notFound('version')
  return buildFor(found, isPremium)
}
