import { Failure } from '../failure.ts'
import type { Connection } from './connection.ts'
import { entries, type Operation, type PagedBy } from './operation-table.ts'

type Opened = Pick<Connection, 'account' | 'opens' | 'product' | 'profile'>

/**
 * The path of `keywright api`: from `/v1` on it is taken as it is; else the account is filled in, or, for the token of a
 * product, that product.
 */
export function fullPath(path: string, { account, opens }: Pick<Opened, 'account' | 'opens'>): string {
  const given = path.startsWith('/') ? path : `/${path}`
  if (given === '/v1' || given.startsWith('/v1/')) return given
  if (opens === null) return `/v1/developers/${account}${given}`
  return given.startsWith('/products/') ? `/v1${given}` : `/v1/products/${opens}${given}`
}

/** What chooses the product of commands that name none. */
export const choosingProduct = (profile: string | null): string =>
  profile === null ? 'KEYWRIGHT_PRODUCT' : `"keywright profiles use ${profile} --product 7"`

/** Where an operation stands for who is logged in, with the ids of its path. `Failure` where the token does not reach it. */
export function addressOf(
  { scope, path, isOfToken }: Operation,
  ids: readonly string[],
  { account, opens, product, profile }: Opened,
): string {
  const rest = ids.values()
  const own = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.next().value ?? ''))
  if (scope === 'root') return `/v1${own}`
  if (opens !== null && !(scope === 'product' && isOfToken))
    throw new Failure('token_of_product', 'The token is of a product, and this needs one of the account.')
  if (scope === 'account') return `/v1/developers/${account}${own}`
  if (product === null)
    throw new Failure(
      'no_product',
      `Name the product with --product 7, or once for all with ${choosingProduct(profile)}; "keywright product find" lists them.`,
      2,
    )
  if (opens !== null && product !== opens)
    throw new Failure('token_of_product', `The token opens product ${opens} alone.`)
  return opens === null
    ? `/v1/developers/${account}/products/${product}${own}`
    : `/v1/products/${product}${own}`
}

const PREFIXES = [
  /^\/v1\/developers\/\d+\/products\/\d+(?=\/)/,
  /^\/v1\/developers\/\d+(?=\/)/,
  /^\/v1\/products\/\d+(?=\/)/,
  /^\/v1(?=\/)/,
]

/** A list: how its pages follow one another, and the key that it stands under, where that is known. */
export interface Listed {
  readonly pagedBy: PagedBy
  readonly key: string | undefined
}

/** The list that stands at a path. */
export function listAt(path: string): Listed {
  const [bare = ''] = path.split('?')
  const rests = PREFIXES.flatMap((prefix) => (prefix.test(bare) ? bare.replace(prefix, '') : []))
  const found = entries()
    .flatMap(({ operations }) => operations)
    .find((one) => one.pagedBy !== undefined && rests.some((rest) => isAt(one.path, rest)))
  return { pagedBy: found?.pagedBy ?? 'offset', key: found?.items }
}

const isAt = (template: string, path: string): boolean => {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, n) => part === given[n] || /^\{\w+\}(?!.*\.)/.test(part))
  )
}
