import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Subscription, SubscriptionChoices } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { ask } from '../../../ui/server.ts'
import { amountText, useWhen } from '../../format.tsx'
import { usePlace } from '../../place.ts'

/** What is charged next for a subscription, and what its buyer may choose, by what the calls about it begin with. */
export const choicesQuery = (own: string, { canceled_at: over }: Pick<Subscription, 'canceled_at'>) =>
  queryOptions({
    queryKey: [`${own}/choices.json`, over],
    queryFn: () => ask<SubscriptionChoices>(`${own}/choices.json`),
  })

/** The words for what is due, was due and could not be charged, is paid elsewhere, or could not be asked for. */
export interface ChargeWords {
  readonly due: string
  readonly pastDue: string
  readonly elsewhere: string
  readonly unknown: string
}

/**
 * What would be charged next for a subscription, in such words; null: there is none that goes on; undefined: that is asked
 * for.
 */
export function useNextCharge(
  one: Subscription | null | undefined,
  words: ChargeWords,
): string | null | undefined {
  const { path } = usePlace()
  const when = useWhen()
  const goesOn = one?.canceled_at === null && one.next_payment !== null ? one : null
  const { data, isPending } = useQuery({
    ...choicesQuery(`${path}/subscriptions/${goesOn?.id}`, { canceled_at: null }),
    enabled: goesOn !== null,
  })
  if (goesOn === null) return null
  if (isPending) return undefined
  if (data === undefined) return words.unknown
  if (data.next_amount === null) return words.elsewhere
  return fill(goesOn.failed_payments > 0 ? words.pastDue : words.due, {
    amount: amountText(data.next_amount, goesOn.currency),
    at: when(goesOn.next_payment ?? ''),
  })
}
