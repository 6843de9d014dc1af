import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { recordEvent } from '../../events/log/record.ts'
import { cancelOne } from './change.ts'
import { deleteLicenseRow } from './queries.ts'
import type { LicenseRow } from './schema.ts'
import { deleteNotesOf } from '../../people/notes/note-rows.ts'
import { deactivateInstalls } from '../activation/deactivate-license.ts'
import { releaseReviews } from './child-license-queries.ts'
import { holdFamily, holdParentFamily, scopeOfLicense, type Family } from './family.ts'
import { mailCancelled } from './mail-licenses.ts'

interface Reach {
  /** The license of the bundle that opened it too, and so all that this one opened. */
  readonly include_bundle?: boolean
}

/**
 * Cancels a license with what it opened in the products of a bundle, and its renewals: features end at once
 * (`docs/interface.md` 5.7). Cancelled already, it stays as it is. 404 when the owner has no such one.
 */
export const cancelLicense = async (
  ctx: TxContext,
  scope: Scope,
  id: number,
  reach: Reach,
): Promise<LicenseRow> => (await cancelReached(ctx, scope, id, reach)).asked

/** Cancels a license as `cancelLicense`, and tells the owner by mail. */
export async function cancelLicenseAndTell(
  ctx: TxContext,
  scope: Scope,
  id: number,
  reach: Reach,
): Promise<LicenseRow> {
  const { asked, ended } = await cancelReached(ctx, scope, id, reach)
  if (ended && !scope.isSilent) await mailCancelled(ctx, scopeOfLicense(scope, ended), ended)
  return asked
}

/** The license that was asked for, and the one of the bundle or its own that has ended by it. */
async function cancelReached(
  ctx: TxContext,
  scope: Scope,
  id: number,
  reach: Reach,
): Promise<{ readonly asked: LicenseRow; readonly ended: LicenseRow | null }> {
  const { license, children } = await reached(ctx, scope, id, reach)
  const cancelled: LicenseRow[] = []
  for (const one of [license, ...children]) {
    await ctx.hooks.sales.endRenewals(ctx, scopeOfLicense(scope, one), one.id)
    cancelled.push(await cancelOne(ctx, scopeOfLicense(scope, one), one))
  }
  const asked = cancelled.find((one) => one.id === id)
  if (!asked) throw new Error('A license is itself, or among what its bundle opened.')
  return { asked, ended: license.is_cancelled ? null : license }
}

/** Erases a license with what it opened: its installs have none then. 404 when the owner has no such one. */
export async function deleteLicense(ctx: TxContext, scope: Scope, id: number, reach: Reach): Promise<void> {
  const { license, children } = await reached(ctx, scope, id, reach)
  for (const one of [...children, license]) {
    const within = scopeOfLicense(scope, one)
    await ctx.hooks.sales.endRenewals(ctx, within, one.id)
    await deactivateInstalls(ctx, within, one)
    await releaseReviews(ctx.db, one.id)
    await deleteNotesOf(ctx.db, { type: 'license', id: one.id })
    if (one.is_unproven) await ctx.hooks.sales.giveBackGift(ctx, within, one.id)
    if (!(await deleteLicenseRow(ctx.db, within, one.id))) throw new Error('A license that is held is there.')
    await recordEvent(ctx, within, {
      type: 'license.deleted',
      environment: one.environment,
      ...(one.user_id !== null && { userId: one.user_id }),
      data: { license_id: String(one.id) },
    })
  }
}

async function reached(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { include_bundle: withBundle }: Reach,
): Promise<Family> {
  const own = await holdFamily(ctx, scope, id)
  return (withBundle ? await holdParentFamily(ctx, own.license) : null) ?? own
}
