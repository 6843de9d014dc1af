import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { activeOfLicense, lastPaymentOf } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'

/**
 * What becomes of a renewal that is paid. `renews`: the next period begins. `lasts`: its subscription was cancelled while
 * it was charged, and the license lives for what was paid. `given back`: there is nothing that it could pay for any more.
 */
export type RenewalFate =
  | {
      readonly fate: 'renews' | 'lasts'
      readonly license: LicenseRow
      /** What all payments of the subscription came to before this one, with tax. */
      readonly total: number
    }
  | {
      readonly fate: 'given back'
      readonly license: LicenseRow | null
      readonly reason: string
      /** Whether nothing is left to renew. */
      readonly isOver: boolean
    }

/** Holds subscription and license of a renewal until the end of the transaction, and says what its money is for. */
export async function fateOf(
  tx: TxContext,
  scope: Scope,
  { id, period }: Pick<SubscriptionRow, 'id'> & { readonly period: UtcTime },
): Promise<RenewalFate> {
  const present = await hold(tx.db, 'subscriptions', scope, id)
  const licenseId = present?.license_id ?? null
  const license = licenseId === null ? null : ((await hold(tx.db, 'licenses', scope, licenseId)) ?? null)
  if (!present || license?.is_cancelled !== false) {
    return { fate: 'given back', license, reason: 'The license was cancelled meanwhile.', isOver: true }
  }
  if (present.canceled_at === null) {
    if (present.next_payment === period) return { fate: 'renews', license, total: present.total_gross }
    return { fate: 'given back', license, reason: 'It was paid otherwise meanwhile.', isOver: false }
  }
  const isKept = license.expiration !== null && !(await isPaidOtherwise(tx, id, license))
  if (isKept) return { fate: 'lasts', license, total: present.total_gross }
  return { fate: 'given back', license, reason: 'The subscription was cancelled meanwhile.', isOver: false }
}

/** Whether something else renews the license now, or what was paid last was given back. */
async function isPaidOtherwise({ db }: TxContext, id: number, license: LicenseRow): Promise<boolean> {
  if ((await activeOfLicense(db, license.id)) !== undefined) return true
  const last = await lastPaymentOf(db, id)
  return last !== undefined && last.gross > 0 && last.refunded_gross === last.gross
}

/** Whether a renewal is still what its subscription is due for; holds it until the end of the transaction. */
export async function isDueStill(
  tx: TxContext,
  scope: Scope,
  {
    id,
    period,
    attempt,
  }: Pick<SubscriptionRow, 'id' | 'attempt'> & {
    readonly period: UtcTime
  },
): Promise<boolean> {
  const present = await hold(tx.db, 'subscriptions', scope, id)
  return present?.canceled_at === null && present.next_payment === period && present.attempt === attempt
}
