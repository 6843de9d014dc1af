import { day } from '../../shared/money.ts'
import { usePage, type Page } from '../page.ts'
import type { Checkout } from '../server.ts'
import { fill } from '../../shared/language.ts'

type Line = Checkout['quote']['lines'][number]

/** What it comes to, line by line, and what follows later. */
export function Lines() {
  const page = usePage()
  const { texts, state } = page
  const { checkout } = state
  if (!checkout) return null
  const { quote } = checkout
  return (
    <div class="lines">
      <dl>
        {quote.lines
          .filter((line) => isShown(checkout, line))
          .map((line, at) => (
            <div key={at}>
              <dt>{labelOf(page, checkout, line)}</dt>
              <dd>{page.money(line.amount)}</dd>
            </div>
          ))}
        <div class="total">
          <dt>{texts.total}</dt>
          <dd>{page.money(quote.total)}</dd>
        </div>
      </dl>
      {later(page, checkout).map((text) => (
        <p key={text} class="muted">
          {text}
        </p>
      ))}
    </div>
  )
}

/** A tax of nothing says something only once it is known where the buyer is. */
const isShown = ({ buyer }: Checkout, { kind, amount }: Line): boolean =>
  kind !== 'tax' || amount !== 0 || buyer.country_code !== null

function labelOf({ texts, language }: Page, { quote, plan, licenses }: Checkout, line: Line): string {
  switch (line.kind) {
    case 'price':
      if (line.rule === 'outstanding_balance') return texts.lineOwed
      return licenses === 1 ? plan.title : `${plan.title} × ${licenses ?? texts.unlimited}`
    case 'proration':
      return line.days === null
        ? texts.lineProration
        : fill(texts.lineProrationDays, { left: line.days_left ?? 0, days: line.days })
    case 'renewals_discount':
      return texts.lineRenewals
    case 'coupon':
      return texts.lineCoupon
    case 'tax': {
      const rate = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
      return quote.tax_rate > 0
        ? fill(texts.lineTaxRate, { rate: rate.format(quote.tax_rate) })
        : texts.lineTax
    }
    default:
      line.kind satisfies never
      return ''
  }
}

/** What happens after today, in sentences. */
const later = (page: Page, checkout: Checkout): readonly string[] => [
  ...ofTrial(page, checkout),
  ...ofRenewal(page, checkout),
  ...ofChange(page, checkout),
  ...(checkout.quote.is_tax_provisional ? [page.texts.taxProvisional] : []),
]

function ofTrial(
  { texts, language, money }: Words,
  { trial_ends_at: end, after_trial: first }: Checkout,
): string[] {
  return [
    ...(end === null ? [] : [fill(texts.trialEnds, { date: day(end, language) })]),
    ...(first === null ? [] : [fill(texts.afterTrial, { amount: money(first.total) })]),
  ]
}

function ofRenewal({ texts, language, money }: Words, { renewal, billing_cycle: cycle }: Checkout): string[] {
  if (renewal === null) return cycle === 'lifetime' ? [texts.noRenewal] : []
  const text = renewal.tax > 0 ? texts.renewsWithTax : texts.renews
  return [fill(text, { date: day(renewal.at, language), amount: money(renewal.total) })]
}

function ofChange({ texts, language, money }: Words, { change }: Checkout): string[] {
  if (change === null) return []
  const { expiration: end, unused_credit: left } = change
  return [
    ...(end === null ? [] : [fill(texts.newEnd, { date: day(end, language) })]),
    ...(left > 0 ? [fill(texts.unusedCredit, { amount: money(left) })] : []),
  ]
}

type Words = Pick<Page, 'texts' | 'language' | 'money'>
