import { NativeSelect } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { PlanChangePreview } from '../../../../src/sales/plan-change/schema.ts'
import { fill } from '../../../shared/language.ts'
import type { UnitWords } from '../../../shared/units.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { amountText, numberText, useWhen } from '../../format.tsx'
import { Failure } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery, pricesQuery } from '../../products.ts'
import { planChangeTexts as words } from '../../texts/of-plan-change.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { sitesText } from '../plans/sites.ts'

interface Changing {
  readonly license: License
  readonly own: string
  readonly close: () => void
}

/** Gives a license another plan, after it was told what that changes. */
export function ChangePlan({ license, own, close }: Changing) {
  const choices = useChoices(license)
  const unit = useUnit()
  const [chosen, setChosen] = useState<string | null>(null)
  const doing = useDoing(close)
  const choice = chosen ?? choices[0]?.value
  const [plan = '', price = ''] = (choice ?? '').split('/')
  const wanted = { plan_id: Number(plan), ...(price !== '' && { pricing_id: Number(price) }) }
  return (
    <Dialog
      title={fill(words.title, { id: license.id })}
      isOpen
      close={close}
      act={words.change}
      doing={doing}
      submit={() => {
        if (choice !== undefined) doing.send({ method: 'PUT', path: `${own}/plan.json`, body: wanted })
      }}
    >
      {choices.length === 0 ? (
        <p>{words.noOther}</p>
      ) : (
        <NativeSelect
          label={fill(words.to, { units: unit.many })}
          data={choices}
          value={choice ?? ''}
          onChange={({ target }) => setChosen(target.value)}
        />
      )}
      {choice === undefined ? null : <Preview path={`${own}/plan.json`} wanted={wanted} />}
    </Dialog>
  )
}

/** Every price of every plan but what the license has; of a plan that has none, the plan. */
function useChoices(license: License) {
  const { path } = usePlace()
  const unit = useUnit()
  const { data: plans = [] } = useQuery(plansQuery(path))
  const prices = useQueries({ queries: plans.map(({ id }) => pricesQuery(path, id)) })
  return plans
    .flatMap((plan, at) => {
      const found = prices[at]?.data ?? []
      const keeping = {
        value: `${plan.id}/`,
        label: fill(words.keepsSites, { plan: plan.title, units: unit.many }),
      }
      return found.length === 0
        ? [keeping]
        : found.map((one) => ({
            value: `${plan.id}/${one.id}`,
            label: `${plan.title}, ${sitesText(one.licenses, unit)} (${one.currency.toUpperCase()})`,
          }))
    })
    .filter(({ value }) => value !== `${license.plan_id}/${license.pricing_id ?? ''}`)
}

type Wanted = { readonly plan_id: number; readonly pricing_id?: number }

function Preview({ path, wanted }: { readonly path: string; readonly wanted: Wanted }) {
  const unit = useUnit()
  const when = useWhen()
  const { data, error, refetch } = useQuery({
    queryKey: [path, wanted],
    queryFn: () => ask<PlanChangePreview>(path, wanted),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  return (
    <section className="note" aria-label={words.preview} aria-live="polite">
      <h3>{words.preview}</h3>
      <ul className="plain">
        {linesOf(data, unit, when).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

type When = ReturnType<typeof useWhen>

/** What changes, a sentence each. */
function linesOf(told: PlanChangePreview, unit: UnitWords, when: When): string[] {
  const { from, to, features, expiration, over_quota: over } = told
  const plan = { from: from.plan_title, to: to.plan_title }
  const sites = { from: sitesText(from.quota, unit), to: sitesText(to.quota, unit) }
  return [
    fill(from.plan_id === to.plan_id ? words.samePlan : words.plan, plan),
    fill(from.quota === to.quota ? words.sameSites : words.sites, sites),
    ...(over > 0 ? [fill(words.over, { count: numberText(over), units: unit.onMany })] : []),
    ...(features.length === 0 ? [words.sameFeatures] : []),
    ...features.map((one) =>
      fill(words.feature, { feature: one.title, from: givenText(one.from), to: givenText(one.to) }),
    ),
    expiration === null ? words.neverEnds : fill(words.ends, { time: when(expiration) }),
    ...renewalLines(told, when),
  ]
}

const givenText = (value: string | null): string => (value === null ? words.notGiven : value || words.given)

/** A role that may not read sales is told of none. */
function renewalLines(
  { subscription }: Partial<Pick<PlanChangePreview, 'subscription'>>,
  when: When,
): string[] {
  if (subscription === undefined) return []
  if (subscription === null) return [words.byHand]
  const { currency, renewal_amount: amount, next_payment: next, price } = subscription
  const time = next === null ? texts.none : when(next)
  return [
    fill(words.renews, { amount: amountText(amount, currency), time }),
    ...(price === null || price === amount
      ? []
      : [fill(words.priceNow, { amount: amountText(price, currency) })]),
  ]
}
