import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Id, Optional, Time } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'

/** What a link to the checkout of a license is for (`docs/interface.md` 8.5). */
export const UpgradeLinkInput = Arguments({
  plan_id: Optional(Id('Plan to change to; absent: the one of the license.')),
  billing_cycle: Optional(Choice(['monthly', 'annual', 'lifetime'])),
  quota: Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Unsafe<'unlimited'>({ enum: ['unlimited'] })], {
      description: 'Number of licenses, or the word unlimited.',
    }),
  ),
  currency: Optional(Choice(CURRENCIES, { anyCase: true })),
  is_payment_method_update: Type.Boolean({
    default: false,
    description: 'The link only replaces the payment method; everything else is ignored.',
  }),
})
export type UpgradeLinkInput = Static<typeof UpgradeLinkInput>

export const UpgradeLink = Type.Object(
  {
    url: Type.String(),
    settings: Type.Object({}, { description: 'The options of the checkout; `authorization` opens it.' }),
    expires: Time(),
  },
  { title: 'CheckoutUpgradeLink' },
)
export type UpgradeLink = Static<typeof UpgradeLink>
