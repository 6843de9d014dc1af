import { Type } from '../../lib/type.ts'
import { entity, type RowOf } from '../../http/entity.ts'
import { asked, flag, given, givenAs, id, integer, text, time } from '../../http/entity-fields.ts'
import { Optional, Text } from '../../http/wire.ts'

const Rate = () => Type.Integer({ minimum: 0, maximum: 100, description: 'Score from 0 to 100.' })

const address = () =>
  ({
    initial: '',
    ...givenAs(Optional(Text({ max: 2048, format: 'http-url-or-empty' }))),
  }) as const

/** Otherwise strangers would learn by it who has written what. */
const NOT_PUBLIC = 'narrows nothing for who has the public key alone'

/** A review of a product; fields in the order of the reply. */
export const REVIEW = entity(
  'reviews',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    product_id: id({ wire: 'plugin_id' }),
    /** Its id in a former system, or empty. */
    external_id: text({ initial: '', sellers: true, ...given('What it is called where it was written.') }),
    /** Null where the seller wrote it down. Strangers learn of nobody who it is. */
    user_id: id({ null: true, withheld: null, filter: `Only of this user; ${NOT_PUBLIC}.` }),
    license_id: id({ null: true, withheld: null, filter: `Only under this license; ${NOT_PUBLIC}.` }),
    rate: integer({ shown: Rate(), ...asked(Rate()) }),
    title: text({ initial: '', ...given(true) }),
    text: text(asked(Text({ min: 1, max: 5000, format: 'text' }))),
    name: text({ description: 'Full name of the reviewer.', ...asked(Text({ min: 1 })) }),
    job_title: text({ initial: '', ...given(true) }),
    company: text({ initial: '', ...given(true) }),
    company_url: text(address()),
    profile_url: text(address()),
    /** A path of this server, an address, or empty. */
    picture: text({ initial: '', told: 'review.updated' }),
    /** As the contract's PluginReview is by default. */
    is_verified: flag({
      initial: true,
      sellers: true,
      ...given('Whether its writer is known to have the product.'),
    }),
    is_featured: flag({ initial: false, ...given(true) }),
    /** Whether it is shown. */
    is_active: flag({
      initial: false,
      create: { schema: Type.Boolean({ default: true }) },
      update: true,
    }),
  },
  { told: 'review.updated' },
)

export type ReviewRow = RowOf<(typeof REVIEW)['fields']>
