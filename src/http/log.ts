import type { FastifyInstance } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Context } from '../context.ts'
import type { Frame } from './frame.ts'
import { pathOf } from './errors.ts'

/** One structured line a response, without query, body and headers, where secrets travel (CHECKS S39). */
export function logResponses(server: FastifyInstance, { ctx, metrics }: Frame): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply.raw
    const ms = Math.round(reply.elapsedTime * 1000) / 1000
    metrics.observeRequest(request.operationId, statusCode, ms / 1000)
    const line = {
      request_id: request.id,
      operation: request.operationId,
      method: request.method,
      path: withoutCredentials(pathOf(request.originalUrl)),
      status: statusCode,
      ms,
      ip: request.ip,
      credential: request.scope?.actor.credential ?? null,
    }
    if (statusCode >= 500) ctx.log.error(withFailure(line, request.failure), 'response')
    else writeInfo(ctx, line)
    done()
  })
}

const withFailure = (line: object, failure: unknown) => (failure === null ? line : { ...line, err: failure })

const { streamSym } = pino.symbols

/** As `log.info(line, 'response')` would, whose own serialising costs four times JSON.stringify. */
function writeInfo({ log, clock }: Context, line: object): void {
  if (!log.isLevelEnabled('info')) return
  const time = new Date(clock.real()).toISOString()
  const { [streamSym]: stream } = log as Logger & Record<symbol, DestinationStream>
  stream?.write(`${JSON.stringify({ level: 'info', time, ...line, msg: 'response' })}\n`)
}

/** A link that acts carries its token in the path, and anybody may paste a key there. */
const withoutCredentials = (path: string) => path.replaceAll(/[\w%-]{32,}/g, '…')
