import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { recountActivations } from '../licenses/license-rows.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { getLicense } from '../licenses/service.ts'
import { installsOfLicense } from '../licenses/child-license-rows.ts'
import { holdFamily, scopeOfLicense } from '../licenses/family.ts'
import { takeLicenseOff } from './license-on-install.ts'

/** Takes a license that is held off all its installs. */
export async function deactivateInstalls(ctx: TxContext, scope: Scope, license: LicenseRow): Promise<void> {
  for (const install of await installsOfLicense(ctx.db, license.id)) await takeLicenseOff(ctx, scope, install)
}

/**
 * Takes a license, and what it opened in the products of a bundle, off every install; the license as it is then.
 * 404 when the owner has no such license; 400 for who only knows its key, as `requireWhole`.
 */
export async function deactivateEverywhere(ctx: TxContext, scope: Scope, id: number): Promise<LicenseRow> {
  const { license, children } = await holdFamily(ctx, scope, id)
  requireWhole(scope, 'Taking a license off every site')
  for (const one of [license, ...children]) await deactivateInstalls(ctx, scopeOfLicense(scope, one), one)
  return getLicense(ctx, scope, id)
}

/**
 * Counts the activations of a license from its installs. Held by a statement before, so that the count sees
 * every activation that was done by then. 404 when the owner has no such license.
 */
export async function syncActivations(ctx: TxContext, scope: Scope, id: number): Promise<LicenseRow> {
  const before = await hold(ctx.db, 'licenses', scope, id)
  if (!before) throw notFound('license')
  const updated = ctx.clock.now()
  const after = await recountActivations(ctx.db, scope, id, updated)
  return after ?? before
}
