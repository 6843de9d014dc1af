import type { ReadContext, TxContext } from '../../context.ts'
import { invalid, type ApiError } from '../../lib/errors.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { holdLicenses, isOver } from './license-on-install.ts'

interface Licensed {
  readonly id: number
  readonly license_id: number | null
}

/** Clients find the id at the end by `install (\d+)` (`docs/interface.md` 3.4). */
export const activated = ({ id }: Pick<Licensed, 'id'>): ApiError =>
  invalid('license_activated', `A license is already activated on install ${id}`)

/** 400 `license_activated` for an install whose license is good: another one is put there by who names the install. */
export async function refuseLicensed(ctx: TxContext, install: Licensed): Promise<void> {
  if (install.license_id === null) return
  const [license] = await holdLicenses(ctx, [install.license_id])
  refuseLicensedBy(ctx, install, license)
}

/** As `refuseLicensed`, of the license that the install has, as it was read. */
export function refuseLicensedBy(ctx: ReadContext, install: Licensed, license: LicenseRow | undefined): void {
  if (license && isGood(ctx, license)) throw activated(install)
}

/** A trial is no license that another one would stand in the way of: that one was bought, and ends the trial. */
const isGood = (ctx: ReadContext, license: LicenseRow): boolean =>
  !license.is_cancelled && !license.is_trial && !isOver(ctx, license)
