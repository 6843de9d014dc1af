import { invalid } from '../../lib/errors.ts'
import type { LicenseRow } from './schema.ts'

/** 400 `license_cancelled` for a license whose plan is changed no more, `license_error` where that is its bundle's. */
export function refuseUnchangeable(license: LicenseRow): void {
  if (license.is_cancelled) throw invalid('license_cancelled', 'This license was cancelled.')
  if (license.parent_license_id === null) return
  throw invalid(
    'license_error',
    'This license came with a bundle, and is changed with the license of the bundle.',
  )
}
