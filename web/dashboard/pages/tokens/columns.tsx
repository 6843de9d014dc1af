import type { ApiToken } from '../../../../src/accounts/tokens/api-token-schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { fill } from '../../../shared/language.ts'
import { State } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'
import { groupText } from '../team/roles.ts'

type Ends = Pick<ApiToken, 'revoked_at' | 'expires_at'>

/** Times of the interface are UTC, and compare as text. */
const now = () => new Date().toISOString().slice(0, 19).replace('T', ' ')
const hasExpired = ({ expires_at: end }: Ends): boolean => end !== null && end <= now()

/** Whether a token opens nothing any more. */
export const isOver = (token: Ends): boolean => token.revoked_at !== null || hasExpired(token)

export function TokenState(token: Ends) {
  if (token.revoked_at !== null) return <State word={texts.revoked} tone="plain" />
  if (hasExpired(token)) return <State word={texts.expired} tone="warning" />
  return <State word={texts.active} tone="good" />
}

/** What a token opens: the account, some products of it, or in product scope one. */
export function openedText(
  { plugin_id: own, product_ids: some }: Pick<ApiToken, 'plugin_id' | 'product_ids'>,
  products: readonly Product[],
): string {
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? `#${id}`
  if (own !== null) return fill(texts.opensProduct, { product: titleOf(own) })
  return some === null ? texts.opensAccount : some.map(titleOf).join(', ')
}

/** `licenses.write` as people say it. */
export const rightText = (right: string): string => {
  const [group = '', way] = right.split('.')
  return way === 'write' ? groupText(group) : fill(texts.readOnly, { group: groupText(group) })
}

export const rightsText = ({ rights }: Pick<ApiToken, 'rights'>): string =>
  rights === null ? texts.all : rights.map(rightText).join(', ')
