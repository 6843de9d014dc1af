import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../../context.ts'
import { grantOf, withQuery } from './connect-installs.ts'
import { licenseOwners } from '../licenses/owners.ts'
import { OPT_IN, optIn } from './opt-in.ts'
import { countSitesByKey } from '../activation/sites-by-key.ts'
import { recordLacking } from '../../http/authenticate.ts'
import { argumentsOf } from '../../http/body.ts'
import { toApiError } from '../../http/errors.ts'
import type { Frame } from '../../http/frame.ts'
import type { ForeignOperation } from '../../http/other-replies.ts'
import type { Limits } from '../../http/limits.ts'
import { JSON_TYPE, respond } from '../../http/respond.ts'
import { plainKey } from '../licenses/key.ts'
import { readOptIn, readOwnerQuestion, type OptIn } from './opt-in-schema.ts'
import { presentInstall } from '../installs/schema.ts'

type Outcome = Awaited<ReturnType<typeof optIn>>

/** The service by which in-product clients connect themselves (`docs/interface.md` 4.1, 4.2, 4.4). */
export const optInOperations: readonly ForeignOperation[] = [
  service(OPT_IN, '/action/service/user/install', async (frame, request, reply) => {
    const { object, source } = await argumentsOf(request, {})
    const input = readOptIn(object, source)
    const outcome = await connect(frame, request, input)
    if (input.format === 'json' || input.return_url === undefined) {
      respond(reply, 200, JSON.stringify(replyOf(frame, input, outcome)), JSON_TYPE)
      return
    }
    respond(reply, 302, '', { location: withQuery(input.return_url, queryOf(frame, outcome)) })
  }),
  service('keywright/opt-in-owners', '/action/service/user_plugin', async (frame, request, reply) => {
    const { object, source } = await argumentsOf(request, {})
    const question = readOwnerQuestion(object, source)
    const data = await licenseOwners(frame.ctx, question)
    const { license_key: key } = question
    if (key !== undefined && data.length > 0) frame.limits.keyed(plainKey(key), frame.ctx.clock.real())
    respond(reply, 200, JSON.stringify({ success: true, data }), JSON_TYPE)
  }),
]

/** Who has a license key is limited by the key; anybody else connects as many sites as a stranger may. */
async function connect(frame: Frame, { ip, id: requestId }: FastifyRequest, input: OptIn): Promise<Outcome> {
  const { plugin_id: productId, license_key: key } = input
  const now = frame.ctx.clock.real()
  const sites = Math.max(1, input.sites.length)
  if (key === undefined) frame.limits.stranger({ ip, productId, what: OPT_IN, sites }, now)
  else {
    frame.limits.keyed(plainKey(key), now, sites)
    await countSitesByKey(frame.ctx, productId, { key, sites: sitesOf(input), limits: frame.limits })
  }
  const limits = countedOnce(frame.limits)
  const outcome = await transaction(frame.ctx, (tx) => optIn(tx, input, { ip, requestId }, limits))
  if (outcome.kind === 'pending') {
    const actor = { kind: 'anonymous', id: 0, credential: 'none' } as const
    const told = { action: OPT_IN, details: { outcome: 'pending' } }
    frame.authentications.stranger({ actor, productId, ip, requestId }, told)
  }
  return outcome
}

/** Limits of a transaction that may run again: one call counts its sites once. */
function countedOnce(limits: Pick<Limits, 'sitesOfUser'>): Pick<Limits, 'sitesOfUser'> {
  let isCounted = false
  return {
    sitesOfUser(...counted) {
      if (isCounted) return
      isCounted = true
      limits.sitesOfUser(...counted)
    },
  }
}

const sitesOf = ({ sites, site_uid: uid = '', site_url: url }: OptIn) =>
  sites.length > 0 ? sites : [{ uid, url }]

/**
 * Each call counts against its address (`docs/decisions.md` 7.1); errors are a sentence (`docs/interface.md` 3.5).
 */
function service(id: string, path: string, serve: ForeignOperation['handle']): ForeignOperation {
  return {
    reply: 'foreign',
    id,
    method: 'POST',
    paths: [path, `${path}/`],
    async handle(frame, request, reply) {
      try {
        frame.limits.failed(request.ip, frame.ctx.clock.real())
        await serve(frame, request, reply)
      } catch (error) {
        refuse(frame, { request, reply, error })
      }
    },
  }
}

interface Failed {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly error: unknown
}

function refuse(frame: Frame, { request, reply, error }: Failed): void {
  const refusal = toApiError(error)
  if (refusal.status === 500) request.failure = error
  recordLacking(frame, request, refusal)
  const body = JSON.stringify({ error: refusal.message })
  respond(reply, refusal.status, body, { ...JSON_TYPE, ...refusal.headers })
}

function queryOf({ ctx }: Frame, outcome: Outcome) {
  return outcome.kind === 'pending'
    ? { pending_activation: true, user_email: outcome.email, ...supportIn(outcome) }
    : grantOf(ctx, outcome.connected, outcome.connection)
}

const supportIn = ({ supportEmail }: Outcome & { kind: 'pending' }) => ({
  support_email_address: supportEmail,
})

/** In a network the installs stand in a list. */
function replyOf(frame: Frame, { sites }: OptIn, outcome: Outcome): object {
  if (outcome.kind === 'pending') {
    return { pending_activation: true, email: outcome.email, ...supportIn(outcome) }
  }
  const granted = queryOf(frame, outcome)
  if (sites.length === 0) return granted
  const {
    install_id: _id,
    install_public_key: _publicKey,
    install_secret_key: _secretKey,
    ...others
  } = granted
  const { installs } = outcome.connected
  const shown = installs.map((install) =>
    presentInstall(install, frame.ctx.keys, { reach: { of: 'install', id: install.id } }),
  )
  return { ...others, installs: shown }
}
