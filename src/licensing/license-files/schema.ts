import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { LicenseKeysTable } from '../../db/tables/license-keys.ts'
import { Arguments, Choice, IdText, Nullable, Optional, Time } from '../../http/wire.ts'
import { FILE_ALGORITHM } from './license-file.ts'
import { Uid } from '../installs/install.entity.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

export type LicenseKeyRow = Selectable<LicenseKeysTable>

/** A public key that license files of a product may be signed with. */
const LicenseKey = Type.Object(
  {
    kid: Type.String({ description: 'Names the key in the files it has signed.' }),
    alg: Choice([FILE_ALGORITHM]),
    state: Choice(['current', 'next', 'retired'], {
      description: 'Signs now; will sign after the next rotation; signed once.',
    }),
    public_key: Type.String({ description: '32 bytes in base64url.' }),
    created: Time(),
    retired: Nullable(Time()),
    listed_until: Nullable(Time()),
  },
  { title: 'LicenseKey' },
)
type LicenseKey = Static<typeof LicenseKey>

export const LicenseKeys = Type.Object({ keys: Type.Array(LicenseKey) }, { title: 'LicenseKeys' })
export type LicenseKeys = Static<typeof LicenseKeys>

export const LicenseFile = Type.Object(
  {
    plugin_id: IdText(),
    license_id: IdText(),
    uid: Nullable(Type.String({ description: 'The only install it is good for; null: any.' })),
    kid: Type.String({ description: 'The key that signed it.' }),
    issued: Time(),
    expires: Time(),
    ttl: Type.Integer({ description: 'Seconds; a license that ends earlier ends the file too.' }),
    file: Type.String({ description: 'The file, to be stored as it is.' }),
  },
  { title: 'LicenseFile' },
)
export type LicenseFile = Static<typeof LicenseFile>

export const LicenseFileRequest = Arguments({
  uid: Optional(Uid('The install to bind the file to, 32 characters; the license must be active on it.')),
  ttl: Type.Integer({
    minimum: HOUR,
    maximum: 365 * DAY,
    default: 30 * DAY,
    description: 'Seconds until the file ends: 1 hour to 1 year.',
  }),
})
export type LicenseFileRequest = Static<typeof LicenseFileRequest>

/** Row → wire; never the secret key. */
export const presentLicenseKey = (row: LicenseKeyRow): LicenseKey => ({
  kid: row.kid,
  alg: FILE_ALGORITHM,
  state: row.state,
  public_key: row.public_key,
  created: row.created,
  retired: row.retired_at,
  listed_until: row.state === 'retired' ? row.files_until : null,
})
