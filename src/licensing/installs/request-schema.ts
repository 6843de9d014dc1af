import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Id, IdText, Optional, SecretText, Text } from '../../http/wire.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { isReason } from '../../lib/reasons.ts'
import { ROLES } from '../../access/roles.ts'
import { IdsOrList } from './input-schema.ts'

export const ClientEvent = Arguments({
  type: Type.Refine(
    Text({ min: 1, max: 100, description: 'What the client calls it.' }),
    (text) => /^[A-Za-z0-9_.-]+$/.test(text),
    () => 'must have letters, digits, dots, hyphens and underscores only',
  ),
  properties: Optional(
    Type.Union([Type.Object({}), Type.Array(Type.Unknown(), { maxItems: 0 })], {
      description: 'What the client tells of it; an empty list is an empty object.',
    }),
  ),
  process_at: Optional(
    Type.Union([Type.Integer({ minimum: 0 }), Text({ max: 40 })], {
      description: 'When the client wants it looked at, in Unix seconds or as text; kept with it.',
    }),
  ),
  once: Type.Boolean({ default: false, description: 'True: the first of its type only.' }),
})
export type ClientEvent = Static<typeof ClientEvent>

export const Downgrade = Arguments({
  deactivate_license: Optional(Type.Boolean({ description: 'True: the license is deactivated too.' })),
  reason_ids: Optional(
    Type.Refine(
      Type.Union([Type.Integer({ minimum: 1, maximum: 15 }), Type.String({ maxLength: 100 })]),
      (ids) => parseNumberList(String(ids))?.every(isReason) === true,
      () => 'must be reasons from 1 to 15, comma-separated',
    ),
  ),
  reason: Optional(Text({ max: 5_000, format: 'text', description: 'More about the reason.' })),
})
export type Downgrade = Static<typeof Downgrade>

const MAX_TYPE = 32

export const OwnershipStart = Arguments({
  email: Text({ format: 'email', max: 254, description: 'Address of the next owner.' }),
  transfer_type: Type.String({
    maxLength: MAX_TYPE,
    format: 'line',
    default: 'transfer',
    description:
      'With `merge` or `all` every install of the owner goes that the caller reaches; else those that are named.',
  }),
  install_ids: IdsOrList('Other installs of the owner that go along, comma-separated.'),
  after_confirm_url: Optional(Text({ format: 'http-url', max: 2048, description: 'Where both are led to.' })),
})
export type OwnershipStart = Static<typeof OwnershipStart>

export const OwnershipConfirmation = Arguments({
  token_salt: SecretText({ max: 255, description: 'Salt of the mailed link.' }),
  email: Text({ format: 'email', max: 254, description: 'Address of the side that agrees.' }),
  transfer_type: Optional(
    Type.String({
      maxLength: MAX_TYPE,
      format: 'line',
      description: 'With `merge` or `all`, of the owner: every install goes. Default: as it was asked for.',
    }),
  ),
  owner_token: Optional(SecretText({ max: 255, description: 'Token of the owner’s link.' })),
  candidate_token: Optional(SecretText({ max: 255, description: 'Token of the next owner’s link.' })),
  after_confirm_url: Optional(
    Text({ format: 'http-url', max: 2048, description: 'Where the side is led to that agrees.' }),
  ),
  install_ids: IdsOrList(
    'In the place of those asked for: more of the owner only, before the next one agrees.',
  ),
})
export type OwnershipConfirmation = Static<typeof OwnershipConfirmation>

export const VerifyRequest = Arguments({
  after_email_confirm_url: Optional(
    Text({ format: 'http-url', max: 2048, description: 'Where the confirmation leads to.' }),
  ),
})

export const TeamMember = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first: Type.String(),
  last: Type.String(),
  picture: Type.String(),
  role: Choice(ROLES),
  plugin_id: IdText(),
})

export const NewTeamMember = Arguments({
  role: Choice(ROLES),
  member_id: Optional(Id('A member of the team, or who is invited; gets the role.')),
  email: Optional(Text({ format: 'email', max: 254, description: 'Address of the newcomer.' })),
})
export type NewTeamMember = Static<typeof NewTeamMember>
