import { Arguments, Choice, Nullable, Optional, Text } from '../../http/wire.ts'
import { Type, type Static } from '../../lib/type.ts'
import { SITE_FIELDS } from '../../licensing/opt-in/opt-in-schema.ts'

/** The site of a client that a checkout was opened from. */
export const CheckoutSite = Arguments({
  ...SITE_FIELDS,
  forward_url: Optional(
    Text({
      max: 2048,
      format: 'http-url',
      description: 'Where the buyer is led to afterwards: it must lead to the host of the site.',
    }),
  ),
})
export type CheckoutSite = Static<typeof CheckoutSite>

const Keys = (title: string) =>
  Nullable(
    Type.Object(
      { id: Type.String(), public_key: Type.String(), secret_key: Type.String() },
      { title, description: 'null: `action` is another.' },
    ),
  )

/** What the client of a site does next, as the WordPress SDK has it. */
export const SiteOfCheckout = Type.Object(
  {
    action: Choice(['sync', 'install', 'pending_activation', 'return_without_sync'], {
      description:
        '`sync`: it was connected before and fetches its license; `install`: it is connected with these keys; `pending_activation`: the owner of the address is mailed a link that connects it; `return_without_sync`: no license was bought that it could have.',
    }),
    user: Keys('KeysOfBuyer'),
    install: Keys('KeysOfSite'),
    user_email: Nullable(Type.String({ description: 'Who is mailed; null: nobody.' })),
    support_email_address: Nullable(Type.String({ description: 'Where to ask when no mail comes.' })),
  },
  { title: 'SiteOfCheckout' },
)
export type SiteOfCheckout = Static<typeof SiteOfCheckout>
