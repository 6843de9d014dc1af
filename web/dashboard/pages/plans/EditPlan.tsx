import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { FormDialog } from '../../form.tsx'
import { numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { pricesQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { CURRENCIES, KNOWN_PLAN_FIELDS, NEW_PLAN, NEW_PRICE, PLAN_FIELDS, priceFields } from './fields.ts'

/** The plan that is given away, which has no price. */
const FREE = 'free'

/** Creates a plan of the product, and asks for its first price, without which nobody can buy it. */
export function CreatePlan({ close }: { readonly close: () => void }) {
  const { path } = usePlace()
  const [made, setMade] = useState<Plan | null>(null)
  if (made !== null) return <AddPrice plan={made} close={close} />
  return (
    <FormDialog<Plan>
      title={texts.createPlan}
      fields={PLAN_FIELDS}
      before={NEW_PLAN}
      act={texts.createPlan}
      sent={(body) => ({ method: 'POST', path: `${path}/plans.json`, body })}
      close={close}
      done={(plan) => (plan.name === FREE ? close() : setMade(plan))}
    />
  )
}

interface OfPlan {
  readonly plan: Plan
  readonly close: () => void
}

function AddPrice({ plan, close }: OfPlan) {
  const { path } = usePlace()
  const unit = useUnit()
  return (
    <FormDialog
      title={fill(texts.addPriceOf, { plan: plan.title })}
      fields={priceFields(unit)}
      before={NEW_PRICE}
      act={texts.addPrice}
      sent={(body) => ({ method: 'POST', path: `${path}/plans/${plan.id}/pricing.json`, body })}
      close={close}
    />
  )
}

type Open = 'price' | 'copy' | 'change' | 'remove' | null

/** What is done with a plan. */
export function PlanActions({ plan }: { readonly plan: Plan }) {
  const [open, setOpen] = useState<Open>(null)
  const buttons = [
    ['price', texts.addPrice, texts.addPriceOf],
    ['copy', texts.copyPrices, texts.copyPricesOf],
    ['change', texts.change, texts.changePlanOf],
    ['remove', texts.removePlan, texts.removePlanOf],
  ] as const
  return (
    <>
      <div className="actions">
        <Allowed group="catalogue" isQuiet>
          {(barred) =>
            buttons.map(([what, word, named]) => (
              <Button
                {...barred}
                key={what}
                variant="default"
                size="compact-sm"
                aria-label={fill(named, { plan: plan.title })}
                onClick={() => setOpen(what)}
              >
                {word}
              </Button>
            ))
          }
        </Allowed>
      </div>
      <Opened plan={plan} open={open} close={() => setOpen(null)} />
    </>
  )
}

interface Opening extends OfPlan {
  readonly open: Open
}

function Opened({ plan, open, close }: Opening) {
  const { path } = usePlace()
  const own = `${path}/plans/${plan.id}`
  switch (open) {
    case 'price':
      return <AddPrice plan={plan} close={close} />
    case 'copy':
      return (
        <FormDialog
          title={texts.copyPrices}
          fields={COPY_FIELDS}
          before={{ from_currency: 'usd' }}
          act={texts.copyPrices}
          sent={(body) => ({
            method: 'POST',
            path: `${own}/pricing/clone.json`,
            body,
          })}
          close={close}
        />
      )
    case 'change':
      return (
        <FormDialog
          title={texts.changePlan}
          fields={KNOWN_PLAN_FIELDS}
          before={plan}
          sent={(body) => ({ method: 'PUT', path: `${own}.json`, body })}
          close={close}
        />
      )
    case 'remove':
      return <RemovePlan plan={plan} close={close} />
    default:
      return open satisfies null
  }
}

function RemovePlan({ plan, close }: OfPlan) {
  const { path } = usePlace()
  const asked = useQuery(pricesQuery(path, plan.id))
  const { data: prices } = asked
  return (
    <Confirm
      title={texts.removePlan}
      text={prices && fill(texts.removePlanMore, { count: numberText(prices.length) })}
      asked={[asked]}
      typed={prices && prices.length > 1 ? plan.title : undefined}
      keep={texts.keepPlan}
      sent={{ method: 'DELETE', path: `${path}/plans/${plan.id}.json` }}
      close={close}
    />
  )
}

const COPY_FIELDS = [
  { name: 'from_currency', label: texts.copyFrom, kind: 'choice', options: CURRENCIES },
  { name: 'to_currency', label: texts.copyTo, kind: 'choice', options: CURRENCIES },
] as const
