import { usePage, type Page } from '../page.ts'
import type { Plan, Pricing } from '../product.ts'
import type { Change, Checkout } from '../server.ts'
import { fill } from '../../shared/language.ts'
import { Cycles } from './Cycles.tsx'

const CYCLES = ['monthly', 'annual', 'lifetime'] as const
type Cycle = (typeof CYCLES)[number]

const priceOf = (pricing: Pricing, cycle: Cycle): number | null => pricing[`${cycle}_price`]

/** Plan, number of licenses, cycle and currency: each only where there is more than one. */
export function Choices() {
  const page = usePage()
  const { checkout } = page.state
  if (!checkout || checkout.action === 'payment_method_update') return null
  const choices = choicesOf(page, checkout).filter(({ all }) => all.length > 1)
  return (
    <div class="choices">
      {choices.map((choice) => (
        <Selected key={choice.label} {...choice} />
      ))}
    </div>
  )
}

function choicesOf(page: Page, checkout: Checkout): readonly Choice[] {
  const { texts, product, address } = page
  const plan = product?.plans.find(({ id }) => id === checkout.plan.id)
  if (!product || !plan) return []
  const { cycles, counts, currencies } = soldIn(plan, checkout, address.hides)
  return [
    { label: texts.plan, value: plan.id, all: plansOf(product.plans), take: (id) => choosePlan(page, id) },
    {
      label: texts.licenses,
      value: String(checkout.licenses ?? 'unlimited'),
      all: address.hides.has('licenses') ? [] : counts.map((count) => countOf(page, count)),
      take: (value) => chooseLicenses(page, value),
    },
    {
      label: texts.cycle,
      value: checkout.billing_cycle,
      all: address.hides.has('cycles') ? [] : cyclesOf(page, cycles),
      isCycle: true,
      take: (cycle) => take(page, { billing_cycle: cycle }, 'billing-cycle-updated'),
    },
    {
      label: texts.currency,
      value: checkout.currency,
      all: address.hides.has('currency')
        ? []
        : currencies.map((code) => ({ value: code, text: code.toUpperCase() })),
      take: (currency) => take(page, { currency }, 'currency-changed'),
    },
  ]
}

/** What the plan is sold by beside what is chosen. */
function soldIn(
  { pricing = [] }: Plan,
  { currency, licenses, billing_cycle: chosen }: Checkout,
  hides: Page['address']['hides'],
) {
  const sold = pricing.filter((one) => one.currency === currency)
  const prices = sold.find((one) => one.licenses === licenses)
  return {
    cycles: CYCLES.flatMap((cycle) => {
      const price = prices ? priceOf(prices, cycle) : null
      const isHidden = cycle === 'monthly' && chosen !== cycle && hides.has('monthly')
      return price === null || isHidden ? [] : [{ cycle, price }]
    }),
    counts: sold.filter((one) => priceOf(one, chosen) !== null).map((one) => one.licenses),
    currencies: [...new Set(pricing.map((one) => one.currency))],
  }
}

/** Each with what it costs, and the year with what it takes off twelve months. */
function cyclesOf({ texts, money, language, address }: Page, cycles: readonly CyclePrice[]): Option[] {
  const month = cycles.find(({ cycle }) => cycle === 'monthly')?.price ?? 0
  return cycles.map(({ cycle, price }) => {
    const saving = cycle === 'annual' && month > 0 ? Math.floor(100 - (price / month / 12) * 100) : 0
    const isSaving = saving > 0 && !address.hides.has('saving')
    const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(saving / 100)
    const text = isSaving ? fill(texts.annualSaves, { percent }) : texts[cycle]
    return { value: cycle, text, price: money(price) }
  })
}

interface CyclePrice {
  readonly cycle: Cycle
  readonly price: number
}

const countOf = ({ texts }: Page, count: number | null) => ({
  value: String(count ?? 'unlimited'),
  text: String(count ?? texts.unlimited),
})

const plansOf = (plans: readonly Plan[]) => plans.map(({ id, title }) => ({ value: id, text: title }))

const take = (page: Page, change: Change, event: string) => void page.choose(change, event)

const choosePlan = (page: Page, id: string) => take(page, { plan_id: id }, 'plan-changed')

function chooseLicenses(page: Page, licenses: string): void {
  const before = page.state.checkout?.licenses ?? Infinity
  const after = licenses === 'unlimited' ? Infinity : Number(licenses)
  take(page, { licenses }, after > before ? 'licenses-inc' : 'licenses-dec')
}

interface Choice {
  readonly label: string
  readonly value: string
  readonly all: readonly Option[]
  readonly take: (value: string) => void
  readonly isCycle?: boolean
}

export interface Option {
  readonly value: string
  readonly text: string
  readonly price?: string
}

function Selected(choice: Choice) {
  const { cycles } = usePage().address.look
  if (!choice.isCycle || cycles === 'dropdown') return <Choice {...choice} />
  return <Cycles {...choice} isColumn={cycles === 'list'} />
}

function Choice({ label, value, all, take: chosen }: Choice) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => chosen(currentTarget.value)}>
        {all.map((one) => (
          <option key={one.value} value={one.value}>
            {one.text}
          </option>
        ))}
      </select>
    </label>
  )
}
