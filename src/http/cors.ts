import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { logResponse } from './log.ts'
import { BASE_PATH, routeOf, type Mount } from './mounts.ts'
import { EVERYWHERE, respond } from './respond.ts'

const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Content-MD5',
  'Idempotency-Key',
  'X-Keywright-Strict',
  'X-Keywright-If-Any',
]
const EXPOSED = [
  'X-Request-Id',
  'X-Api-Server',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Keywright-Ignored',
]
/** Seconds for which a browser keeps the answer to a preflight. */
const MAX_AGE = 600

/** Browsers of the listed origins may call; without a list none may (`docs/security-checks.md` S36). */
export function mountCors(server: FastifyInstance, { corsOrigins }: Config): void {
  if (corsOrigins.length === 0) return
  void server.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: MAX_AGE,
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

/** Of any origin, without cookies: a browser sends none with it, and shows no answer to what was sent with some. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
}

/** Where an operation stands that pages of any origin call: by whoever is nobody, and by a public key. */
export const isForPages = ({ op, kind, served }: Mount): boolean =>
  served && op.isForPages === true && (kind === 'root' || kind === 'product')

/** A route of its own for these, whom the list of origins does not concern. */
export const LISTED_BY_NOBODY = { cors: false } as const

export const allowAnyOrigin = (reply: FastifyReply): unknown => reply.headers(ANY_ORIGIN)

/** Answers the preflights of what pages of any origin call, once an address. */
export function mountPreflights(server: FastifyInstance, mounts: readonly Mount[]): void {
  for (const [path, there] of Map.groupBy(mounts.filter(isForPages), (mount) => mount.path)) {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': there.map(({ method }) => method).join(', '),
      'access-control-allow-headers': ALLOWED.join(', '),
      'access-control-max-age': String(MAX_AGE),
    }
    server.route({
      method: 'OPTIONS',
      url: routeOf(BASE_PATH + path),
      config: LISTED_BY_NOBODY,
      handler: (_request, reply) => respond(reply, 204, '', headers),
    })
  }
}
