import { hashToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import type { Credentialed } from './authenticate.ts'
import { findInstallToken } from '../access/credential-rows.ts'
import { scopeFor } from './owned-product.ts'
import { expiredToken, unknownToken } from './refused-token.ts'
import type { Scope } from '../access/scope.ts'

/** How many of an install's tokens stay good, the newest ones (`docs/decisions.md` 3.3). */
export const GOOD_TOKENS = 5

const ONLY_INSTALL =
  'The token of an install has the right to what an install may do below its own path only.'

/**
 * An install's bearer token, as its activation handed it out: the install's own paths, also under its product,
 * and of these only what stands in install scope (`docs/decisions.md` 1.10).
 */
export async function installTokenScope(token: string, credentialed: Credentialed): Promise<Scope> {
  const { frame, kind, ids, op } = credentialed
  const [found] = await findInstallToken(frame.ctx.db, { hash: hashToken(token) })
  if (!found) throw unknownToken()
  if (found.newer >= GOOD_TOKENS) throw expiredToken('The install has newer tokens, which are good.')
  if (!op.scopes.includes('install')) throw unauthorized('token_wrong_path', ONLY_INSTALL)
  const isInProduct = kind === 'product' && ids.product_id === String(found.product_id)
  if (ids.install_id !== String(found.id) || !(kind === 'install' || isInProduct))
    throw unauthorized('token_wrong_path', ONLY_INSTALL)
  const scope = scopeFor(credentialed, {
    product: { id: found.product_id, developerId: found.developer_id },
    actor: {
      kind: 'install',
      id: found.id,
      credential: `install-token:${found.token_id}`,
      publicKey: found.public_key,
    },
    userId: found.user_id,
    reach: found.reach,
    newestVersion: found.newest_version,
  })
  return { ...scope, kind: 'install' }
}
