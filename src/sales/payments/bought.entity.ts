import { choice, country, id, text, time } from '../../http/entity-fields.ts'
import { InEnvironment } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { SOURCE_IDS } from '../../licensing/licenses/license.entity.ts'

/** Months; 0: once. */
export const CYCLES = [1, 12, 0] as const

/** Of where the buyer is and what it paid with, which is not told to who is not proven to be the person. */
const ofBuyer = { null: true, withheld: null } as const

/** What is bought, by whom and from where: of a payment and of a subscription, in the order of their replies. */
export const BOUGHT = {
  id: id({ filled: true }),
  updated: time({ null: true }),
  product_id: id({ wire: 'plugin_id' }),
  user_id: id({ filter: 'Only of this user.' }),
  /** Null: none, or it was deleted; as of the license. */
  install_id: id({ null: true }),
  plan_id: id({}),
  pricing_id: id({ null: true }),
  license_id: id({ null: true, filter: 'Only for this license.' }),
  coupon_id: id({ null: true }),
  payment_method_id: id({ wire: 'user_card_id', ...ofBuyer }),
  ip: text(ofBuyer),
  country_code: country(ofBuyer),
  zip_postal_code: text(ofBuyer),
  vat_id: text(ofBuyer),
  /** Origin of migrated data (`docs/interface.md` 1.6). */
  source: choice(SOURCE_IDS, {}),
  /** At the gateway, or where it was brought along from. */
  external_id: text({
    none: '',
    description: 'At the gateway; empty where there is none.',
    ...ofBuyer,
    withheld: '',
  }),
  gateway: text({ null: true, description: 'Null: nothing was charged here.' }),
  environment: choice([0, 1], { filter: { schema: InEnvironment } }),
  currency: choice(CURRENCIES, {}),
} as const

/** An amount of what was paid or will be. */
export const paid = (description = '') => ({ description, class: 'sales' }) as const
