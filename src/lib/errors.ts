/** One offending field of a request, as `error.details` lists it (`docs/decisions.md` 2.1). */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** What is known of a code: the status it comes with, and when it is answered, in one sentence. */
export interface Refusal {
  readonly status: number
  readonly says: string
  /** What the caller does about it, in one sentence or two. */
  readonly help: string
  /** Who answers it, where no operation does. */
  readonly elsewhere?: string
}

/** Every code by name: `refusals.ts` of each module adds its own, so that one that is not listed does not compile. */
export interface Refusals {}

export type RefusalCode = keyof Refusals
type StatusOf<Code extends RefusalCode> = Refusals[Code]['status']

/** The codes that come with a status. */
type CodeOf<Status extends number> = {
  [Code in RefusalCode]: StatusOf<Code> extends Status ? Code : never
}[RefusalCode]

/**
 * A refusal the caller can act on, with the status that its code has in the list. Anything else that is thrown is our bug
 * and becomes a 500.
 */
export class ApiError<Code extends RefusalCode = RefusalCode> extends Error {
  readonly status: StatusOf<RefusalCode>
  readonly code: RefusalCode
  readonly details: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(
    status: StatusOf<Code>,
    code: Code,
    message: string,
    extra: { details?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = extra.details
    this.headers = extra.headers
  }
}

/**
 * A refusal that a handler returns instead of throwing it: what the handler wrote is kept (a failed login is
 * counted), and the caller is told `error`.
 */
export class Refused {
  readonly error: ApiError
  /** What the audit log is told instead of a row of its own, once for all that are alike. */
  readonly counted: { readonly action: string; readonly details: object } | null

  constructor(error: ApiError, counted: Refused['counted'] = null) {
    this.error = error
    this.counted = counted
  }
}

/**
 * 400: something that was sent is malformed, or breaks a rule named by `code`; with the argument whose value it is,
 * which what is taken always has.
 */
export function invalid<Code extends CodeOf<400>>(
  code: Code,
  message: string,
  ...[field]: Code extends `${string}_taken` ? [field: string] : [field?: string]
) {
  return new ApiError(400, code, message, field === undefined ? {} : { details: [{ field, message }] })
}

/** 400 naming every malformed field at once (`docs/decisions.md` 2.2). */
export const invalidFields = (details: readonly FieldError[]) =>
  new ApiError(400, 'invalid_argument', sentence('Malformed', details), { details })

/** 400 naming what is not taken, with what else is wrong. */
export const unknownArguments = (details: readonly FieldError[]) =>
  new ApiError(400, 'unknown_argument', sentence('Not taken', details), { details })

/** 402: only required arguments are missing, all of them named (`docs/decisions.md` 2.2). */
export const missingFields = (details: readonly FieldError[]) =>
  new ApiError(402, 'missing_argument', sentence('Missing', details), { details })

/** 401: not authenticated, or not permitted; the interface has no 403 (`docs/decisions.md` 2.2). */
export const unauthorized = (
  code: CodeOf<401> = 'unauthorized_access',
  message = 'These credentials have no right to this.',
) => new ApiError(401, code, message)

/** 404 with the same body whether the entity never existed or belongs to somebody else (`docs/decisions.md` 1.3). */
export const notFound = (noun: string) => new ApiError(404, 'not_found', `There is no such ${noun}.`)

/** 429 with Retry-After in whole seconds, at least 1 (`docs/decisions.md` 7.2). */
export const tooManyRequests = (retryAfterSeconds: number, headers: Record<string, string> = {}) =>
  new ApiError(429, 'too_many_requests', 'Too many requests; try again later.', {
    headers: { ...headers, 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })

const sentence = (what: string, details: readonly FieldError[]) =>
  `${what}: ${details.map(({ field, message }) => `${field} ${message}`).join('; ')}.`.replace(/\?\.$/, '?')
