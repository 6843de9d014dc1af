import type { ReadContext, TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import type { UtcTime } from '../lib/time.ts'

/** What a license's reply tells of its subscription. */
export interface LicenseSubscription {
  readonly id: number
  readonly isActive: boolean
  readonly trialEnds: UtcTime | null
  readonly nextPayment: UtcTime | null
  readonly gateway: 'paypal' | 'stripe' | 'test' | null
  readonly failedPayments: number
  /** Both in units of its currency. */
  readonly initialAmount: number
  readonly totalGross: number
}

/** The active subscription of each license, or else its latest one; a license without any is left out. */
export const subscriptionsOf = async (
  _ctx: ReadContext,
  _licenseIds: readonly number[],
): Promise<ReadonlyMap<number, LicenseSubscription>> => new Map()

/** Whether a license is renewed by itself. */
export async function isRenewing(ctx: ReadContext, licenseId: number): Promise<boolean> {
  const found = await subscriptionsOf(ctx, [licenseId])
  return found.get(licenseId)?.isActive === true
}

/** Whether the first attempt at a renewal is under way, while which the license does not lapse (DECISIONS 5.5). */
export const isRenewalInFlight = async (_ctx: ReadContext, _licenseId: number): Promise<boolean> => false

/** Ends the renewals of a license; one that has none stays as it is. */
export const cancelSubscriptionOf = async (
  _ctx: TxContext,
  _scope: Scope,
  _licenseId: number,
): Promise<void> => {}

/** Moves the next renewal of a license, or the end of its trial. */
export const moveRenewal = async (
  _ctx: TxContext,
  _scope: Scope,
  _to: { readonly licenseId: number; readonly at: UtcTime },
): Promise<void> => {}

/** What was paid elsewhere for a license that is brought along; amounts in units of its currency. */
export interface PaidElsewhere {
  readonly licenseId: number
  readonly userId: number
  /** Months; 0: once. */
  readonly cycle: number
  readonly gross: number
  readonly vat: number
  readonly processedAt: string | undefined
  readonly externalId: string | undefined
  readonly subscriptionExternalId: string | undefined
  readonly nextPayment: string | undefined
}

/** Writes down what was paid elsewhere; the id of the payment or subscription, null where none is kept. */
export const recordPaidElsewhere = async (
  _ctx: TxContext,
  _scope: Scope,
  _paid: PaidElsewhere,
): Promise<number | null> => null
