import type { ReadContext } from '../../context.ts'
import type { OwnerQuestion } from '../opt-in/opt-in-schema.ts'
import { hashesOfKey } from './key.ts'
import { findByKey } from '../activation/by-key-rows.ts'
import { consentOf } from '../opt-in/consent-rows.ts'

/** What a client learns before it activates a key (`docs/interface.md` 4.4). */
export interface LicenseOwner {
  readonly plugin_id: string
  readonly is_marketing_allowed: boolean | null
  /** False: the license is nobody's yet. */
  readonly license_owner_id?: string | false
}

/**
 * Who owns the license of a key in each of the products that have it; none when no product has. About an address
 * nothing is told, whoever has it: an unknown and a known one are answered alike (`docs/decisions.md` 3.1).
 */
export async function licenseOwners(
  ctx: ReadContext,
  { license_key: key, pluginIds }: OwnerQuestion,
): Promise<LicenseOwner[]> {
  if (key === undefined) {
    return pluginIds.map((id) => ({ plugin_id: String(id), is_marketing_allowed: null }))
  }
  const hashes = hashesOfKey(key, ctx.keys)
  const owners: LicenseOwner[] = []
  for (const id of pluginIds) {
    const license = await findByKey(ctx.db, id, hashes)
    if (!license) continue
    const { user_id: owner } = license
    const consent = owner === null ? undefined : await consentOf(ctx.db, owner, id)
    const allowed = consent?.is_marketing_allowed ?? null
    owners.push({
      plugin_id: String(id),
      is_marketing_allowed: allowed === null ? null : allowed,
      license_owner_id: owner === null ? false : String(owner),
    })
  }
  return owners
}
