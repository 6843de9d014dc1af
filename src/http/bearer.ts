import { hashToken, isInstallToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import type { Credentialed } from './authenticate.ts'
import { findApiToken } from '../access/credential-rows.ts'
import { installTokenScope } from './install-token.ts'
import type { Scope } from '../access/scope.ts'

const ONLY_PRODUCT = 'A bearer token has the right to paths below /products/{product_id} of its product only.'

/**
 * A product's bearer token: product scope of its own product only. Any other path is the same 401, whether
 * what it names exists or not (`docs/decisions.md` 2.2). An install's token opens that install.
 */
export function bearerScope(token: string, credentialed: Credentialed): Soon<Scope> {
  if (isInstallToken(token)) return installTokenScope(token, credentialed)
  const { frame, request, kind, ids } = credentialed
  const { ctx } = frame
  if (kind !== 'product') throw unauthorized(undefined, ONLY_PRODUCT)
  return goOn(findToken(ctx, token), (found) => {
    if (!found) throw unauthorized()
    if (String(found.product_id) !== ids.product_id) throw unauthorized(undefined, ONLY_PRODUCT)
    return {
      kind,
      developerId: found.developer_id,
      productId: found.product_id,
      userId: null,
      installId: null,
      actor: { kind: 'token', id: found.id, credential: `token:${found.id}` },
      ip: request.ip,
      requestId: request.id,
    }
  })
}

/** The token's row while it opens anything. */
export const findToken = (ctx: Credentialed['frame']['ctx'], token: string) =>
  goOn(findApiToken(ctx.db, { hash: hashToken(token), now: ctx.clock.now() }), ([found]) => found)
