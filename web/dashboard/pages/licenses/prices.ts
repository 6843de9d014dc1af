import { useQueries, useQuery } from '@tanstack/react-query'
import { plansQuery, pricesQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { sitesText } from '../plans/sites.ts'

/** How long a license lasts that is issued by hand, in months. */
export const PERIODS = [
  { value: '12', label: texts.year },
  { value: '1', label: texts.month },
  { value: '0', label: texts.forever },
]

/** Every price of every plan, as a choice. */
export function usePrices(path: string, isWanted: boolean) {
  const unit = useUnit()
  const { data: plans = [] } = useQuery({ ...plansQuery(path), enabled: isWanted })
  const prices = useQueries({
    queries: plans.map(({ id }) => ({ ...pricesQuery(path, id), enabled: isWanted })),
  })
  return plans.flatMap((plan, at) =>
    (prices[at]?.data ?? []).map((one) => ({
      value: `${plan.id}/${one.id}`,
      label: `${plan.title}, ${sitesText(one.licenses, unit)} (${one.currency.toUpperCase()})`,
    })),
  )
}
