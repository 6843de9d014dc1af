import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, IdText, InEnvironment, Nullable, SecretText } from '../../http/wire.ts'

/** What is found, in the order of a reply where a text is the id of several. */
export const KINDS = [
  'license',
  'user',
  'payment',
  'subscription',
  'install',
  'trial',
  'cart',
  'coupon',
  'event',
  'product',
  'store',
  'plan',
  'pricing',
  'deployment',
  'review',
  'webhook',
  'request',
] as const
export type Kind = (typeof KINDS)[number]

export const Search = Arguments({
  q: SecretText({
    max: 512,
    description:
      'ID of anything, of a request too, the beginning of an e-mail address, a whole license key, code of a coupon, ID at a gateway, or host of a site.',
  }),
  environment: InEnvironment,
  count: Type.Integer({ minimum: 1, maximum: 50, default: 25, description: 'Results at most.' }),
  ...Fields,
})
export type Search = Static<typeof Search>

/** One thing of the account, named as people know it. */
export const SearchResult = Type.Object(
  {
    kind: Choice(KINDS),
    id: IdText('Of a request that of what the audit log says of it; its own is the title.'),
    product_id: Nullable(IdText('Null: it is of the account, or of a store.')),
    title: Type.String(),
    subtitle: Type.String(),
    environment: Nullable(Choice([0, 1], { description: 'Null: it belongs to both.' })),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>
