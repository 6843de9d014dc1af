import type { FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../lib/errors.ts'
import { parseAuthorization } from '../lib/signature.ts'
import { recordFailure } from './authenticate.ts'
import { findToken } from './bearer.ts'
import { deadToken, outOfPlace } from './refused-token.ts'
import { pathOf } from './log.ts'
import type { Frame } from './frame.ts'
import { BASE_PATH, type MountIndex } from './mounts.ts'

/**
 * What a request without a route is told: with a bearer token, 401 for everything outside its product
 * or account, however it is spelled (`docs/interface.md` 2.1, `docs/security-checks.md` S04); 405 where the path has other methods;
 * otherwise 404.
 */
export async function notFoundError(
  frame: Frame,
  index: MountIndex,
  request: FastifyRequest,
): Promise<ApiError> {
  const path = pathOf(request.url)
  const parsed = parseAuthorization(request.headers.authorization ?? '')
  const refusal = parsed?.scheme === 'Bearer' ? await refusalAt(frame, parsed.token, path) : null
  if (refusal) {
    recordFailure(frame, request, refusal)
    return refusal
  }
  const methods = path.startsWith(BASE_PATH) ? index.methodsAt(path.slice(BASE_PATH.length)) : []
  if (methods.length === 0 || methods.includes(request.method)) return notFound('path')
  return new ApiError(405, 'method_not_allowed', `This path has ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  })
}

/** Spellings that a proxy could turn into another path. */
const AMBIGUOUS = /[%;\\]|\/\.{1,2}(?:\/|$)/

/** Null where the path is below what the token is of. */
async function refusalAt(frame: Frame, token: string, path: string): Promise<ApiError | null> {
  const found = await findToken(frame.ctx, token)
  if (!found) return deadToken(frame.ctx, 'api', token)
  const { product_id: product, developer_id: developer } = found
  const own = `${BASE_PATH}/${product === null ? `developers/${developer}` : `products/${product}`}`
  const isBelow = !AMBIGUOUS.test(path) && (path === `${own}.json` || path.startsWith(`${own}/`))
  return isBelow ? null : outOfPlace(found)
}
