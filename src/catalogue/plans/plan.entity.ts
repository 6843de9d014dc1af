import { Type } from '../../lib/type.ts'
import { entity } from '../../http/entity.ts'
import { choice, flag, givenAs, id, integer, text, time } from '../../http/entity-fields.ts'
import { Choice, Nullable, Optional, Text } from '../../http/wire.ts'
import { fold } from '../../lib/fold.ts'

const LICENSE_TYPES = [0, 1] as const

/** On unless the seller says otherwise. */
const on = { create: { schema: Type.Boolean({ default: true }) }, update: true, initial: true } as const
const off = { create: true, update: true, initial: false } as const

const url = {
  null: true,
  initial: null,
  ...givenAs(Optional(Nullable(Text({ max: 2048, format: 'http-url' })))),
} as const

const trialPeriod = {
  schema: Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650, description: 'Days.' }))),
  read: (days: number | null) => days || null,
}

const name = {
  schema: Optional(Text({ max: 100, format: 'slug', description: 'Lower-case slug; taken from the title.' })),
  read: fold,
}

/** What a product is sold as; fields in the order of the reply. */
export const PLAN = entity(
  'plans',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    product_id: id({ wire: 'plugin_id' }),
    /** Folded, so that it is unique in its product whatever the case it was given in. */
    name: text({ description: 'Lower-case slug, unique in its product.', create: name, update: name }),
    title: text(
      givenAs(Optional(Text({ min: 1, max: 100, description: 'Shown name, without the word "Plan".' }))),
    ),
    description: text({
      null: true,
      initial: null,
      ...givenAs(Optional(Nullable(Text({ max: 1000, format: 'text' })))),
    }),
    is_free_localhost: flag(on),
    is_block_features: flag(on),
    is_block_features_monthly: flag(on),
    /** 0 by domain, 1 by subdomain. */
    license_type: choice(LICENSE_TYPES, {
      initial: 0,
      create: { schema: Choice(LICENSE_TYPES, { default: 0 }) },
      update: true,
    }),
    trial_period: integer({
      null: true,
      initial: null,
      description: 'Days; null: no trial.',
      create: trialPeriod,
      update: trialPeriod,
    }),
    is_require_subscription: flag(off),
    support_kb: text(url),
    support_forum: text(url),
    support_email: text({
      null: true,
      initial: null,
      ...givenAs(Optional(Nullable(Text({ max: 254, format: 'email' })))),
    }),
    support_phone: text({ null: true, initial: null, ...givenAs(Optional(Nullable(Text({ max: 50 })))) }),
    is_success_manager: flag(off),
    is_featured: flag(off),
    is_hidden: flag({ update: true, initial: false }),
  },
  { told: 'plan.updated' },
)
