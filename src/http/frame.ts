import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Received } from '../lib/receive.ts'
import type { AuthenticationLog } from './authentication-log.ts'
import type { countryReader } from './country.ts'
import type { Limits } from './limits.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { Metrics } from './metrics.ts'
import type { Scope } from '../access/scope.ts'
import type { HeldBody } from './body-room.ts'

/** What the frame keeps for one process beside the context. */
export interface Frame {
  readonly ctx: Context
  readonly authentications: AuthenticationLog
  readonly refusals: RefusalLog
  readonly limits: Limits
  readonly metrics: Metrics
  /** Where a caller is; null: nobody says it. */
  readonly countryOf: ReturnType<typeof countryReader>
  /** True from the moment the process was told to stop. */
  stopping: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly frame: Frame
  }
  interface FastifyRequest {
    /** When it began, of the process's own clock in milliseconds. */
    startedAt: number
    /** Set by authentication. */
    scope: Scope | null
    /** The body as it came; null when there was none. */
    rawBody: Buffer | null
    /** The body of a multipart request, not read yet. */
    parts: Readable | null
    /** SHA-256 of what a multipart body said. */
    partsDigest: string
    /** Files of it that went into the storage. */
    received: readonly Received[] | null
    /** Counts bytes of parts that are held in memory; null without parts. */
    heldBody: HeldBody | null
    /** The decoded top level of the body, for the echo of an error. */
    arguments: unknown
    /** Arguments that the operation does not take, as the answer names them; empty: none. */
    ignored: string
    /** The operation's id, for the log and the metrics. */
    operationId: string
    /** Arguments of the operation that an error does not echo; null where there is none. */
    secretNames: readonly string[] | null
    /** Logged with the response when something unexpected was thrown. */
    failure: unknown
    /** Whether a 503 is no fault: what was asked for is about to be there. */
    isSoon: boolean
  }
}
