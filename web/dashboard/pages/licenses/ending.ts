import { useQuery } from '@tanstack/react-query'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import type { UnitWords } from '../../../shared/units.ts'
import { askIfAny } from '../../../ui/server.ts'
import { numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { useNow } from '../sandbox/clock.tsx'
import { useNextCharge } from '../subscriptions/next-charge.ts'

/** On how many sites a license is active, those among them that count for none. */
export const activeOn = ({ activated, activated_local: local }: License): number => activated + (local ?? 0)

/** After a number, where it stands behind "on". */
const unitOf = ({ one, onMany }: UnitWords, count: number) => (count === 1 ? one : onMany)

/** A text with the sites that a license is active on, as `{count} {units}`. */
export function useOnSites(): (
  license: License,
  text: string,
  values?: Readonly<Record<string, string>>,
) => string {
  const unit = useUnit()
  return (license, text, values = {}) => {
    const count = activeOn(license)
    return fill(text, { ...values, count: numberText(count), units: unitOf(unit, count) })
  }
}

/** What renews a license, by what the calls about it begin with; null: nothing. */
export function useRenewal(own: string, isThere = true) {
  const { account } = usePlace()
  const path = `${own}/subscription.json`
  const seesSales = may(account, 'sales', 'read')
  const { data: renewal, isPending } = useQuery({
    queryKey: [path],
    enabled: seesSales && isThere,
    queryFn: () => askIfAny<Subscription>(path),
  })
  return { seesSales, renewal, isPending }
}

/** What is said of a subscription that ends with what it is of. */
export const RENEWAL_ENDS = {
  due: texts.renewalEnds,
  pastDue: texts.renewalPastDue,
  elsewhere: texts.renewalElsewhere,
  unknown: texts.renewalUnknown,
}

/** What ends with a license; undefined: that is asked for, or the license itself. */
export function useEnding(license: License | undefined, own: string): string | undefined {
  const onSites = useOnSites()
  const now = useNow()
  const { seesSales, renewal, isPending } = useRenewal(own, license !== undefined)
  const charge = useNextCharge(renewal, RENEWAL_ENDS)
  if (license === undefined || (seesSales && isPending) || charge === undefined || now === undefined)
    return undefined
  const isUnknown = renewal === undefined
  return onSites(license, endOf(license, now), {
    renewal: isUnknown ? texts.anyRenewal : (charge ?? texts.noRenewal),
  })
}

/** One that has ended stops nowhere, unless it opens its features beyond its end. */
function endOf(
  { is_cancelled: isCancelled, expiration, is_block_features: blocks }: License,
  now: string,
): string {
  if (isCancelled) return texts.licenseIsOver
  return blocks && expiration !== null && expiration <= now ? texts.licenseHasEnded : texts.cancelLicenseMore
}
