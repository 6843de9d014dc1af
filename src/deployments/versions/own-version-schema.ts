import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Fields, Id, Nullable, Optional, Paging } from '../../http/wire.ts'
import { Deployment } from './schema.ts'

const { id, created, version, release_mode } = Deployment.properties
const { requires_platform_version, requires_programming_language_version, tested_up_to_version } =
  Deployment.properties

/** A version as who bought the product may download it. */
export const OwnVersion = Type.Object(
  {
    id,
    created,
    version,
    release_mode,
    is_premium: Type.Boolean({ description: 'Whether it is the premium build that is downloaded.' }),
    size: Type.Integer({ description: 'Bytes of the archive.' }),
    requires_platform_version,
    requires_programming_language_version,
    tested_up_to_version,
    changes: Nullable(Type.String({ description: 'What its readme says has changed in it, as text.' })),
  },
  { title: 'OwnVersion' },
)
export type OwnVersion = Static<typeof OwnVersion>

const license_id = Optional(Id('Only what this license opens; absent: the best of the user.'))

export const OwnVersionList = Arguments({ license_id, ...Paging, ...Fields })
export type OwnVersionList = Static<typeof OwnVersionList>

export const OwnVersionWanted = Arguments({ license_id })
