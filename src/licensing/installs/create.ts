import type { TxContext } from '../../context.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { recordEvents } from '../../events/log/record.ts'
import { changeInstall, type InstallChange } from './change.ts'
import { insertInstall } from './create-queries.ts'
import { INSTALL } from './install.entity.ts'
import { holdInstallOfUid, planWithoutLicense } from './placed-install-rows.ts'
import type { InstallRow } from './schema.ts'
import { placeOf, siteOf } from './site.ts'
import { aboutInstall } from './emits.ts'

/** What a client tells of an install; what is left out keeps its value, and is unknown at creation. */
export interface NewInstall extends InstallChange {
  /** Its owner: a user of the product. */
  readonly user_id: number
  /** 32 characters (`requireUid`). */
  readonly uid: string
  readonly environment?: Environment
  /** Origin of migrated data. */
  readonly source?: InstallRow['source']
}

export interface CreatedInstall {
  readonly install: InstallRow
  /** False when the user had an install of this uid, which was brought up to date instead. */
  readonly isFirst: boolean
}

/**
 * Creates an install of the scope's product with its site and keys, and records `install.installed`, then
 * `install.activated` and `install.connected` as far as it is. One of the same uid and user is taken instead:
 * it is active again and gets what differs, with the events of a change. Of any number of calls at once one
 * creates it (the unique index decides). Puts no license on it (`putLicenseOn` does) and checks neither uid
 * nor user. Without `plan_id` it is on the product's default plan where that is free, else on none.
 * The caller counts one that was there anew on its license (`countAnew`), as its address may be another one.
 */
export async function createInstall(
  ctx: TxContext,
  scope: Scope,
  given: NewInstall,
): Promise<CreatedInstall> {
  const { user_id, uid, environment = 0, source = 0, ...told } = given
  const place = placeOf(told.url ?? null)
  const { publicKey, secretKey } = newKeyPair()
  const now = ctx.clock.now()
  const created = await insertInstall(ctx.db, {
    ...INSTALL.initial,
    plan_id: await planWithoutLicense(ctx.db, scope.productId),
    country_code: isSeller(scope) ? null : (scope.country ?? null),
    ...INSTALL.columns(told),
    host: place.host,
    product_id: scope.productId,
    user_id,
    site_id: await siteOf(ctx, scope, place.address ?? uid),
    uid,
    environment,
    source,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'installs.secret_key'),
    last_seen_at: now,
    created: now,
  })
  if (created) {
    await recordCreation(ctx, scope, created)
    return { install: created, isFirst: true }
  }
  const known = await holdInstallOfUid(ctx.db, { productId: scope.productId, userId: user_id, uid })
  // What stood in the way is erased by now.
  if (!known) return createInstall(ctx, scope, given)
  const change = { is_active: true, is_disconnected: false, is_uninstalled: false, ...told }
  return { install: await changeInstall(ctx, scope, known, change), isFirst: false }
}

async function recordCreation(ctx: TxContext, scope: Scope, install: InstallRow): Promise<void> {
  const types: EventType[] = [
    'install.installed',
    ...(install.is_active ? (['install.activated'] as const) : []),
    ...(!install.is_disconnected ? (['install.connected'] as const) : []),
  ]
  const about = { ...aboutInstall(install), data: { install_id: String(install.id) } }
  await recordEvents(
    ctx,
    scope,
    types.map((type) => ({ type, ...about })),
  )
}
