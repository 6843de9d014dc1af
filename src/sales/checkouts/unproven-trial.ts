import type { TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { firstNotice, TRIAL_NOTICES } from '../../licensing/notices/notices.ts'
import { type UtcTime } from '../../lib/time.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import type { TrialRow } from '../../licensing/trials/schema.ts'
import { cancelLicenseOf } from '../../licensing/trials/bought-trial.ts'
import type { Settling } from './action.ts'
import { isProvenBuyer } from './buyer.ts'
import { holdFamily } from '../../licensing/licenses/family.ts'
import { holdLicenses } from '../../licensing/activation/license-on-install.ts'
import { changeUnused, findTrialInPlace, uidOfBuyer } from '../../licensing/trials/buyer-trial-rows.ts'
import { changeFamily } from '../../licensing/licenses/update-license.ts'

interface Beginning {
  readonly userId: number
  /** On the clock of the checkout's environment, as its end. */
  readonly now: UtcTime
  readonly ends: UtcTime
}

/**
 * Begins a free trial again that was begun for an address which was typed, as long as no site has used its license: the
 * same license, its days counted anew. What cannot go on, as it is of another plan or was to be charged, ends with its
 * license and leaves its place. Null where there is none, or it ended: another one is to be begun.
 */
export async function beginAgain(
  tx: TxContext,
  settling: Settling,
  { userId, now, ends }: Beginning,
): Promise<{ readonly trial: TrialRow; readonly license: LicenseRow } | null> {
  const { scope, checkout } = settling
  const { environment } = checkout
  const known = await findTrialInPlace(tx.db, { productId: scope.productId, userId, environment })
  if (!known) return null
  const product: Scope = wholeProduct(scope)
  const [license] = await holdLicenses(tx, [known.license_id])
  const isProven = isProvenBuyer(checkout)
  const unused = { id: known.id, isProven }
  if (!license || !isSame(settling, known, license)) {
    const uid = `${uidOfBuyer(environment)}:${known.id}`
    const canceled = { canceled_at: known.canceled_at ?? now, notice_at: null }
    const ended = await changeUnused(tx.db, unused, { uid, ...canceled, updated: realTime(tx) })
    if (ended) await cancelLicenseOf(tx, product, ended)
    return null
  }
  const trial = await changeUnused(tx.db, unused, {
    started_at: now,
    trial_ends_at: ends,
    is_unproven: !isProven,
    ...firstNotice(ends, now, TRIAL_NOTICES),
    created: realTime(tx),
    updated: null,
  })
  if (!trial) return null
  const family = await holdFamily(tx, product, license.id)
  return { trial, license: await changeFamily(tx, product, family, { change: { expiration: ends } }) }
}

const realTime = ({ clock }: TxContext) => clock.now()

const isSame = ({ checkout, kept }: Settling, known: TrialRow, license: LicenseRow): boolean =>
  checkout.trial === 'free' &&
  known.subscription_id === null &&
  known.canceled_at === null &&
  !license.is_cancelled &&
  license.plan_id === checkout.plan_id &&
  license.pricing_id === checkout.pricing_id &&
  license.quota === kept.licenses
