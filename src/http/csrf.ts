import type { FastifyRequest } from 'fastify'
import type { ReadContext } from '../context.ts'
import { sameText } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'

/** Which cookie a write comes with. */
export type Cookied = 'session' | 'portal'

const PURPOSES = { session: 'csrf', portal: 'csrf.portal' } as const satisfies Record<Cookied, string>

/**
 * What a page sends back in `X-Keywright-CSRF`; another site cannot read it, nor compute it
 * (`docs/security-checks.md` S14).
 */
export const csrfValue = ({ keys }: Pick<ReadContext, 'keys'>, of: Cookied, tokenHash: string): string =>
  keys.keyedHash(tokenHash, PURPOSES[of])

/** 401 `csrf_required` for a write that a browser may send by itself, without a page of ours that means it. */
export function requireIntent(
  request: FastifyRequest,
  { keys, ...ctx }: ReadContext,
  of: Cookied,
  tokenHash: string,
): void {
  const sent = String(request.headers['x-keywright-csrf'] ?? '')
  const isMeant = keys.keyedHashes(tokenHash, PURPOSES[of]).some((value) => sameText(value, sent))
  if (!isMeant)
    throw unauthorized('csrf_required', `A write with the ${of} cookie needs the header X-Keywright-CSRF.`)
  refuseOtherOrigin(request, ctx)
}

/** 401 `csrf_required` for a browser that stands on somebody else's page. Tools send no Origin. */
export function refuseOtherOrigin(
  { headers, host }: Pick<FastifyRequest, 'headers' | 'host'>,
  { baseUrl, config }: Pick<ReadContext, 'baseUrl' | 'config'>,
): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin || config.corsOrigins.includes(origin))
    return
  if (URL.parse(origin)?.host === host) return
  throw unauthorized('csrf_required', 'This may only be sent from a page of this server.')
}

/** 401 `csrf_required` for a form that a page of another site has sent, as a browser says; tools say nothing. */
export function refuseOtherSite({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return
  throw unauthorized('csrf_required', 'This may only be sent from a page of this server.')
}
