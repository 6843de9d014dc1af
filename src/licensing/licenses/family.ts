import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import type { LicenseRow } from './schema.ts'
import { holdLicense } from '../activation/license-on-install-rows.ts'
import { holdChildren } from './child-license-queries.ts'

/** A license, and what it opened as a bundle's in its products. */
export interface Family {
  readonly license: LicenseRow
  readonly children: readonly LicenseRow[]
}

/** Holds a license and what it opened until the end of the transaction; 404 when the owner has no such one. */
export async function holdFamily(ctx: TxContext, scope: Scope, id: number): Promise<Family> {
  const license = await hold(ctx.db, 'licenses', scope, id)
  if (!license) throw notFound('license')
  return familyOf(ctx, license)
}

/** A license that is held, with what it opened, which is held too. */
export const familyOf = async ({ db }: TxContext, license: LicenseRow): Promise<Family> => ({
  license,
  children: await holdChildren(db, license.id),
})

/** Holds the license of the bundle that opened one, and all that it opened; null where none did. */
export async function holdParentFamily(
  ctx: TxContext,
  { parent_license_id: parentId }: Pick<LicenseRow, 'parent_license_id'>,
): Promise<Family | null> {
  const license = parentId === null ? undefined : await holdLicense(ctx.db, parentId)
  return license ? familyOf(ctx, license) : null
}

/** The scope within the product of a license, which for one of a bundle is another one. */
export const scopeOfLicense = (scope: Scope, license: LicenseRow): Scope => ({
  ...scope,
  productId: license.product_id,
})
