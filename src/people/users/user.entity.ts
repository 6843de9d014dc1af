import { Type } from '../../lib/type.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import { entity } from '../../http/entity.ts'
import { choice, flag, id, integer, money, sealed, text, time } from '../../http/entity-fields.ts'
import { Nullable, Optional, Text } from '../../http/wire.ts'

/** Characters that the two parts of a name may have, given as such or taken from `name`. */
export const NAME_LIMITS = { first: 100, last: 150 } as const

/** Of the person's place in one product. */
const inProduct = { table: 'product_users' } as const

const name = (max: number) => {
  const schema = Optional(Text({ max }))
  return { create: { schema }, update: { schema }, told: 'by rule' } as const
}

/**
 * A person, unique by address in a developer's account (`docs/decisions.md` 3.1), with its place in one product: the
 * keys that the seller is shown, consent, and what it spent. Withheld from who is not proven to be the person is what it
 * spent, where it is and what is noted of it. Fields in the order of the reply.
 */
export const USER = entity('users', {
  id: id({ filled: true }),
  created: time({}),
  updated: time({ null: true }),
  note: text({ ...inProduct, withheld: '' }),
  /** Null: it was not asked. */
  is_marketing_allowed: flag({ ...inProduct, null: true, create: true, update: true, told: 'by rule' }),
  is_beta: flag({ ...inProduct, update: true, told: 'by rule' }),
  email: text({
    class: 'e-mail addresses',
    create: { schema: Text({ max: 254, format: 'email', description: 'Valid address.' }) },
    withheld: '',
  }),
  first: text(name(NAME_LIMITS.first)),
  last: text(name(NAME_LIMITS.last)),
  picture: text({
    create: {
      schema: Optional(Text({ max: 2048, format: 'http-url', description: 'Address of a profile picture.' })),
    },
  }),
  ip: text({
    null: true,
    create: { schema: Optional(Nullable(Text({ max: 45, format: 'ip' }))) },
    withheld: null,
  }),
  is_verified: flag({ create: { schema: Type.Boolean({ default: false }) } }),
  auth: choice(['app2fa', 'password'], {}),
  /** Of US dollars. */
  gross: money({ ...inProduct, class: 'sales', withheld: 0 }),
  last_login_at: time({ null: true, withheld: null }),
  email_status: choice(['delivered', 'bounce', 'dropped'], { null: true, withheld: null }),
  secret_key: sealed({
    ...inProduct,
    description: 'Not for a member whose role is limited.',
    class: 'license keys',
    optional: true,
  }),
  public_key: text(inProduct),
  developer_id: id({ hidden: true }),
  email_folded: text({ hidden: true }),
  password_hash: text({ null: true, hidden: true }),
  /** What the person has chosen to be written in. */
  language: text({ null: true, hidden: true }),
  product_id: id({ ...inProduct, hidden: true }),
  /** `own`: the pair may have gone to who proved nothing, and is replaced at the next start (`settleKeys`). */
  reach: choice<Reach, { table: 'product_users'; filled: true; hidden: true }>(['whole', 'own'], {
    ...inProduct,
    filled: true,
    hidden: true,
  }),
  /** Has a subscription that renews. */
  is_paying: flag({ ...inProduct, hidden: true }),
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: integer({ ...inProduct, hidden: true }),
})
