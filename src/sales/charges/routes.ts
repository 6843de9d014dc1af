import type { FastifyRequest } from 'fastify'
import { GatewayUnreachable, type Gateway, type GatewayEvent } from '../../gateways/gateway.ts'
import { recordFailure } from '../../http/authenticate.ts'
import type { Caller } from '../../access/counted-callers.ts'
import type { Frame } from '../../http/frame.ts'
import { BASE_PATH } from '../../http/mounts.ts'
import type { ForeignOperation } from '../../http/other-replies.ts'
import { JSON_TYPE, respond } from '../../http/respond.ts'
import { ApiError, notFound, unauthorized } from '../../lib/errors.ts'
import { GATEWAY_REPORT, takeReports } from './gateway-reports.ts'

const NOTHING = Buffer.alloc(0)

/**
 * Where gateways report: `POST /v1/gateways/{code}/webhook.json`, the body as they signed it. 200 for what was taken,
 * now or before, and for what tells nothing; 401 for what the gateway did not sign; 404 for a gateway that is not
 * configured; 503 while it cannot be asked what stands, and 500 for a fault of ours, after which it reports again.
 */
export const gatewayReportOperation: ForeignOperation = {
  reply: 'foreign',
  id: GATEWAY_REPORT,
  method: 'POST',
  paths: [`${BASE_PATH}/gateways/{gateway}/webhook.json`],
  async handle(frame, request, reply) {
    const named = (request.params as { readonly gateway: string }).gateway
    const gateway = frame.ctx.gateways.find(({ code }) => code === named)
    if (!gateway) throw notFound('gateway')
    const events = await read(frame, gateway, request)
    if (events === null) {
      const refusal = unauthorized('invalid_signature', 'The gateway did not sign this, or too long ago.')
      recordFailure(frame, request, refusal)
      throw refusal
    }
    const caller = callerOf(gateway, request)
    frame.authentications.success(caller)
    await take(frame, gateway, events, caller)
    respond(reply, 200, '{"received":true}', JSON_TYPE)
  },
}

async function read(
  { ctx }: Frame,
  gateway: Gateway,
  { headers, rawBody }: FastifyRequest,
): Promise<readonly GatewayEvent[] | null> {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
  const webhook = { headers: Object.fromEntries(texts), body: rawBody ?? NOTHING, now: ctx.clock.real() }
  try {
    return await gateway.readWebhook(webhook)
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    const headers = { 'retry-after': '60' }
    throw new ApiError(503, 'gateway_unreachable', 'The gateway does not say what stands.', { headers })
  }
}

/** What a gateway has signed it does itself. */
const callerOf = ({ code }: Gateway, { ip, id: requestId }: FastifyRequest): Caller => ({
  actor: { kind: 'system', id: 0, credential: `gateway:${code}` },
  productId: null,
  ip,
  requestId,
})

/** What a flow refuses is no fault of the gateway, which is to report it again. */
async function take(
  { ctx }: Frame,
  { code }: Gateway,
  events: readonly GatewayEvent[],
  caller: Caller,
): Promise<void> {
  try {
    await takeReports(ctx, code, events, caller)
  } catch (cause) {
    throw new Error(`A report of the gateway ${code} could not be taken.`, { cause })
  }
}
