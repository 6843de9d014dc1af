import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type {
  InstallClonesTable,
  InstallMetadataTable,
  MarketItemsTable,
  UninstallsTable,
} from '../../db/tables/installs.ts'
import { SITES_AT_ONCE } from '../../http/limits.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'
import { ReasonFields } from './input-schema.ts'
import { Address, Uid } from './install.entity.ts'
import { idText } from '../../lib/id-text.ts'
import { REASON_IDS, REASONS, type Reason } from '../../lib/reasons.ts'

const entity = { id: IdText(), created: Time(), updated: Nullable(Time()) }

export const Uninstall = Type.Object(
  {
    ...entity,
    plugin_id: IdText(),
    install_id: IdText(),
    site_id: IdText(),
    reason_id: Choice(REASON_IDS),
    reason_info: Type.String(),
    reason: Type.String({ description: 'The reason in words.' }),
  },
  { title: 'Uninstall' },
)
export type Uninstall = Static<typeof Uninstall>

export const AnonymousUninstall = Arguments({
  uid: Uid(),
  reason_id: ReasonFields.reason_id,
  reason: ReasonFields.reason_info,
  reason_info: ReasonFields.reason_info,
})
export type AnonymousUninstall = Static<typeof AnonymousUninstall>

export const Skipped = Arguments({
  uid: Optional(Uid()),
  uids: Optional(Type.Array(Uid(), { maxItems: SITES_AT_ONCE, description: 'The same for several sites.' })),
})
export type Skipped = Static<typeof Skipped>

const RESOLUTIONS = ['temporary_duplicate', 'new_home', 'long_term_duplicate'] as const

export const InstallClone = Type.Object(
  {
    ...entity,
    install_id: IdText(),
    new_install_id: Nullable(IdText()),
    install_url: Type.String(),
    site_url: Type.String(),
    state: Choice(['pending', 'resolved']),
    resolution: Nullable(Choice(RESOLUTIONS)),
  },
  { title: 'InstallClone' },
)
export type InstallClone = Static<typeof InstallClone>

export const CloneIds = Arguments({
  install_id: Id('ID of the install.'),
  clone_id: Id('ID of the clone.'),
})

export const NewClone = Arguments({ site_url: Address('Address of the copy.') })

export const CloneResolution = Arguments({
  resolution: Nullable(Choice(RESOLUTIONS, { description: 'What the copy is; null: not known yet.' })),
  new_install_id: Optional(Nullable(Id('The install that was made for the copy.'))),
})
export type CloneResolution = Static<typeof CloneResolution>

export const InstallMetadata = Type.Object(
  {
    ...entity,
    install_id: IdText(),
    permissions: Type.Object({ site: Type.Boolean(), user: Type.Boolean(), extensions: Type.Boolean() }),
  },
  { title: 'InstallMetadata' },
)
export type InstallMetadata = Static<typeof InstallMetadata>

export const PERMISSIONS = ['site', 'user', 'extensions'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** `user, site` → the permissions named; null when one of them is none. */
export function parsePermissions(text: string): Permission[] | null {
  const names = text.split(',').map((name) => name.trim())
  const known = PERMISSIONS.filter((name) => names.includes(name))
  return names.every((name) => (PERMISSIONS as readonly string[]).includes(name)) ? known : null
}

export const permissionFields = {
  is_enabled: Type.Boolean({ description: 'On or off for those named.' }),
  permissions: Type.Refine(
    Text({ max: 100, description: 'Out of site, user and extensions, comma-separated.' }),
    (text) => parsePermissions(text) !== null,
    () => 'must be out of site, user and extensions, comma-separated',
  ),
}

export const PermissionChange = Arguments(permissionFields)
export type PermissionChange = Static<typeof PermissionChange>

export const MarketItem = Type.Object(
  {
    ...entity,
    plugin_id: Nullable(IdText()),
    slug: Type.String(),
    title: Type.String(),
    model: Choice(['free', 'premium', 'freemium']),
    type: Choice(['plugin', 'theme']),
    downloads: Type.Integer(),
    installs_count: Type.Integer(),
    last_release: Time(),
    newest_version: Type.String(),
  },
  { title: 'MarketItem' },
)
export type MarketItem = Static<typeof MarketItem>

const base = (row: { readonly id: number; readonly created: string; readonly updated: string | null }) => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
})

export const presentUninstall = (row: Selectable<UninstallsTable>, siteId: number): Uninstall => ({
  ...base(row),
  plugin_id: String(row.product_id),
  install_id: String(row.install_id),
  site_id: String(siteId),
  reason_id: row.reason_id as Reason,
  reason_info: row.reason_info,
  reason: REASONS[row.reason_id as Reason],
})

export const presentClone = (row: Selectable<InstallClonesTable>): InstallClone => ({
  ...base(row),
  install_id: String(row.install_id),
  new_install_id: idText(row.new_install_id),
  install_url: row.install_url,
  site_url: row.site_url,
  state: row.state,
  resolution: row.resolution,
})

export const presentMetadata = (row: Selectable<InstallMetadataTable>): InstallMetadata => ({
  ...base(row),
  install_id: String(row.install_id),
  permissions: {
    site: row.permits_site,
    user: row.permits_user,
    extensions: row.permits_extensions,
  },
})

/** Of what it sells and when, an install tells nothing. */
export const presentMarketItem = (row: Selectable<MarketItemsTable>): MarketItem => ({
  ...base(row),
  plugin_id: null,
  slug: row.slug,
  title: row.title,
  model: 'free',
  type: row.type,
  downloads: 0,
  installs_count: 0,
  last_release: row.created,
  newest_version: row.version,
})
