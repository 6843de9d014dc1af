import type { TxContext } from '../../context.ts'
import { invalid, type ApiError } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { holdLicenses } from './license-on-install.ts'

interface Licensed {
  readonly id: number
  readonly license_id: number | null
}

/** Clients find the id at the end by `install (\d+)` (`docs/interface.md` 3.4). */
export const activated = ({ id }: Pick<Licensed, 'id'>): ApiError =>
  invalid('license_activated', `A license is already activated on install ${id}`)

/** 400 `license_activated` for an install whose license is good: another one is put there by who names the install. */
export async function refuseLicensed(ctx: TxContext, install: Licensed): Promise<void> {
  if (install.license_id !== null && (await isGood(ctx, install.license_id))) throw activated(install)
}

/** A trial is no license that another one would stand in the way of: that one was bought, and ends the trial. */
async function isGood(ctx: TxContext, licenseId: number): Promise<boolean> {
  const [license] = await holdLicenses(ctx, [licenseId])
  const isCancelled = license === undefined || license.is_cancelled
  if (isCancelled || license.is_trial) return false
  if (license.expiration === null) return true
  return license.expiration > toUtcTime(ctx.clock.of(license.product_id, license.environment))
}
