import { Type, type Static } from '../../lib/type.ts'
import { IdText, Nullable, Time } from '../../http/wire.ts'

export const Affiliation = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    plugin_id: IdText(),
    is_active: Type.Boolean(),
    type: Type.Unsafe<'affiliation'>({ enum: ['affiliation'] }),
    commission: Type.Number(),
    commission_type: Type.Unsafe<'percentage'>({ enum: ['percentage'] }),
    commission_renewals_days: Type.Integer(),
    future_payments_days: Type.Integer(),
    cookie_days: Type.Integer(),
    is_any_site_allowed: Type.Boolean(),
  },
  { title: 'Affiliation' },
)
export type Affiliation = Static<typeof Affiliation>
