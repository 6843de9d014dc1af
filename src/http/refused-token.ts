import type { ReadContext } from '../context.ts'
import { hashToken } from '../lib/credentials.ts'
import { unauthorized, type ApiError } from '../lib/errors.ts'
import { wasAccessToken, wasApiToken } from '../access/credential-rows.ts'

const ONLY_PRODUCT = 'A bearer token has the right to paths below /products/{product_id} of its product only.'
/** What is said of the token of an account outside it. */
export const ONLY_ACCOUNT =
  'The token of an account has the right to paths below /developers/{developer_id} of its account only.'

/** 401: no token is this one. */
export const unknownToken = () => unauthorized('token_unknown', 'There is no such token.')

/** 401: the token is known, and over. */
export const expiredToken = (message = 'This token has expired, or was revoked.') =>
  unauthorized('token_expired', message)

/** How a token is looked for, also when it is over. */
const WAS = { api: wasApiToken, access: wasAccessToken } as const

/** 401 for a token that opens nothing: it is over, or there is none. */
export async function deadToken(
  { db }: ReadContext,
  kind: keyof typeof WAS,
  token: string,
): Promise<ApiError> {
  const [found] = await WAS[kind](db, { hash: hashToken(token) })
  return found ? expiredToken() : unknownToken()
}

/** 401 for a bearer token at a path that is not below what it is of, whatever the path names. */
export const outOfPlace = ({ product_id: productId }: { readonly product_id: number | null }): ApiError =>
  productId === null
    ? unauthorized('token_wrong_path', ONLY_ACCOUNT)
    : unauthorized('token_wrong_product', ONLY_PRODUCT)
