import type { Plan } from './choice.ts'
import type { PricingTexts } from './texts/en.ts'

/** Every feature of every plan, side by side; nothing where there is nothing to compare. */
export function Comparison({
  plans,
  texts,
}: {
  readonly plans: readonly Plan[]
  readonly texts: PricingTexts
}) {
  const features = new Map(plans.flatMap((plan) => plan.features).map(({ id, title }) => [id, title]))
  if (plans.length < 2 || features.size === 0) return null
  return (
    <section class="comparison">
      <h2 id="features">{texts.features}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="features">
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.feature}</th>
              {plans.map(({ id, title }) => (
                <th key={id} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...features].map(([id, title]) => (
              <tr key={id}>
                <th scope="row">{title}</th>
                {plans.map((plan) => (
                  <td key={plan.id}>{valueIn(plan, id, texts)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function valueIn(plan: Plan, id: string, texts: PricingTexts) {
  const feature = plan.features.find((one) => one.id === id)
  if (!feature)
    return (
      <span class="muted" role="img" aria-label={texts.notIncluded}>
        –
      </span>
    )
  return (
    feature.value || (
      <span class="good-text" role="img" aria-label={texts.included}>
        ✓
      </span>
    )
  )
}
