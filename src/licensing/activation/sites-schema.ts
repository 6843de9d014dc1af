import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { LicenseSitesTable } from '../../db/tables/licenses.ts'
import { Arguments, Choice, Id, IdText, Text, Time } from '../../http/wire.ts'

const KINDS = ['allow', 'deny', 'local'] as const
const KIND = 'Only there (`allow`), not there (`deny`), or there without a place (`local`).'

/** Sites that a license may be active on, may not, or that count as local. */
export const LicenseSite = Type.Object(
  { id: IdText(), created: Time(), license_id: IdText(), kind: Choice(KINDS), pattern: Type.String() },
  { title: 'LicenseSite' },
)
export type LicenseSite = Static<typeof LicenseSite>

export const LicenseSiteCreate = Arguments({
  kind: Choice(KINDS, { description: KIND }),
  pattern: Text({
    min: 1,
    description:
      'A host, which stands for its subdomains too, or with `*` for any text; or an address of one.',
  }),
})
export type LicenseSiteCreate = Static<typeof LicenseSiteCreate>

export const LicenseSiteId = Arguments({
  license_id: Id('ID of the license.'),
  license_site_id: Id('ID of the entry.'),
})

export const presentSite = (row: Selectable<LicenseSitesTable>): LicenseSite => ({
  id: String(row.id),
  created: row.created,
  license_id: String(row.license_id),
  kind: row.kind,
  pattern: row.pattern,
})
