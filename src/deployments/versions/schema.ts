import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { DeploymentsTable } from '../../db/tables/deployments.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
} from '../../http/wire.ts'

export type DeploymentRow = Selectable<DeploymentsTable>

const RELEASE_MODES = ['released', 'pending', 'beta'] as const
export const VERSION_TYPES = ['released', 'pending', 'beta', 'all'] as const
export type VersionType = (typeof VERSION_TYPES)[number]

const fields = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  developer_id: IdText(),
  slug: Nullable(Type.String()),
  premium_slug: Nullable(Type.String()),
  version: Type.String(),
  sdk_version: Type.String(),
  requires_platform_version: Nullable(Type.String()),
  requires_programming_language_version: Nullable(Type.String()),
  tested_up_to_version: Nullable(Type.String()),
  downloaded: Type.Integer(),
  has_free: Type.Boolean(),
  has_premium: Type.Boolean(),
  release_mode: Choice(RELEASE_MODES),
  limit: Nullable(Type.Integer({ description: 'To how many users it is offered; null: to all.' })),
  uniques: Type.Integer({ description: 'How many users have downloaded it.' }),
  is_incremental: Type.Boolean(),
  is_sandbox: Type.Boolean({ description: 'Whether licenses of the sandbox get its premium build.' }),
}

/** The contract's PluginTag. */
export const Deployment = Type.Object(fields, { title: 'PluginTag' })
export type Deployment = Static<typeof Deployment>

const url = Type.String({
  description: 'Where its archive is downloaded without further proof, for 24 hours.',
})

export const LatestDeployment = Type.Object({ ...fields, url })

const offer = { ...fields, is_released: Type.Boolean(), url }

/** A version as an install is offered it. */
export const Update = Type.Object({
  ...offer,
  readme: Optional(
    Type.Object({
      sections: Type.Record(Type.String(), Type.String()),
      banners: Type.Record(Type.String(), Type.String()),
    }),
  ),
  upgrade_notice: Optional(Type.String()),
})
export type Update = Static<typeof Update>

export const UpdateInList = Type.Object(offer)

export const DeploymentId = Arguments({ tag_id: Id('ID of the version.') })

export const DeploymentList = Arguments({ ...Paging, ...Fields })

const IsPremium = Type.Boolean({
  default: false,
  description: 'The premium build; otherwise the free one, and 404 where there is none.',
})
const OfType = Optional(
  Choice(VERSION_TYPES, { description: '`all` is the highest of released, beta and pending.' }),
)

export const BuildWanted = Arguments({ is_premium: IsPremium })
export const LatestWanted = Arguments({ is_premium: IsPremium, type: OfType })
export type LatestWanted = Static<typeof LatestWanted>

const MAX_USERS = 1_000_000_000

export const DeploymentUpdate = Arguments({
  release_mode: Optional(
    Choice(RELEASE_MODES, {
      description:
        '`pending` is seen by no customer, `beta` by who takes part in the beta, `released` by all.',
    }),
  ),
  limit: Optional(
    Nullable(
      Type.Integer({ minimum: 0, maximum: MAX_USERS, description: 'Users to offer it to; null: all.' }),
    ),
  ),
  percentage_limit: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'The same, of the users with an active license at this moment.',
    }),
  ),
  is_incremental: Optional(Type.Boolean({ description: 'Nobody is offered a later one before this one.' })),
  is_sandbox: Optional(
    Type.Boolean({ description: 'Releases it to licenses of the sandbox, whatever its `release_mode`.' }),
  ),
})
export type DeploymentUpdate = Static<typeof DeploymentUpdate>

const Version = (description: string) => Optional(Text({ description }))

/** Characters: a part of a body has room for all of them, whatever alphabet they are of and however they are escaped. */
const MAX_README = 80_000

