import { Type, type Static } from '../../lib/type.ts'
import { findGateway, takers } from '../../gateways/choose.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { Choice, Nullable } from '../../http/wire.ts'

/** With what a page asks for the method of payment. */
export const PaymentForm = Type.Object(
  {
    gateway: Type.String({ description: 'The code of the gateway whose form is shown.' }),
    publishable_key: Nullable(
      Type.String({
        description: 'With which that form is shown; null: it is not set up, or there is none.',
      }),
    ),
    methods: Type.Array(Choice(['card', 'paypal', 'ideal'])),
    tokens: Type.Array(Type.Object({ token: Type.String(), does: Type.String() }), {
      description: 'Of the test gateway: what stands for a method of payment, with what happens then.',
    }),
  },
  { title: 'PaymentForm' },
)
export type PaymentForm = Static<typeof PaymentForm>

type Wanted = Parameters<typeof takers>[1]

/** The form of the gateway that takes a payment where none is named; null: nothing of ours takes it. */
export function paymentForm(gateways: readonly Gateway[], wanted: Wanted): PaymentForm | null {
  const gateway = findGateway(gateways, wanted)
  return gateway ? formOf(gateway) : null
}

/** The forms of the others that take it. */
export const otherForms = (gateways: readonly Gateway[], wanted: Wanted): PaymentForm[] =>
  takers(gateways, wanted).slice(1).map(formOf)

function formOf({ code, form }: Gateway): PaymentForm {
  const { publishableKey = null, methods = [], tokens = [] } = form ?? {}
  return { gateway: code, publishable_key: publishableKey, methods: [...methods], tokens: [...tokens] }
}
