import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkCheck } from '../lib/networks.ts'
import { schemaVersion } from '../db/migrate.ts'
import { sameText } from '../lib/credentials.ts'
import { notFound } from '../lib/errors.ts'
import type { Frame } from './frame.ts'
import { JSON_TYPE, respond } from './respond.ts'

const isLoopback = networkCheck(['127.0.0.0/8', '::1/128'])

/** Whether the process lives, whether it can work, and its figures. */
export function mountHealth(server: FastifyInstance, frame: Frame): void {
  server.get('/healthz', async (_, reply) => respond(reply, 200, '{"status":"ok"}', JSON_TYPE))
  server.get('/readyz', async (_, reply) => {
    const reason = await whyNotReady(frame)
    const body = JSON.stringify(reason === null ? { status: 'ready' } : { status: 'not ready', reason })
    respond(reply, reason === null ? 200 : 503, body, JSON_TYPE)
  })
  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(frame, request)) throw notFound('path')
    respond(reply, 200, await frame.metrics.text(), { 'content-type': frame.metrics.contentType })
  })
}

/** Null: requests are served wholly. */
async function whyNotReady({ ctx, stopping }: Frame): Promise<string | null> {
  if (stopping) return 'it stops'
  try {
    if ((await schemaVersion(ctx.database)) === 0) return 'the database is empty'
    return ((await ctx.database.canWrite?.()) ?? true) ? null : 'the disk is full'
  } catch (error) {
    ctx.log.warn({ err: error }, 'the database does not answer')
    return 'the database does not answer'
  }
}

/** Of these a proxy adds one or another. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip']

/**
 * Loopback, or the token (`docs/decisions.md` 3.11). What a proxy on this machine passes on is not loopback: a request
 * with a header of one needs the token, as does one for a name that is not this machine's, and every request where the
 * server has a public address.
 */
function mayReadMetrics({ ctx: { config } }: Frame, { headers, raw, host }: FastifyRequest): boolean {
  const token = config.metricsToken
  if (token !== null && sameText(headers.authorization ?? '', `Bearer ${token}`)) return true
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  const asked = URL.parse(`http://${host}`)?.hostname ?? ''
  return isLocal(asked) && !isPublic(config.baseUrl) && isLoopback(raw.socket.remoteAddress ?? '')
}

const isPublic = (baseUrl: string | null) => baseUrl !== null && !isLocal(new URL(baseUrl).hostname)

function isLocal(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '')
  return host === 'localhost' || isLoopback(host)
}
