import type { LicensesTable } from '../../db/tables/licenses.ts'
import { invalid } from '../../lib/errors.ts'

type Ending = Pick<LicensesTable, 'is_cancelled' | 'expiration'> & { readonly id: number }

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
