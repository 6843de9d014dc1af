import type { FastifyInstance } from 'fastify'
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
      ...(request.failure !== null && { err: request.failure }),
    }
    if (statusCode >= 500) ctx.log.error(line, 'response')
    else ctx.log.info(line, 'response')
    done()
  })
}

/** A link that acts carries its token in the path, and anybody may paste a key there. */
const withoutCredentials = (path: string) => path.replaceAll(/[\w%-]{32,}/g, '…')
