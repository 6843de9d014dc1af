import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid, notFound, type ApiError } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { findSandboxRule, findSeeker, findUserSeeker } from '../versions/seeker-rows.ts'

/**
 * Whether somebody may have the premium build: a license that is neither cancelled nor expired
 * (`docs/interface.md` 5.3).
 */
type LicenseState = 'valid' | 'expired' | 'cancelled' | 'none'

/** Who looks for a version of a product. */
export interface Seeker {
  /** Null: nobody knows. */
  readonly userId: number | null
  readonly installId: number | null
  /** In use; null: none, or not known. */
  readonly version: string | null
  readonly isBeta: boolean
  /** Only versions with the client's library are for it. */
  readonly needsSdk: boolean
  readonly license: LicenseState
  /** Its license is of the sandbox: of premium builds it gets those that are released to that. */
  readonly isOfSandbox: boolean
}

export const ANYBODY: Seeker = {
  userId: null,
  installId: null,
  version: null,
  isBeta: false,
  needsSdk: false,
  license: 'none',
  isOfSandbox: false,
}

/** The one who has an install; 404 when the caller has no such install. */
export async function seekerOfInstall(ctx: ReadContext, scope: Scope, id: number): Promise<Seeker> {
  const [row] = await findSeeker(ctx.db, scope, { id })
  if (!row) throw notFound('install')
  const { user_id: userId, product_id: productId, version } = row
  return {
    userId,
    installId: row.id,
    version,
    isBeta: row.is_install_beta || row.is_user_beta === true,
    needsSdk: row.is_sdk_required,
    license: stateOf(ctx, productId, row),
    isOfSandbox: isSandbox(row.license_environment ?? 0) && !(await getsReleased(ctx, scope)),
  }
}

/**
 * A user of a product, with the best of its licenses; of a product that it is no user of, anybody. Its licenses of a
 * bundle count too where one is named that has the product.
 */
export async function seekerOfUser(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  bundle?: Scope,
): Promise<Seeker> {
  const rows = await findUserSeeker(ctx.db, scope, userId)
  const ofBundle = bundle ? await findUserSeeker(ctx.db, bundle, userId) : []
  const license = bestOf([
    ...rows.map((row) => knownOf(ctx, scope, row)),
    ...ofBundle.map((row) => knownOf(ctx, bundle ?? scope, row)),
  ])
  return {
    ...ANYBODY,
    userId: rows.length === 0 ? null : userId,
    isBeta: rows.some((row) => row.is_beta),
    license: license.state,
    isOfSandbox: isSandbox(license.environment) && !(await getsReleased(ctx, scope)),
  }
}

/** A user of a product with one of its licenses alone; 404 when the user has no such one. */
export async function seekerOfLicense(
  ctx: ReadContext,
  scope: Scope,
  { userId, licenseId }: { readonly userId: number; readonly licenseId: number },
): Promise<Seeker> {
  const rows = await findUserSeeker(ctx.db, scope, userId)
  const row = rows.find(({ license_id: id }) => id === licenseId)
  if (!row) throw notFound('license')
  const { state: license, environment } = knownOf(ctx, scope, row)
  const isOfSandbox = isSandbox(environment) && !(await getsReleased(ctx, scope))
  return { ...ANYBODY, userId, isBeta: row.is_beta, license, isOfSandbox }
}

interface Known {
  readonly state: LicenseState
  readonly environment: Environment
}

const knownOf = (ctx: ReadContext, { productId }: Scope, row: LicenseColumns): Known => ({
  state: stateOf(ctx, productId, row),
  environment: row.environment ?? 0,
})

/** The best license of a user; of two that are as good the live one. */
function bestOf(known: readonly Known[]): Known {
  const order: readonly LicenseState[] = ['valid', 'expired', 'cancelled', 'none']
  const rank = ({ state, environment }: Known) => 2 * order.indexOf(state) + environment
  return known.toSorted((a, b) => rank(a) - rank(b))[0] ?? { state: 'none', environment: 0 }
}

const getsReleased = async (ctx: ReadContext, scope: Scope): Promise<boolean> =>
  (await findSandboxRule(ctx.db, scope))?.sandbox_gets_released === true

interface LicenseColumns {
  readonly license_id: number | null
  readonly is_cancelled: boolean | null
  readonly expiration: string | null
  readonly environment: Environment | null
}

function stateOf({ clock }: ReadContext, productId: number, row: LicenseColumns): LicenseState {
  if (row.license_id === null) return 'none'
  if (row.is_cancelled) return 'cancelled'
  const now = toUtcTime(clock.of(productId, row.environment ?? 0))
  return row.expiration !== null && now >= row.expiration ? 'expired' : 'valid'
}

/** Refuses the premium build without a license that allows updates (contract installations/retrieve-latest-update). */
export function requireLicense({ license }: Seeker): void {
  const refusal = REFUSALS[license]
  if (refusal) throw refusal()
}

const REFUSALS: Readonly<Record<LicenseState, (() => ApiError) | null>> = {
  valid: null,
  expired: () =>
    invalid('license_expired', 'The license expired; the premium version is updated with an active one.'),
  cancelled: () => invalid('license_cancelled', 'The license was cancelled.'),
  none: () => invalid('license_error', 'The premium version is updated with an active license only.'),
}
