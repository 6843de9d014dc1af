import type { LicensesTable } from '../../db/tables/licenses.ts'
import { invalid } from '../../lib/errors.ts'

type Ending = Pick<LicensesTable, 'is_cancelled' | 'expiration'> & { readonly id: number }

/** Whether a license opens nothing once it is over: a trial never does, whatever its plan says (`docs/interface.md` 5.7). */
export const isBlocking = ({
  is_block_features: blocks,
  is_trial: isTrial,
}: Readonly<Record<'is_block_features' | 'is_trial', boolean>>): boolean => blocks || isTrial

/**
 * 400 `license_cancelled` for a license that was cancelled, and `license_expired` for one that is over, as the
 * caller counts it (`docs/interface.md` 3.4).
 */
export function refuseOver(license: Ending, isOver: boolean): void {
  refuseCancelled(license)
  refuseExpired(license, isOver)
}

export function refuseCancelled({ id, is_cancelled: isCancelled }: Ending): void {
  if (isCancelled) throw invalid('license_cancelled', `This license was cancelled (id = ${id}).`)
}

export function refuseExpired({ id, expiration }: Ending, isOver: boolean): void {
  if (isOver) throw invalid('license_expired', `Your license has expired on ${expiration} UTC (id = ${id}).`)
}
