import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Pricing } from '../../../../src/catalogue/plans/pricing-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import type { PriceUse } from '../../../../src/sales/price-use/schema.ts'
import { fill } from '../../../shared/language.ts'
import { capital, type UnitWords } from '../../../shared/units.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { FormDialog } from '../../form.tsx'
import { amountText, numberText } from '../../format.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { knownPriceFields } from './fields.ts'
import { sitesText } from './sites.ts'

/** An absent price is of a cycle that is not sold. */
const price = (amount: number | null | undefined, currency: string) =>
  amount === null || amount === undefined ? texts.none : amountText(amount, currency)

const nameOf = ({ licenses, currency }: Pricing, unit: UnitWords) =>
  `${sitesText(licenses, unit)}, ${currency.toUpperCase()}`

const amountsOf = ({ currency, ...one }: Pricing) =>
  [
    [texts.monthly, one.monthly_price] as const,
    [texts.annual, one.annual_price] as const,
    [texts.lifetime, one.lifetime_price] as const,
  ]
    .flatMap(([cycle, amount]) => (amount ? [`${cycle} ${amountText(amount, currency)}`] : []))
    .join(', ')

const columnsIn = (unit: UnitWords): readonly Column<Pricing>[] => [
  {
    label: capital(unit.many),
    show: ({ licenses, is_hidden: isHidden }) =>
      isHidden ? `${sitesText(licenses, unit)} (${texts.hidden})` : sitesText(licenses, unit),
  },
  { label: texts.currency, show: ({ currency }) => currency.toUpperCase() },
  { label: texts.monthly, show: (one) => price(one.monthly_price, one.currency), isNumber: true },
  { label: texts.annual, show: (one) => price(one.annual_price, one.currency), isNumber: true },
  { label: texts.lifetime, show: (one) => price(one.lifetime_price, one.currency), isNumber: true },
]

interface Opened {
  readonly what: 'change' | 'remove'
  readonly price: Pricing
}

/** The prices of a plan by number, currency and cycle: each is changed and removed. */
export function Prices({
  plan,
  prices,
}: {
  readonly plan: Plan
  readonly prices: readonly Pricing[] | undefined
}) {
  const { path } = usePlace()
  const unit = useUnit()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (prices === undefined) return <Loading lines={2} />
  if (prices.length === 0) return <p className="note">{plan.name === 'free' ? texts.free : texts.noPrices}</p>
  const own = `${path}/plans/${plan.id}/pricing/${opened?.price.id}`
  return (
    <>
      <Rows
        label={plan.title}
        columns={columnsIn(unit)}
        rows={prices}
        actions={(one) => <Actions price={one} open={(what) => setOpened({ what, price: one })} />}
      />
      {opened?.what === 'change' ? (
        <FormDialog
          title={texts.changePrice}
          fields={knownPriceFields(unit)}
          before={opened.price}
          note={<Effect own={own} />}
          sent={(body) => ({ method: 'PUT', path: `${own}.json`, body })}
          close={close}
        />
      ) : null}
      {opened?.what === 'remove' ? (
        <Confirm
          title={texts.removePrice}
          text={fill(texts.removePriceMore, {
            plan: plan.title,
            price: nameOf(opened.price, unit),
            amounts: amountsOf(opened.price),
          })}
          keep={texts.keepPrice}
          sent={{ method: 'DELETE', path: `${own}.json` }}
          close={close}
        />
      ) : null}
    </>
  )
}

function Actions({
  price: one,
  open,
}: {
  readonly price: Pricing
  readonly open: (what: Opened['what']) => void
}) {
  const unit = useUnit()
  const buttons = [
    ['change', texts.change, texts.changePriceOf],
    ['remove', texts.remove, texts.removePriceOf],
  ] as const
  return (
    <Allowed group="catalogue" isQuiet>
      {(barred) => (
        <div className="actions">
          {buttons.map(([what, word, named]) => (
            <Button
              {...barred}
              key={what}
              variant="default"
              size="compact-sm"
              aria-label={fill(named, { price: nameOf(one, unit) })}
              onClick={() => open(what)}
            >
              {word}
            </Button>
          ))}
        </div>
      )}
    </Allowed>
  )
}

/** Whom a change of the price concerns, told before it is saved: who has bought goes on as it was sold. */
function Effect({ own }: { readonly own: string }) {
  const { environment } = usePlace()
  const path = `${own}/use.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path, environment],
    queryFn: () => ask<PriceUse>(path, { environment }),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  const { subscriptions_keeping: keeping, licenses_renewed_at_price: renewed } = data
  return (
    <section className="note" aria-label={texts.whatItDoes}>
      <h3>{texts.whatItDoes}</h3>
      <ul className="plain">
        {keeping === null ? null : <li>{fill(texts.subscriptionsKeep, { count: numberText(keeping) })}</li>}
        {renewed === null ? null : <li>{fill(texts.licensesAtPrice, { count: numberText(renewed) })}</li>}
        <li>{texts.buyersPay}</li>
      </ul>
    </section>
  )
}
