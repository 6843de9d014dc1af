import type { Checkout } from '../../../../src/sales/checkouts/schema.ts'
import { fill } from '../../../shared/language.ts'
import { money } from '../../../shared/money.ts'
import { cycleNameText, dayText } from '../../format.tsx'
import { language, texts } from '../../texts/texts.ts'

type Line = Checkout['quote']['lines'][number]

/** What a checkout comes to, line by line as the server has it, and what follows later. */
export function QuoteLines({ checkout }: { readonly checkout: Checkout }) {
  const { quote, currency } = checkout
  const amount = (of: number) => money(of, currency, language)
  return (
    <div className="quote">
      <dl>
        {linesOf(checkout).map((line, at) => (
          <div key={at}>
            <dt>{labelOf(checkout, line)}</dt>
            <dd>{amount(line.amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>{texts.dueNow}</dt>
          <dd>{amount(quote.total)}</dd>
        </div>
      </dl>
      {laterOf(checkout, amount).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

/** A tax of nothing says something only once it is known where the buyer is. */
const linesOf = ({ quote, buyer }: Checkout): readonly Line[] =>
  quote.lines.filter(({ kind, amount }) => kind !== 'tax' || amount !== 0 || buyer.country_code !== null)

function labelOf({ quote, plan, licenses }: Checkout, { kind, days, days_left: left }: Line): string {
  switch (kind) {
    case 'price':
      return `${plan.title} × ${licenses ?? texts.unlimited}`
    case 'proration':
      return days === null ? texts.credit : fill(texts.creditDays, { left: left ?? 0, days })
    case 'renewals_discount':
      return texts.renewalDiscount
    case 'coupon':
      return texts.coupon
    case 'tax': {
      const rate = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
      return quote.tax_rate > 0 ? fill(texts.taxRate, { rate: rate.format(quote.tax_rate) }) : texts.tax
    }
    default:
      return kind satisfies never
  }
}

/** What happens after today, a sentence each. */
function laterOf(
  { renewal, billing_cycle: cycle, change, quote }: Checkout,
  amount: (of: number) => string,
): readonly string[] {
  const renews =
    renewal === null
      ? texts.renewsNever
      : fill(renewal.tax > 0 ? texts.renewsTaxed : texts.renewsAt, {
          date: dayText(renewal.at),
          amount: amount(renewal.total),
          cycle: cycleNameText(cycle),
        })
  const end = change?.expiration ?? null
  const left = change?.unused_credit ?? 0
  return [
    renews,
    ...(end === null ? [] : [fill(texts.newEnd, { date: dayText(end) })]),
    ...(left > 0 ? [fill(texts.creditLeft, { amount: amount(left) })] : []),
    ...(quote.is_tax_provisional ? [texts.taxProvisional] : []),
  ]
}
