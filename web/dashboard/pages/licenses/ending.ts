import { useQuery } from '@tanstack/react-query'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import type { UnitWords } from '../../../shared/units.ts'
import { askIfAny } from '../../../ui/server.ts'
import { amountText, dayText, numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'

/** On how many sites a license is active, those among them that count for none. */
export const activeOn = ({ activated, activated_local: local }: License): number => activated + (local ?? 0)

/** After a number, where it stands behind "on". */
const unitOf = ({ one, onMany }: UnitWords, count: number) => (count === 1 ? one : onMany)

/** A text with the sites that a license is active on, as `{count} {units}`. */
export function useOnSites(
  license: License,
): (text: string, values?: Readonly<Record<string, string>>) => string {
  const unit = useUnit()
  const count = activeOn(license)
  return (text, values = {}) =>
    fill(text, { ...values, count: numberText(count), units: unitOf(unit, count) })
}

/** What renews a license, by what the calls about it begin with; null: nothing. */
export function useRenewal(own: string) {
  const { account } = usePlace()
  const path = `${own}/subscription.json`
  const seesSales = may(account, 'sales', 'read')
  const { data: renewal, isPending } = useQuery({
    queryKey: [path],
    enabled: seesSales,
    queryFn: () => askIfAny<Subscription>(path),
  })
  return { seesSales, renewal, isPending }
}

/** What ends with a license; undefined: that is asked for. */
export function useEnding(license: License, own: string): string | undefined {
  const onSites = useOnSites(license)
  const { seesSales, renewal, isPending } = useRenewal(own)
  if (seesSales && isPending) return undefined
  return onSites(texts.cancelLicenseMore, { renewal: renewalText(renewal) })
}

function renewalText(renewal: Subscription | null | undefined): string {
  if (renewal === undefined) return texts.anyRenewal
  if (renewal === null || renewal.canceled_at !== null || renewal.next_payment === null)
    return texts.noRenewal
  const { renewal_amount: amount, currency, next_payment: at } = renewal
  return fill(texts.renewalEnds, { amount: amountText(amount, currency), at: dayText(at) })
}
