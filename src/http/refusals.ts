import type { Refusal, RefusalCode } from '../lib/errors.ts'
import type { AnyOperation } from './operation.ts'

/** Which operations may answer a code, as follows from what they are. */
const KINDS = {
  'any operation': () => true,
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
  invalid_argument: { status: 400, says: 'Arguments are malformed, all of them named.', by: 'any operation' },
  invalid_json: { status: 400, says: 'The body is no JSON object.', by: 'any operation' },
  invalid_form: { status: 400, says: 'The body is no form in UTF-8.', by: 'any operation' },
  invalid_request: { status: 400, says: 'The request is not well-formed.', by: 'any operation' },
  invalid_multipart: {
    status: 400,
    says: 'The parts of the body are not well-formed.',
    by: 'operations that take files',
  },
  invalid_idempotency_key: {
    status: 400,
    says: 'The Idempotency-Key is empty or too long, or too short to be random where nobody is authenticated.',
    by: 'writes',
  },
  card_number_refused: {
    status: 400,
    says: 'An argument is a card number, where a token of the gateway belongs.',
    by: 'operations that take a token of a gateway',
  },
  unauthorized_access: {
    status: 401,
    says: 'Nobody is authenticated, or who is may not do this; there is no status 403.',
    by: 'any operation',
  },
  request_expired: {
    status: 401,
    says: 'The date of a signed request is missing, or more than 15 minutes off.',
    by: 'any operation',
  },
  role_not_allowed: {
    status: 401,
    says: 'The role of a member of the team does not allow it.',
    by: 'any operation',
  },
  token_not_allowed: {
    status: 401,
    says: 'A token of the account was not given the right, or is narrowed to products.',
    by: 'any operation',
  },
  view_only: {
    status: 401,
    says: 'Somebody of the seller looks at the portal as a customer, and would change something.',
    by: 'any operation',
  },
  csrf_required: {
    status: 401,
    says: 'A write with the session cookie does not show that it comes from a page of this server.',
    by: 'any operation',
  },
  missing_argument: {
    status: 402,
    says: 'Required arguments are missing, all of them named.',
    by: 'any operation',
  },
  not_found: { status: 404, says: 'It does not exist, or belongs to somebody else.', by: 'any operation' },
  method_not_allowed: {
    status: 405,
    says: 'The path has other methods.',
    elsewhere: 'a path that has other methods',
  },
  request_timeout: {
    status: 408,
    says: 'The request did not come to its end in time.',
    elsewhere: 'what is no request',
  },
  idempotency_in_flight: {
    status: 409,
    says: 'Another request with this Idempotency-Key is in work.',
    by: 'writes',
  },
  payload_too_large: { status: 413, says: 'The body is too large.', by: 'any operation' },
  unsupported_media_type: {
    status: 415,
    says: 'The body is of a type that is not taken here.',
    by: 'any operation',
  },
  range_not_satisfiable: {
    status: 416,
    says: 'The file has no such range.',
    by: 'downloads',
  },
  expectation_failed: {
    status: 417,
    says: 'More is expected of the server than 100-continue.',
    elsewhere: 'any path',
  },
  idempotency_key_reused: {
    status: 422,
    says: 'This Idempotency-Key came with another request before.',
    by: 'writes',
  },
  too_many_requests: {
    status: 429,
    says: 'There are too many requests of this caller.',
    by: 'any operation',
  },
  headers_too_large: {
    status: 431,
    says: 'The headers of the request are too large.',
    elsewhere: 'what is no request',
  },
  internal_error: {
    status: 500,
    says: 'Something went wrong in the server, whose log says what.',
    by: 'any operation',
  },
  maintenance_mode: {
    status: 503,
    says: 'The server cannot do it at the moment; Retry-After says when to try again.',
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
