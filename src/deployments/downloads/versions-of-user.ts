import { transaction, type ReadContext } from '../../context.ts'
import type { CountingContext } from '../../http/operation.ts'
import type { Scope } from '../../access/scope.ts'
import type { StoredDownload } from '../../http/send-file.ts'
import { notFound } from '../../lib/errors.ts'
import { listReadmes } from '../versions/version-rows.ts'
import type { OwnVersion, OwnVersionList } from '../versions/own-version-schema.ts'
import { offerTo } from '../versions/service.ts'
import { versionsFor, type Chosen } from './choose-version.ts'
import { archiveFor } from './download-version.ts'
import { seekerOfLicense, seekerOfUser, type Seeker } from './seekers.ts'
import { changesIn } from './version-changes.ts'

interface Own {
  readonly license_id?: number | undefined
}

/**
 * A page of the versions that a user may have, the highest first, each with what has changed in it; by one license where
 * it is named. One for so many users is there while there is room. The highest
 * alone where the portal has no earlier ones. 404 when it is no license of theirs.
 */
export async function versionsOfUser(
  ctx: ReadContext,
  scope: Scope,
  { license_id, count, offset }: OwnVersionList,
): Promise<OwnVersion[]> {
  const { found } = await opened(ctx, scope, { license_id })
  const page = found.slice(offset, offset + count)
  const readmes = await listReadmes(
    ctx.db,
    scope,
    page.map(({ row }) => row.id),
  )
  return page.map((chosen) => presentOwn(chosen, readmes.get(chosen.row.id) ?? null))
}

/**
 * The archive of a version that `versionsOfUser` lists; of one for so many users its place is taken. 404 for any other
 * one, and where the last place was taken meanwhile.
 */
export async function archiveOfUser(
  ctx: CountingContext,
  scope: Scope,
  id: number,
  own: Own,
): Promise<StoredDownload> {
  const { seeker, found } = await opened(ctx, scope, own)
  const chosen = found.find(({ row }) => row.id === id)
  if (!chosen || !(await takesPlace(ctx, scope, { chosen, seeker }))) throw notFound('version')
  return archiveFor(scope, chosen, seeker)
}

async function opened(ctx: ReadContext, scope: Scope, { license_id: licenseId }: Own) {
  const userId = scope.userId ?? 0
  const seeker =
    licenseId === undefined
      ? await seekerOfUser(ctx, scope, userId)
      : await seekerOfLicense(ctx, scope, { userId, licenseId })
  const found = await versionsFor(ctx, scope, seeker, { orWithRoom: true })
  return { seeker, found: scope.portalOff?.has('earlier_versions') ? found.slice(0, 1) : found }
}

async function takesPlace(
  ctx: CountingContext,
  scope: Scope,
  { chosen: { row }, seeker: { userId } }: { readonly chosen: Chosen; readonly seeker: Seeker },
): Promise<boolean> {
  if (row.max_users === null) return true
  return userId !== null && transaction(ctx, (tx) => offerTo(tx, scope, { id: row.id, userId }))
}

const presentOwn = ({ row, isPremium }: Chosen, readme: string | null): OwnVersion => ({
  id: String(row.id),
  created: row.created,
  version: row.version,
  release_mode: row.release_mode,
  is_premium: isPremium,
  size: (isPremium ? row.premium_size : row.free_size) ?? 0,
  requires_platform_version: row.requires_platform_version,
  requires_programming_language_version: row.requires_programming_language_version,
  tested_up_to_version: row.tested_up_to_version,
  changes: changesIn(readme, row.version),
})
