import { Type, type Static } from '../../lib/type.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, SecretText, Text, Time } from '../../http/wire.ts'
import { ROLES } from '../../access/roles.ts'
import { DEVELOPER, type DeveloperRow } from './developer.entity.ts'

/** The contract's Developer without its secret key. */
export const Developer = Type.Object(DEVELOPER.shown, { title: 'Developer' })
export type Developer = Static<typeof Developer>

/** Row → wire. */
export const presentDeveloper: (row: DeveloperRow) => Developer = DEVELOPER.present

export const DeveloperId = Arguments({ developer_id: Id('ID of the account to log in to.') })

/** A login of the dashboard (`docs/interface.md` 2.9). */
export const Login = Arguments({
  email: Text({ format: 'email', max: 254 }),
  password: SecretText(),
  recaptcha_token: Optional(SecretText({ description: 'Needed where the server checks it.' })),
  remember_me: Type.Boolean({
    default: false,
    description: 'Stay logged in for 7 days instead of 12 hours.',
  }),
  code: Optional(SecretText({ max: 64, description: 'Six digits of the authenticator app.' })),
  backup_code: Optional(
    SecretText({ max: 64, description: '24 characters; switches two-factor off for good.' }),
  ),
})
export type Login = Static<typeof Login>

export const ForgottenPassword = Arguments({
  email: Text({ format: 'email', max: 254, description: 'The address that the person logs in with.' }),
})

export const LoginReply = Type.Object({
  person: Developer,
  expires: Type.Integer({ description: 'Seconds that the login lasts.' }),
  is_new: Type.Boolean(),
})

export const Session = Type.Object({
  person: Developer,
  role: Choice(ROLES, { description: 'What the person is in this account.' }),
  can_refund: Type.Boolean({ description: 'Of support: may give payments back.' }),
  expires: Type.Integer({ description: 'Seconds until the login ends.' }),
  csrf_token: Type.String({ description: 'For the header `X-Keywright-CSRF` of writes with the cookie.' }),
})
export type Session = Static<typeof Session>

export const PersonSession = Type.Object({
  person: Developer,
  accounts: Type.Array(
    Type.Object({
      developer_id: IdText(),
      name: Type.String({ description: "The owner's name, or the address where there is none." }),
      role: Choice(ROLES),
      public_key: Type.String({ description: "The account's; it opens nothing by itself." }),
      rights: Type.Record(Type.String(), Choice(['none', 'read', 'write'] as const), {
        description: 'Group of operations → what the role may do with it; `write` includes reading.',
      }),
    }),
    { description: "The person's own account, then those of the teams it has joined." },
  ),
  expires: Type.Integer({ description: 'Seconds until the login ends.' }),
  csrf_token: Type.String({ description: 'For the header `X-Keywright-CSRF` of writes with the cookie.' }),
})
export type PersonSession = Static<typeof PersonSession>

export const SeenSession = Type.Object(
  {
    id: IdText(),
    created: Time('When the person logged in.'),
    expires_at: Time(),
    last_used_at: Nullable(Time('Noted at most once a minute.')),
    ip: Nullable(Type.String({ description: 'From where it was last used.' })),
    agent: Nullable(Type.String({ description: 'What the browser says that it is (`User-Agent`).' })),
    is_current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  { title: 'PersonSession' },
)
export type SeenSession = Static<typeof SeenSession>

export const SessionId = Arguments({ session_id: Id('ID of the session.') })

export const PasswordChange = Arguments({
  current_password: SecretText(),
  new_password: SecretText({ description: '8 to 1000 characters, none of the most common passwords.' }),
})
export type PasswordChange = Static<typeof PasswordChange>

export const PersonChange = Arguments({
  ...withLast(DEVELOPER.update, ['email']),
  current_password: Optional(SecretText({ description: 'Needed with `email`.' })),
})
export type PersonChange = Static<typeof PersonChange>

/** The password once more, before something that an open session alone must not do. */
export const OwnPassword = Arguments({ current_password: SecretText() })

export const TwoFactorSecret = Type.Object({
  secret: Type.String({ description: 'Base32; shown once.' }),
  otpauth_url: Type.String({ description: 'The same for an authenticator app, as a QR code.' }),
})

export const TwoFactorCode = Arguments({ code: SecretText({ max: 64 }) })

export const BackupCodes = Type.Object({
  backup_codes: Type.Array(Type.String({ minLength: 24, maxLength: 24 }), {
    description: 'Each works once, and then switches two-factor off; shown once.',
  }),
})

export const TwoFactorProof = Arguments({
  code: Optional(SecretText({ max: 64 })),
  backup_code: Optional(SecretText({ max: 64 })),
})
export type TwoFactorProof = Static<typeof TwoFactorProof>

/** `POST /users/login.json` (`docs/interface.md` 2.7). */
export const UserLogin = Arguments({
  email: Text({ format: 'email', max: 254 }),
  password: Optional(
    SecretText({
      description: 'Empty when the site has recognised the person itself: its secret key then vouches.',
    }),
  ),
  developer_id: Id('ID of the developer.'),
  developer_secret_key: SecretText({ max: 64 }),
  store_id: Optional(Id('ID of a store of the developer.')),
})
export type UserLogin = Static<typeof UserLogin>

export const UserLoginReply = Type.Object({
  user_token: Type.Object({
    person: Type.Object({
      id: IdText(),
      email: Type.String(),
      first: Type.String(),
      last: Type.String(),
      picture: Type.String(),
      is_verified: Type.Boolean(),
      created: Time(),
    }),
    token: Type.Object({
      access: Type.String({ description: 'For `Authorization: FSA {user id}:{access}`.' }),
      expires: Type.Integer({ description: 'Unix seconds.' }),
      refresh: Type.Null(),
    }),
  }),
})
export type UserLoginReply = Static<typeof UserLoginReply>
