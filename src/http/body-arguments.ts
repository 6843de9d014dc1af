import { ApiError } from '../lib/errors.ts'
import type { Received } from '../lib/receive.ts'

/** Bytes of a body of plain arguments. */
export const BODY_LIMIT = 1024 * 1024

/** Of one that is searched for card numbers, which happens before its caller is counted. */
export const SEARCHED_BODY_LIMIT = 64 * 1024

export interface UploadedFile {
  /** Without a path; empty when the client gave none. */
  readonly filename: string
  readonly bytes: Buffer
}

/** The files of a multipart body, by the name of their part. */
export type Files = Readonly<Record<string, UploadedFile>>

/** A file that went into the storage as it came, where it is until its request is answered. */
export interface ReceivedFile extends Received {
  readonly filename: string
}

/** Those files, by the name of their part. */
export type ReceivedFiles = Readonly<Record<string, ReceivedFile>>

/** What a body says: `object` is its top level, `source` how its values are written. */
export interface BodyArguments {
  readonly object: object
  readonly source: 'json' | 'text'
  readonly files: Files
  readonly received: ReceivedFiles
}

/** The top level of a JSON body; an array is the argument `list`, where the operation takes one. */
export function asObject(value: unknown, list?: string): object {
  if (list !== undefined && Array.isArray(value)) return { [list]: value }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ApiError(400, 'invalid_json', 'The body must be a JSON object.')
}
