import { fill } from '../shared/language.ts'
import { unitWords } from '../shared/units.ts'
import { money } from '../shared/money.ts'
import { cheapestCount, priceFor, type Plan } from './choice.ts'
import type { About } from './Pricing.tsx'

/** A plan with its price as chosen, and the way to buy it. */
export function PlanCard({ plan, ...about }: About & { readonly plan: Plan }) {
  const { texts } = about
  const featured = plan.features.filter((feature) => feature.is_featured)
  return (
    <section class={plan.is_featured ? 'plan recommended' : 'plan'} aria-label={plan.title}>
      <h2>{plan.title}</h2>
      {plan.is_featured && <p class="badge">{texts.recommended}</p>}
      {plan.description && <p class="muted">{plan.description}</p>}
      <Price plan={plan} {...about} />
      {featured.length > 0 && (
        <ul>
          {featured.map(({ id, title, value }) => (
            <li key={id}>{value ? `${title}: ${value}` : title}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Price({ plan, ...about }: About & { readonly plan: Plan }) {
  const { texts, language, choice } = about
  if (plan.pricing === undefined) return <p class="price">{texts.free}</p>
  const amount = priceFor(plan, choice)
  if (amount === null) return <p class="price muted">{texts.notSold}</p>
  const periods = { monthly: texts.perMonth, annual: texts.perYear, lifetime: texts.once }
  return (
    <>
      <p class="price">
        {money(amount, choice.currency, language)} <small>{periods[choice.cycle]}</small>
      </p>
      <p class="muted">{forWhom(about, amount)}</p>
      {cheapestCount(plan, choice) === choice.licenses && (
        <p class="good">
          {fill(texts.cheapest, { unit: unitWords(language, about.product.selling_unit_label).one })}
        </p>
      )}
      <a class="buy" href={linkTo(plan, about)} target="_top">
        {fill(texts.buy, { plan: plan.title })}
      </a>
      {plan.trial_period !== null && plan.trial_period > 0 && (
        <a class="trial" href={linkTo(plan, about, { trial: 'true' })} target="_top">
          {fill(texts.trial, { plan: plan.title, days: plan.trial_period })}
        </a>
      )}
    </>
  )
}

function forWhom({ texts, language, choice, product }: About, amount: number): string {
  const { one: unit, many: units } = unitWords(language, product.selling_unit_label)
  if (choice.licenses === null) return fill(texts.forAll, { units })
  if (choice.licenses === 1) return fill(texts.forOne, { unit })
  const each = money(amount / choice.licenses, choice.currency, language)
  return fill(texts.forMany, { count: choice.licenses, units, amount: each })
}

function linkTo(
  plan: Plan,
  { checkout, product, choice, language }: About,
  more: Record<string, string> = {},
): string {
  const place = `product/${product.id}/plan/${plan.id}/licenses/${choice.licenses ?? 'unlimited'}/currency/${choice.currency}/`
  return `${checkout}/checkout/${place}?${new URLSearchParams({ billing_cycle: choice.cycle, locale: language, ...more })}`
}
