import type { ApiToken } from '../../../../src/accounts/tokens/api-token-schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { fill } from '../../../shared/language.ts'
import { State, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { writtenTime } from '../../../ui/time.ts'
import { texts } from '../../texts/texts.ts'
import { groupText } from '../team/roles.ts'

type Ends = Pick<ApiToken, 'revoked_at' | 'expires_at'>

/** Times of the interface are UTC, and compare as text. */
const now = () => writtenTime(new Date())
const hasExpired = ({ expires_at: end }: Ends): boolean => end !== null && end <= now()

/** Whether a token opens nothing any more. */
export const isOver = (token: Ends): boolean => token.revoked_at !== null || hasExpired(token)

function TokenState(token: Ends) {
  if (token.revoked_at !== null) return <State word={texts.revoked} tone="plain" />
  if (hasExpired(token)) return <State word={texts.expired} tone="warning" />
  return <State word={texts.active} tone="good" />
}

/** What a token opens: the account, some products of it, or in product scope one. */
function openedText(
  { plugin_id: own, product_ids: some }: Pick<ApiToken, 'plugin_id' | 'product_ids'>,
  products: readonly Product[],
): string {
  const titleOf = (id: string) => products.find((product) => product.id === id)?.title ?? `#${id}`
  if (own !== null) return fill(texts.opensProduct, { product: titleOf(own) })
  return some === null ? texts.opensAccount : some.map(titleOf).join(', ')
}

/** `licenses.write` as people say it. */
const rightText = (right: string): string => {
  const [group = '', way] = right.split('.')
  return way === 'write' ? groupText(group) : fill(texts.readOnly, { group: groupText(group) })
}

const rightsText = ({ rights }: Pick<ApiToken, 'rights'>): string =>
  rights === null ? texts.all : rights.map(rightText).join(', ')

/** What the list of tokens is made of; products by their titles. */
export const columnsOf = (products: readonly Product[]): readonly Column<ApiToken>[] => [
  {
    label: texts.name,
    show: ({ name, hint }) => (
      <span>
        {name} <code className="muted">…{hint}</code>
      </span>
    ),
  },
  { label: texts.state, show: TokenState },
  { label: texts.opens, show: (token) => openedText(token, products) },
  { label: texts.rights, show: rightsText },
  {
    label: texts.lastUsed,
    show: ({ last_used_at: used }) =>
      used === null ? <State word={texts.neverUsed} tone="plain" /> : <Time time={used} />,
  },
  { label: texts.ends, show: ({ expires_at: end }) => (end === null ? texts.never : <Time time={end} />) },
]
