import { Type, type Static } from 'typebox'
import { Choice, Nullable } from '../../http/wire.ts'
import { Payment } from '../payments/schema.ts'
import { Subscription } from '../subscriptions/schema.ts'
import { Trial } from '../trials/schema.ts'

/** How a purchase stands: paid, with what was bought; or `pending`, and where the buyer confirms it. */
export const CheckoutResult = Type.Object(
  {
    state: Choice(['paid', 'pending']),
    user: Nullable(
      Type.Object({ id: Type.String(), email: Type.String(), first: Type.String(), last: Type.String() }),
    ),
    purchase: Nullable(Type.Union([Subscription, Payment])),
    payment: Nullable(Payment),
    trial: Nullable(Trial),
    license_id: Nullable(Type.String()),
    license_key: Nullable(Type.String()),
    redirect_url: Nullable(Type.String()),
    confirmation_url: Nullable(Type.String()),
  },
  { title: 'CheckoutResult' },
)
export type CheckoutResult = Static<typeof CheckoutResult>
