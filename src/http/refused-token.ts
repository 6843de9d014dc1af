import type { ReadContext } from '../context.ts'
import { hashToken } from '../lib/credentials.ts'
import { expiredToken, unauthorized, unknownToken, type ApiError } from '../lib/errors.ts'
import { wasAccessToken, wasApiToken } from '../access/credential-rows.ts'

const ONLY_PRODUCT = 'A bearer token has the right to paths below /products/{product_id} of its product only.'
/** What is said of the token of an account outside it. */
export const ONLY_ACCOUNT =
  'The token of an account has the right to paths below /developers/{developer_id} of its account only.'

/** 401 for a bearer token that opens nothing: it is over, or there is none. */
export async function deadApiToken({ db }: ReadContext, token: string): Promise<ApiError> {
  const [found] = await wasApiToken(db, { hash: hashToken(token) })
  return found ? expiredToken() : unknownToken()
}

/** 401 for an access token that opens nothing: it is over, or there is none. */
export async function deadAccessToken({ db }: ReadContext, token: string): Promise<ApiError> {
  const [found] = await wasAccessToken(db, { hash: hashToken(token) })
  return found ? expiredToken() : unknownToken()
}

/** 401 for a bearer token at a path that is not below what it is of, whatever the path names. */
export const outOfPlace = ({ product_id: productId }: { readonly product_id: number | null }): ApiError =>
  productId === null
    ? unauthorized('token_wrong_path', ONLY_ACCOUNT)
    : unauthorized('token_wrong_product', ONLY_PRODUCT)
