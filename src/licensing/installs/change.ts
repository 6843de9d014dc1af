import type { TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import type { Scope } from '../../access/scope.ts'
import { pick } from '../../db/prepared.ts'
import type { ChangeOf } from '../../http/entity.ts'
import { differences } from '../../lib/differences.ts'
import { invalid } from '../../lib/errors.ts'
import { recordEvent } from '../../events/log/record.ts'
import { INSTALL } from './install.entity.ts'
import { updateInstallRow, type InstallUpdate } from './queries.ts'
import type { InstallRow } from './schema.ts'
import { placeOf, siteOf } from './site.ts'
import { aboutInstall } from './emits.ts'

/** The fields of an install that are simply set; what is left out stays. */
export type InstallChange = ChangeOf<(typeof INSTALL)['fields']>

/**
 * Changes an install that the caller holds: sets what differs, keeps what follows from it (site, host, when its
 * version arrived), and records for each changed field its event, and `install.updated` for those that have
 * none. The install as it is then.
 */
export async function changeInstall(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  change: InstallChange,
): Promise<InstallRow> {
  const changed = differences(install, { ...install, ...INSTALL.columns(change) })
  const now = ctx.clock.now()
  const isSeen = scope.actor.kind === 'install' || scope.actor.kind === 'user'
  if (!changed && !isSeen) return install
  const to: Partial<InstallRow> = changed?.to ?? {}
  const set: InstallUpdate = {
    ...to,
    ...(changed && { updated: now }),
    ...(isSeen && { last_seen_at: now }),
    ...(to.version !== undefined && { upgraded: now }),
    ...(await placeColumns(ctx, scope, install, to)),
  }
  const after = await updated(ctx, scope, install.id, set)
  if (changed) await recordChange(ctx, scope, after, changed)
  return after
}

/** 400 `install_uid_taken` when the owner has another install of the uid. */
async function updated(ctx: TxContext, scope: Scope, id: number, set: InstallUpdate): Promise<InstallRow> {
  try {
    return await updateInstallRow(ctx.db, scope, id, set)
  } catch (error) {
    if (set.uid === undefined || !isDuplicate(error)) throw error
    throw invalid('install_uid_taken', 'The owner of this install has another one of this uid.', 'uid')
  }
}

async function placeColumns(ctx: TxContext, scope: Scope, { uid }: InstallRow, { url }: Partial<InstallRow>) {
  if (url === undefined) return {}
  const { host, address } = placeOf(url)
  return { host, site_id: await siteOf(ctx, scope, address ?? uid) }
}

/** Records what differs in some fields between two states of an install, as `changeInstall` does. */
export async function recordDifferences(
  ctx: TxContext,
  scope: Scope,
  { before, after }: { readonly before: InstallRow; readonly after: InstallRow },
  fields: readonly (keyof InstallChange)[],
): Promise<void> {
  const changed = differences(pick(before, fields), pick(after, fields))
  if (changed) await recordChange(ctx, scope, after, changed)
}

/**
 * A field with an event of its own is not told by `install.updated` too (`docs/interface.md` 11.2). What is told of a
 * user is told by who has proven to be it (`docs/decisions.md` 3.12): a site that follows the beta program by itself
 * says nothing of its owner.
 */
async function recordChange(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  changed: Parameters<typeof INSTALL.told>[0],
): Promise<void> {
  const { own, together } = INSTALL.told(changed, (type) => !scope.reach || !type.startsWith('user.'))
  const others = Object.keys(together.to).length > 0
  const all = others ? [...own, { type: 'install.updated' as const, data: together }] : own
  for (const { type, data } of all)
    await recordEvent(ctx, scope, {
      type,
      ...aboutInstall(install),
      data: { install_id: String(install.id), ...data },
    })
}
