import { Type, type Static } from '../../lib/type.ts'
import { SITES_AT_ONCE } from '../../http/limits.ts'
import { Arguments, Choice, Id, Optional, SecretText, Text } from '../../http/wire.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { TOLD } from './input-schema.ts'
import { Uid } from './install.entity.ts'
import { InstallMetadata, permissionFields, type PermissionChange } from './part-schema.ts'
import { Install, Installs } from './schema.ts'

/** One of the sites of a network. */
export const Site = Arguments({ ...TOLD, uid: Uid() })
export type Site = Static<typeof Site>

export const NewUserInstall = Arguments({
  ...TOLD,
  sites: Optional(
    Type.Array(Type.Object({}), {
      maxItems: SITES_AT_ONCE,
      description: 'Several sites, each with its own uid.',
    }),
  ),
  license_key: Optional(SecretText({ max: 255, description: 'Puts this license on them.' })),
  license_id: Optional(Id('The same by id, for the seller.')),
  trial_plan_id: Optional(Id('Starts a trial of this plan.')),
  is_migration: Type.Boolean({ default: false, description: 'True: no events; for the seller.' }),
  source: Optional(
    Type.Unsafe<keyof typeof SOURCES>(
      Choice(Object.keys(SOURCES), {
        anyCase: true,
        description: 'Where installs come from that were not here before; for the seller.',
      }),
    ),
  ),
})
export type NewUserInstall = Static<typeof NewUserInstall>

export const NewAddonInstall = Arguments(TOLD)
export type NewAddonInstall = Static<typeof NewAddonInstall>

export const InstallOrInstalls = Type.Union([Install, Installs])

export const InstallChanges = Arguments({
  installs: Type.Array(Type.Object({}), {
    minItems: 1,
    // Each site, and what holds for all of them.
    maxItems: SITES_AT_ONCE + 1,
    description: 'Changes of installs, each with its id; one without an id holds for all of them.',
  }),
})
export type InstallChanges = Static<typeof InstallChanges>

export const PermissionChanges = Arguments({
  ...permissionFields,
  install_ids: Optional(
    Text({ max: 2000, format: 'ids', description: 'Absent: every install of the user.' }),
  ),
})
export type PermissionChanges = PermissionChange & { readonly install_ids?: string }

export const InstallsMetadata = Type.Object({ installs_metadata: Type.Array(InstallMetadata) })
