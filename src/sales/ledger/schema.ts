import { Type, type Static } from '../../lib/type.ts'
import { Choice, IdText, Nullable, Time } from '../../http/wire.ts'
import { PAYMENT_TYPES } from '../payments/payment.entity.ts'

const Posting = Type.Object(
  {
    id: IdText(),
    payment_id: IdText('The payment, or what takes it back.'),
    type: Choice(PAYMENT_TYPES, { description: 'What that is.' }),
    account: Type.String({ description: 'As `docs/ledger.md` names it.' }),
    amount: Type.Number({ description: 'What is the seller’s is above 0, where it came from below.' }),
    currency: Type.String(),
    created: Time(),
  },
  { title: 'Posting' },
)

/** Ours: what the money of a payment is made of, and where it lies. */
export const PaymentMoney = Type.Object(
  {
    payment_id: IdText(),
    currency: Type.String(),
    lines: Type.Array(
      Type.Object({ description: Type.String(), amount: Type.Number({ description: 'Without tax.' }) }),
      { description: 'What was bought, and each discount; of what gives back, what is given back.' },
    ),
    tax: Type.Number(),
    tax_name: Type.String({ description: 'What the tax is called there.' }),
    tax_rate: Type.Number({ description: 'Per cent.' }),
    is_reverse_charged: Type.Boolean({ description: 'Whether the buyer accounts for the tax.' }),
    method: Nullable(Type.String({ description: 'How it was paid; null: nothing was to be paid.' })),
    invoice_number: Nullable(Type.String({ description: 'Null: it has no invoice or credit note here.' })),
    left: Type.Number({
      description:
        'What can be given back of a payment still, with tax; less what is about to be. 0 of what takes one back.',
    }),
    bound: Type.Array(
      Type.Object({
        payment_id: IdText(),
        type: Choice(PAYMENT_TYPES),
        amount: Type.Number({
          description: 'With tax; above 0 where money came back, as a dispute was won.',
        }),
      }),
      { description: 'What takes the payment back, and what brings that back, the oldest first.' },
    ),
    postings: Type.Array(Posting, {
      description: 'Of the payment and of what takes it back; those of each come to 0.',
    }),
  },
  { title: 'PaymentMoney' },
)
export type PaymentMoney = Static<typeof PaymentMoney>
