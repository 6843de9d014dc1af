import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { logResponse } from './log.ts'
import { EVERYWHERE } from './respond.ts'

/** Browsers of the listed origins may call; without a list none may (`docs/security-checks.md` S36). */
export function mountCors(server: FastifyInstance, { corsOrigins }: Config): void {
  if (corsOrigins.length === 0) return
  void server.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Content-MD5', 'Idempotency-Key'],
    exposedHeaders: ['X-Request-Id', 'X-Api-Server', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    maxAge: 600,
    // Every OPTIONS gets the one answer; what is no preflight would be answered in a form of its own.
    strictPreflight: false,
  })
  // The answer to a preflight is the only one that Fastify itself sends.
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.headers({ ...EVERYWHERE, 'x-request-id': request.id })
    logResponse(server.frame, request, reply.statusCode)
    done(null, payload)
  })
}
