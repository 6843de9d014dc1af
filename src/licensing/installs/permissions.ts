import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { recordEvent } from '../../events/log/record.ts'
import { holdMetadata, updateMetadata } from './part-queries.ts'
import {
  parsePermissions,
  presentMetadata,
  type InstallMetadata,
  type Permission,
  type PermissionChange,
} from './part-schema.ts'
import { holdInstall } from './service.ts'
import { aboutInstall } from './emits.ts'

const COLUMNS = { site: 'permits_site', user: 'permits_user', extensions: 'permits_extensions' } as const

/** What the events of a permission are called. */
const typeOf = (permission: Permission, isEnabled: boolean): EventType =>
  isEnabled ? `install.${permission}.opt_in` : `install.${permission}.opt_out`

/** Switches permissions of an install on or off, with an event for each that changed; 404 without install. */
export async function changePermissions(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { is_enabled: isEnabled, permissions }: PermissionChange,
): Promise<InstallMetadata> {
  const install = await holdInstall(ctx, scope, id)
  const now = ctx.clock.now()
  const everything = { permits_site: true, permits_user: true, permits_extensions: true } as const
  const before = await holdMetadata(ctx.db, { install_id: id, ...everything, created: now, updated: null })
  const changed = (parsePermissions(permissions) ?? []).filter((name) => before[COLUMNS[name]] !== isEnabled)
  if (changed.length === 0) return presentMetadata(before)
  const columns = Object.fromEntries(changed.map((name) => [COLUMNS[name], isEnabled]))
  const after = await updateMetadata(ctx.db, before.id, { ...columns, updated: now })
  for (const name of changed) {
    await recordEvent(ctx, scope, {
      type: typeOf(name, isEnabled),
      ...aboutInstall(install),
      data: { install_id: String(id) },
    })
  }
  return presentMetadata(after)
}