/** What is said of a version that its archive does not say. */
export const DeploymentCreate = Arguments({
  version: Optional(Text({ format: 'version', description: 'Of products whose archive does not say it.' })),
  requires_platform_version: Version('The lowest version of the platform; templates and widgets need it.'),
  requires_programming_language_version: Version('The lowest version of the language.'),
  tested_up_to_version: Version('The highest version of the platform it was tried on.'),
  sdk_version: Optional(
    Text({ max: 32, description: 'The version of the SDK in it, where that is no plugin or theme.' }),
  ),
  readme: Optional(
    Text({ max: MAX_README, format: 'text', description: 'In the form of a `readme.txt` of WordPress.' }),
  ),
})
export type DeploymentCreate = Static<typeof DeploymentCreate>

/** Bytes of an archive. */
const MAX_ARCHIVE = 512 * 1024 * 1024

export const DeploymentFiles = { file: { maxBytes: MAX_ARCHIVE, goesToStorage: true } } as const

const NewerThan = Optional(
  Text({ description: 'Only a version after this one; `true`: after the one in use.' }),
)

export const UpdateWanted = Arguments({
  is_premium: Optional(Type.Boolean({ description: 'The premium build; absent: what the license says.' })),
  readme: Optional(Type.Boolean({ description: 'With the sections of its readme.' })),
  include_upgrade_notice: Optional(
    Type.Boolean({ description: 'With what its readme says of the upgrade.' }),
  ),
  newer_than: NewerThan,
  type: OfType,
  ...Fields,
})
export type UpdateWanted = Static<typeof UpdateWanted>

export const UpdateArchiveWanted = Arguments({
  is_premium: UpdateWanted.properties.is_premium,
  newer_than: NewerThan,
  type: OfType,
})
export type UpdateArchiveWanted = Static<typeof UpdateArchiveWanted>

export const UpdateList = Arguments({
  version: Optional(Text({ description: 'In use; later ones are listed. Required without `older_than`.' })),
  older_than: Optional(Text({ description: 'Only versions before this one.' })),
  type: OfType,
  ...Paging,
  ...Fields,
})
export type UpdateList = Static<typeof UpdateList>

/** What the free build of a version leaves out, and the calls of premium code that it keeps. */
export const BuildReport = Type.Object({
  files: Type.Array(Type.String()),
  parts: Type.Array(
    Type.Object({
      file: Type.String(),
      part: Choice(['block', 'function', 'section', 'kept']),
      line: Type.Integer({ description: 'Where it began.' }),
    }),
  ),
  no_free: Nullable(
    Choice(['not_wordpress', 'no_readme', 'no_sdk', 'nothing_marked'], {
      description: 'Why there is no free build; null where there is one, and of versions that do not tell.',
    }),
  ),
})
export type BuildReport = Static<typeof BuildReport>

/** The columns of every reply; the readme is read where it is asked for. */
export const COLUMNS = [
  'id',
  'created',
  'updated',
  'product_id',
  'developer_id',
  'slug',
  'premium_slug',
  'version',
  'version_key',
  'sdk_version',
  'requires_platform_version',
  'requires_programming_language_version',
  'tested_up_to_version',
  'free_file',
  'free_size',
  'premium_file',
  'premium_size',
  'release_mode',
  'is_incremental',
  'max_users',
  'offered',
  'uniques',
  'downloaded',
  'is_sandbox',
] as const satisfies (keyof DeploymentRow)[]
export type ShownDeployment = Pick<DeploymentRow, (typeof COLUMNS)[number]>

export const presentDeployment = (row: ShownDeployment): Deployment => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  developer_id: String(row.developer_id),
  slug: row.slug,
  premium_slug: row.premium_slug,
  version: row.version,
  sdk_version: row.sdk_version,
  requires_platform_version: row.requires_platform_version,
  requires_programming_language_version: row.requires_programming_language_version,
  tested_up_to_version: row.tested_up_to_version,
  downloaded: row.downloaded,
  has_free: row.free_file !== null,
  has_premium: row.premium_file !== null,
  release_mode: row.release_mode,
  limit: row.max_users,
  uniques: row.uniques,
  is_incremental: row.is_incremental,
  is_sandbox: row.is_sandbox,
})
