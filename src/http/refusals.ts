import type { Refusal, RefusalCode } from '../lib/errors.ts'
import type { AnyOperation } from './operation.ts'

/** Which operations may answer a code, as follows from what they are. */
const KINDS = {
  'any operation': () => true,
  'what is switched off in the portal': ({ portal }: AnyOperation) => portal !== undefined,
  writes: ({ kind }: AnyOperation) => kind === 'write',
  'operations that take files': ({ files }: AnyOperation) => files !== undefined,
  'operations that take a token of a gateway': ({ refusesCards }: AnyOperation) => refusesCards === true,
  downloads: ({ produces }: AnyOperation) => produces !== undefined,
}

interface CommonRefusal extends Refusal {
  /** Absent: no operation does, but what `elsewhere` says. */
  readonly by?: keyof typeof KINDS
}

/** What any operation of its kind may answer, which none repeats in `refuses`. */
const COMMON = {
  invalid_argument: {
    status: 400,
    says: 'Arguments are malformed, all of them named.',
    help: 'Mend the fields that error.details names; each comes with what it must be.',
    by: 'any operation',
  },
  unknown_argument: {
    status: 400,
    says: 'Arguments are not known here; each is named, with the nearest one that is.',
    help: 'Mend the names that error.details lists, or leave them out.',
    by: 'any operation',
  },
  invalid_json: {
    status: 400,
    says: 'The body is no JSON object.',
    help: 'Send a JSON object, with Content-Type: application/json.',
    by: 'any operation',
  },
  invalid_form: {
    status: 400,
    says: 'The body is no form in UTF-8.',
    help: 'Send the form in UTF-8, percent-encoded.',
    by: 'any operation',
  },
  invalid_request: {
    status: 400,
    says: 'The request is not well-formed.',
    help: 'The message says what of it is not well-formed; most programs leave this to a library.',
    by: 'any operation',
  },
  invalid_multipart: {
    status: 400,
    says: 'The parts of the body are not well-formed.',
    help: 'Let a library write the parts, and send no Content-Type without its boundary.',
    by: 'operations that take files',
  },
  invalid_idempotency_key: {
    status: 400,
    says: 'The Idempotency-Key is empty or too long, or too short to be random where nobody is authenticated.',
    help: 'Send a random text such as a UUID, of at most 255 characters.',
    by: 'writes',
  },
  card_number_refused: {
    status: 400,
    says: 'An argument is a card number, where a token of the gateway belongs.',
    help: 'Send the token that the script of the gateway answers, never the card.',
    by: 'operations that take a token of a gateway',
  },
  unauthorized_access: {
    status: 401,
    says: 'Who is known may not do this, or not here; there is no status 403.',
    help: 'Use a credential of what the path begins with, which has the right; the message names the one that lacks.',
    by: 'any operation',
  },
  authorization_missing: {
    status: 401,
    says: 'The request brings no credentials, and this is for who is known.',
    help: 'Send a token as "Authorization: Bearer {token}", or sign the request.',
    by: 'any operation',
  },
  authorization_malformed: {
    status: 401,
    says: 'The Authorization header has none of its four forms.',
    help: 'Write "Authorization: Bearer {token}" with one space, or one of the other forms that the message shows.',
    by: 'any operation',
  },
  token_unknown: {
    status: 401,
    says: 'There is no such token.',
    help: 'Look whether the token was copied whole, and whether it is of this server.',
    by: 'any operation',
  },
  token_expired: {
    status: 401,
    says: 'The token has expired, or was revoked.',
    help: 'Make another token: in the dashboard, or by "keywright token create".',
    by: 'any operation',
  },
  token_wrong_product: {
    status: 401,
    says: 'The token is of one product, and the path is not below that.',
    help: 'Use the product that the token is of, or a token of the account for several products.',
    by: 'any operation',
  },
  token_wrong_path: {
    status: 401,
    says: 'The token is of an account, a user or an install, and the path is not below that.',
    help: 'Begin the path with what the token is of, as the message says.',
    by: 'any operation',
  },
  session_ended: {
    status: 401,
    says: 'The login or the visit is over, or of another account.',
    help: 'Log in again, or ask for another link.',
    by: 'any operation',
  },
  signature_invalid: {
    status: 401,
    says: 'The signature is not that of the request with the secret key; the message shows what was signed.',
    help: 'Compare the text in the message with what was signed: method, Content-MD5, Content-Type, date and path, a line each; then the secret key.',
    by: 'any operation',
  },
  signature_wrong_path: {
    status: 401,
    says: 'The request is signed with the keys of another entity than its path begins with.',
    help: 'Sign with the keys of the entity whose id the path begins with.',
    by: 'any operation',
  },
  public_key_unknown: {
    status: 401,
    says: 'No product has this id and this public key.',
    help: 'Take id and public key of the product from its settings.',
    by: 'any operation',
  },
  content_md5_mismatch: {
    status: 401,
    says: 'The Content-MD5 of a signed request is not that of its body.',
    help: 'Take the MD5 of the bytes that are sent, in lower-case hex.',
    by: 'any operation',
  },
  request_date_missing: {
    status: 401,
    says: 'A signed request has no date.',
    help: 'Send the header Date, or auth_date in the query, and sign it.',
    by: 'any operation',
  },
  request_date_invalid: {
    status: 401,
    says: 'The date of a signed request cannot be read.',
    help: 'Write the date like "Sat, 31 Jan 2026 10:00:00 GMT".',
    by: 'any operation',
  },
  request_expired: {
    status: 401,
    says: 'The date of a signed request is more than 15 minutes off.',
    help: 'Set the clock of the machine; error.timestamp is the time here.',
    by: 'any operation',
  },
  role_not_allowed: {
    status: 401,
    says: 'The role of a member of the team does not allow it.',
    help: 'Ask an administrator of the account for a role that has the right.',
    by: 'any operation',
  },
  token_not_allowed: {
    status: 401,
    says: 'A token of the account was not given the right, or is narrowed to products.',
    help: 'Make a token that has the right, or use one that is not narrowed.',
    by: 'any operation',
  },
  view_only: {
    status: 401,
    says: 'Somebody of the seller looks at the portal as a customer, and would change something.',
    help: 'Leave it to the customer, or do it in the dashboard.',
    by: 'any operation',
  },
  off_in_portal: {
    status: 401,
    says: 'The product has it switched off in the portal, where its user asks for it.',
    help: 'Let the buyer ask the seller; the seller switches it on at the product.',
    by: 'what is switched off in the portal',
  },
  csrf_required: {
    status: 401,
    says: 'A write with the session cookie does not show that it comes from a page of this server.',
    help: 'Send the value of X-Keywright-Csrf that the login answered.',
    by: 'any operation',
  },
  missing_argument: {
    status: 402,
    says: 'Required arguments are missing, all of them named.',
    help: 'Send the fields that error.details names.',
    by: 'any operation',
  },
  not_found: {
    status: 404,
    says: 'It does not exist, or belongs to somebody else.',
    help: 'Look at the id, and whether the credential is of the same account and product.',
    by: 'any operation',
  },
  method_not_allowed: {
    status: 405,
    says: 'The path has other methods.',
    help: 'Use a method that the header Allow names.',
    elsewhere: 'a path that has other methods',
  },
  request_timeout: {
    status: 408,
    says: 'The request did not come to its end in time.',
    help: 'Send the whole request at once, and try again.',
    elsewhere: 'what is no request',
  },
  idempotency_in_flight: {
    status: 409,
    says: 'Another request with this Idempotency-Key is in work.',
    help: 'Wait for the answer of the first request, or ask again in a second.',
    by: 'writes',
  },
  payload_too_large: {
    status: 413,
    says: 'The body is too large.',
    help: 'Send less at once.',
    by: 'any operation',
  },
  unsupported_media_type: {
    status: 415,
    says: 'The body is of a type that is not taken here.',
    help: 'Send application/json, or what the operation names.',
    by: 'any operation',
  },
  range_not_satisfiable: {
    status: 416,
    says: 'The file has no such range.',
    help: 'Ask for a range within the length of the file.',
    by: 'downloads',
  },
  expectation_failed: {
    status: 417,
    says: 'More is expected of the server than 100-continue.',
    help: 'Send no Expect but 100-continue.',
    elsewhere: 'any path',
  },
  idempotency_key_reused: {
    status: 422,
    says: 'This Idempotency-Key came with another request before.',
    help: 'Use another key for another request.',
    by: 'writes',
  },
  too_many_requests: {
    status: 429,
    says: 'There are too many requests of this caller.',
    help: 'Wait for the seconds that Retry-After names.',
    by: 'any operation',
  },
  headers_too_large: {
    status: 431,
    says: 'The headers of the request are too large.',
    help: 'Send fewer or shorter headers; cookies are the usual cause.',
    elsewhere: 'what is no request',
  },
  internal_error: {
    status: 500,
    says: 'Something went wrong in the server, whose log says what.',
    help: 'Try again; if it stays, the log of the server tells more under error.request_id.',
    by: 'any operation',
  },
  maintenance_mode: {
    status: 503,
    says: 'The server cannot do it at the moment; Retry-After says when to try again.',
    help: 'Wait for the seconds that Retry-After names, and try again.',
    by: 'any operation',
  },
} as const satisfies Readonly<Record<string, CommonRefusal>>

type Common = typeof COMMON
declare module '../lib/errors.ts' {
  interface Refusals extends Common {}
}

/** The codes that are the frame's, whatever is asked for. */
export const HTTP_REFUSALS: Readonly<Record<keyof Common, CommonRefusal>> = COMMON

const CODES = Object.keys(COMMON) as (keyof Common)[]

/** Whether a code is the frame's. */
export const isCommon = (code: RefusalCode): code is keyof Common => code in COMMON

/** The codes that an operation may answer, in the order of their names: its own, and those that follow from what it is. */
export function refusalsOf(op: AnyOperation): RefusalCode[] {
  const common = CODES.filter((code) => {
    const { by } = HTTP_REFUSALS[code]
    return by !== undefined && KINDS[by](op)
  })
  return [...new Set<RefusalCode>([...common, ...(op.refuses ?? [])])].toSorted()
}

/** The common codes of a status, in the order of their names. */
export const commonOf = (status: number): RefusalCode[] =>
  CODES.filter((code) => HTTP_REFUSALS[code].status === status).toSorted()
