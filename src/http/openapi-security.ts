import type { Json } from './openapi-schema.ts'
import type { AnyOperation } from './operation.ts'
import type { ScopeKind } from '../access/scope.ts'

const inAuthorization = { type: 'apiKey', in: 'header', name: 'Authorization' } as const

/** How a caller says who it is (`docs/decisions.md` 3.3, 3.6). */
export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a product; of an account in developer scope, for what it was given; or of an installation in its ' +
      'own scope.',
  },
  signature: {
    ...inAuthorization,
    description:
      '`FS {id}:{public key}:{signature}` with the keys of the entity that the path begins with. The signature is ' +
      'base64url, without padding, of the hexadecimal HMAC-SHA256 with the secret key over method, Content-MD5, ' +
      'Content-Type, Date and path, joined by newlines. A GET may carry `authorization` and `auth_date` in the ' +
      'query instead. It is good for 15 minutes around its date.',
  },
  publicSignature: {
    ...inAuthorization,
    description:
      '`FSP {id}:{public key}:{signature}`: as `signature`, signed with the public key of the product.',
  },
  accessToken: {
    ...inAuthorization,
    description: '`FSA {id}:{token}` with an access token of the developer or the user, good for 24 hours.',
  },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Keywright-Session',
    description: 'The value of the cookie that a login set, for tools; good for 12 hours or 7 days.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-keywright_session',
    description:
      'Set by a login; `keywright_session` where the server stands on http://localhost. A write also needs the ' +
      'header `X-Keywright-CSRF` with the value that the login and `session.json` answered.',
  },
  portalCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-keywright_portal',
    description:
      'Set for 24 hours when a browser follows a link into the portal; `keywright_portal` on http://localhost. A ' +
      'write also needs the header `X-Keywright-CSRF` with the value that `portal/session.json` answers.',
  },
} as const satisfies Json

type Scheme = keyof typeof SECURITY_SCHEMES

const ACCEPTED: Readonly<Record<ScopeKind, readonly Scheme[]>> = {
  product: ['bearer', 'signature'],
  developer: ['bearer', 'signature', 'accessToken', 'session', 'sessionCookie'],
  account: ['bearer', 'signature', 'accessToken', 'session', 'sessionCookie'],
  store: ['signature'],
  store_account: ['signature'],
  user: ['signature', 'accessToken', 'portalCookie'],
  install: ['bearer', 'signature'],
  root: [],
}

/** Who may call an operation in a scope; any one of the listed is enough. */
export function securityOf({ caller }: AnyOperation, kind: ScopeKind): Json[] {
  const schemes = acceptedBy(caller, kind)
  if (caller === 'public' && kind === 'product') schemes.push('publicSignature')
  const listed = schemes.map((scheme) => ({ [scheme]: [] }))
  return caller === 'open' ? [...listed, {}] : listed
}

function acceptedBy(caller: AnyOperation['caller'], kind: ScopeKind): Scheme[] {
  if (caller === 'session') return ['session', 'sessionCookie']
  if (caller === 'portal') return ['portalCookie']
  if (caller === 'token') return ['bearer']
  return caller === 'signature' ? ['signature'] : [...ACCEPTED[kind]]
}
