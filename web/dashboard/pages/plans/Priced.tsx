import type { Pricing } from '../../../../src/catalogue/plans/pricing-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useAtOnce } from '../../../ui/at-once.ts'
import { Refusal } from '../../../ui/doing.tsx'
import { State } from '../../format.tsx'
import { useBarred } from '../../may-write.ts'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { featureTexts as words } from '../../texts/of-features.ts'
import { texts } from '../../texts/texts.ts'
import { PlanActions } from './EditPlan.tsx'
import { MoveButtons } from './MoveButtons.tsx'
import { useMoving } from './moving.ts'
import { Prices } from './Prices.tsx'

/** Of a plan; undefined: they could not be had. */
export type PricesOf = readonly Pricing[] | undefined

interface OfPlans {
  readonly plans: readonly Plan[]
  /** Of each plan. */
  readonly prices: readonly PricesOf[]
}

/** The plans with their prices, in the order that they are sold in, which is changed where they stand. */
export function Priced({ plans, prices }: OfPlans) {
  const { path } = usePlace()
  const isBarred = useBarred('catalogue') !== null
  const ordering = useAtOnce<readonly Plan[], readonly string[]>({
    queryKey: plansQuery(path).queryKey,
    shown: (all, ids) => ids.flatMap((id) => all.find((one) => one.id === id) ?? []),
    sent: (ids) => ({ method: 'PUT', path: `${path}/plans/order.json`, body: { ids: ids.join(',') } }),
    undo: (_, before) => ({ text: words.wasMoved, change: before.map(({ id }) => id) }),
  })
  const { idOf, move } = useMoving({ kind: 'plan', rows: plans, reorder: ordering.change })
  // The first one is the default, and stays so: of two plans none has another place.
  const sections = plans.map((plan, at) => (
    <section key={plan.id} className="stack">
      <div className="page-head">
        <div className="page-title">
          <h2>{plan.title}</h2>
          {plan.is_hidden ? <State word={texts.hidden} tone="plain" /> : null}
          {plan.trial_period ? (
            <span className="muted">{fill(texts.trialDays, { count: plan.trial_period })}</span>
          ) : null}
        </div>
        <div className="actions">
          {plans.length < 3 ? null : (
            <MoveButtons
              title={plan.title}
              idOf={(way) => idOf(way, plan.id)}
              isBarred={isBarred}
              up={at < 2 ? null : () => move(at, -1)}
              down={at === 0 || at === plans.length - 1 ? null : () => move(at, 1)}
            />
          )}
          <PlanActions plan={plan} />
        </div>
      </div>
      <Prices plan={plan} prices={prices[at]} />
    </section>
  ))
  return (
    <>
      <Refusal problem={ordering.problem} />
      {sections}
    </>
  )
}
