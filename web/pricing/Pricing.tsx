import { useState } from 'preact/hooks'
import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { fill, textsOf } from '../shared/language.ts'
import { unitWords } from '../shared/units.ts'
import { choicesOf, savingOf, type Choice } from './choice.ts'
import { Comparison } from './Comparison.tsx'
import { PlanCard } from './PlanCard.tsx'
import { Reviews } from './Reviews.tsx'
import { de } from './texts/de.ts'
import { en, type PricingTexts } from './texts/en.ts'

export const LANGUAGES: Readonly<Record<string, PricingTexts>> = { en, de }

export interface Shown {
  readonly product: CheckoutProduct
  /** Where the checkout is, without a slash at the end. */
  readonly checkout: string
  readonly language: string
  /** What is shown first. */
  readonly choice: Choice
}

/** The pricing table: the same on the server, where nothing can be chosen yet, and in the browser. */
export function Pricing({ product, checkout, language, choice: first }: Shown) {
  const [choice, choose] = useState(first)
  const texts = textsOf(language, LANGUAGES, en)
  const { plans } = product
  if (plans.length === 0) return <p class="nothing">{texts.nothing}</p>
  const about = { texts, language, choice, product, checkout }
  return (
    <main>
      <h1>{fill(texts.title, { product: product.title })}</h1>
      <Choices {...about} choose={choose} />
      <div class="plans">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} {...about} />
        ))}
      </div>
      {product.money_back_period > 0 && (
        <p class="muted centred">{fill(texts.guarantee, { days: product.money_back_period })}</p>
      )}
      <Comparison plans={plans} texts={texts} />
      <Reviews reviews={product.reviews} texts={texts} />
    </main>
  )
}

/** What the parts of the table are about. */
export interface About {
  readonly texts: PricingTexts
  readonly language: string
  readonly choice: Choice
  readonly product: CheckoutProduct
  readonly checkout: string
}

type Choosing = About & { readonly choose: (choice: Choice) => void }

function Choices({ choose, ...about }: Choosing) {
  const { texts, language, choice, product } = about
  const { currencies, counts } = choicesOf(product.plans)
  const { many: units } = unitWords(language, product.selling_unit_label)
  return (
    <div class="choices">
      <Cycles choose={choose} {...about} />
      <Select
        label={fill(texts.licenses, { units })}
        value={String(choice.licenses ?? 'unlimited')}
        all={counts.map((count) => [String(count ?? 'unlimited'), String(count ?? texts.unlimited)])}
        take={(value) => choose({ ...choice, licenses: value === 'unlimited' ? null : Number(value) })}
      />
      <Select
        label={texts.currency}
        value={choice.currency}
        all={currencies.map((currency) => [currency, currency.toUpperCase()])}
        take={(currency) => choose({ ...choice, currency })}
      />
    </div>
  )
}

function Cycles({ texts, language, choice, product, choose }: Choosing) {
  const { cycles } = choicesOf(product.plans)
  if (cycles.length < 2) return null
  const saving = savingOf(product.plans, choice)
  const percent =
    saving === null ? null : new Intl.NumberFormat(language, { style: 'percent' }).format(saving)
  return (
    <fieldset class="switch">
      <legend>{texts.cycle}</legend>
      {cycles.map((cycle) => (
        <label key={cycle}>
          <input
            type="radio"
            name="cycle"
            checked={choice.cycle === cycle}
            onChange={() => choose({ ...choice, cycle })}
          />
          <span>
            {texts[cycle]}
            {cycle === 'annual' && percent !== null && <small> {fill(texts.save, { percent })}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface Select {
  readonly label: string
  readonly value: string
  readonly all: readonly (readonly [value: string, text: string])[]
  readonly take: (value: string) => void
}

/** Something to choose, where there is more than one. */
function Select({ label, value, all, take }: Select) {
  if (all.length < 2) return null
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => take(currentTarget.value)}>
        {all.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
