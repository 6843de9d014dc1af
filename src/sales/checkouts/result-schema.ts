import { Type, type Static } from '../../lib/type.ts'
import { Choice, IdText, Nullable, Time } from '../../http/wire.ts'
import { Payment } from '../payments/schema.ts'
import { Subscription } from '../subscriptions/schema.ts'
import { Trial } from '../../licensing/trials/schema.ts'

const OF_BUYER = { user_id: Nullable(IdText()) }

/** As their entities, but that who has only typed an address is not told which user they are of. */
const Bought = {
  Subscription: Type.Object({ ...Subscription.properties, ...OF_BUYER }, { title: 'BoughtSubscription' }),
  Payment: Type.Object({ ...Payment.properties, ...OF_BUYER }, { title: 'BoughtPayment' }),
  Trial: Type.Object(
    {
      ...Trial.properties,
      ...OF_BUYER,
      id: Nullable(
        Type.String({ description: 'null: it is free, and was begun for an address that was typed.' }),
      ),
    },
    { title: 'BoughtTrial' },
  ),
}

/** How a purchase stands: paid, with what was bought; or `pending`, and where the buyer confirms it. */
export const CheckoutResult = Type.Object(
  {
    state: Choice(['paid', 'pending']),
    user: Nullable(
      Type.Object({
        id: Nullable(Type.String({ description: 'null: the buyer has proven nothing.' })),
        email: Type.String(),
        first: Type.String(),
        last: Type.String(),
        public_key: Nullable(Type.String({ description: 'null: the buyer has proven nothing.' })),
        created: Nullable(Time('null: the buyer has proven nothing.')),
        resend_email_endpoint: Nullable(
          Type.String({
            description: 'A POST to it mails the key again, for a day; null: there is none to mail.',
          }),
        ),
      }),
    ),
    purchase: Nullable(Type.Union([Bought.Subscription, Bought.Payment])),
    payment: Nullable(Bought.Payment),
    trial: Nullable(Bought.Trial),
    license_id: Nullable(Type.String()),
    license_key: Nullable(Type.String()),
    receipt_url: Nullable(
      Type.String({
        description:
          'The invoice of the payment as PDF, for a day; null: nothing was paid, or it is mailed alone.',
      }),
    ),
    portal_url: Nullable(
      Type.String({
        description:
          'Where the buyer manages what was bought: it opens for an hour to who has proven to be the buyer, and asks anybody else for the address, to which a link is mailed. null: nothing is bought yet.',
      }),
    ),
    redirect_url: Nullable(
      Type.String({
        description:
          'That of the checkout with its values, and last `signature`: hex HMAC-SHA256 of the address before `&signature=` with the secret key of the product (`docs/checkout.md`).',
      }),
    ),
    confirmation_url: Nullable(Type.String()),
  },
  { title: 'CheckoutResult' },
)
export type CheckoutResult = Static<typeof CheckoutResult>
