import type { Scope } from '../access/scope.ts'
import type { ReadContext, TxContext } from '../context.ts'
import type { Environment } from '../db/tables/licenses.ts'
import type { RefusedOccasion } from '../db/tables/refusals.ts'
import type { UtcTime } from '../lib/time.ts'
import type { LicenseRow } from './licenses/schema.ts'

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

/** Why renewals end, as whoever ends them says. */
export interface EndReason {
  /** 1 to 15. */
  readonly ids: readonly number[]
  readonly text: string | null
  /** Another subscription takes the place, and a trial goes on with that or was bought. */
  readonly isReplaced?: true
}

/** Whom a subscription belongs to, and what it pays for. */
export interface Payer {
  readonly user_id: number
  readonly environment: Environment
  readonly license_id: number | null
}

/** What a link to the checkout needs of a license. */
export type LinkedLicense = Pick<
  LicenseRow,
  'id' | 'product_id' | 'plan_id' | 'pricing_id' | 'quota' | 'environment'
>

/**
 * What licenses ask of sales, which stand above them: each is done in the transaction of the caller. `src/hooks.ts` says
 * who does it.
 */
export interface SalesOfLicenses {
  /** The active subscription of each license, or else its latest one; a license without any is left out. */
  subscriptionsOf(
    ctx: ReadContext,
    licenseIds: readonly number[],
  ): Promise<ReadonlyMap<number, LicenseSubscription>>
  /** Whether a license is renewed by itself. */
  isRenewing(ctx: ReadContext, licenseId: number): Promise<boolean>
  /** Whether the first attempt at a renewal is under way, while which the license does not lapse. */
  isRenewalInFlight(ctx: ReadContext, licenseId: number): Promise<boolean>
  /** Ends the renewals of a license; one that has none stays as it is. */
  endRenewals(ctx: TxContext, scope: Scope, licenseId: number, reason?: EndReason): Promise<void>
  /** Ends them as who asks for it by name: also a trial that runs, and the buyer is told. 401 for a role without sales. */
  cancelRenewals(ctx: TxContext, scope: Scope, licenseId: number, reason: EndReason): Promise<void>
  /** Moves the next renewal of a license, or the end of its trial, never to an earlier time. */
  moveRenewal(
    ctx: TxContext,
    scope: Scope,
    to: { readonly licenseId: number; readonly at: UtcTime },
  ): Promise<void>
  /** A subscription of the product; 404 when it has no such one. */
  payer(ctx: ReadContext, scope: Scope, subscriptionId: number): Promise<Payer>
  /** Counts the coupons of what was got for nothing by an address that was typed, as it is its owner's. */
  countGifts(ctx: TxContext, licenseIds: readonly number[]): Promise<void>
  /** Gives back the coupons of such a license before it is erased. */
  giveBackGift(ctx: TxContext, scope: Scope, licenseId: number): Promise<void>
  /** Mails the owner the receipt of what was paid for a license last; nothing where nothing was. */
  mailLastReceipt(ctx: TxContext, scope: Scope, license: LicenseRow): Promise<void>
  /** The address at which a license is renewed by hand; empty where nothing is sold that renews it. */
  renewalLink(ctx: ReadContext, scope: Scope, license: LinkedLicense): Promise<string>
  /** The address at which a plan is bought; empty where it is not sold. */
  planLink(ctx: ReadContext, scope: Scope, planId: number): Promise<string>
}

/** What a client was refused, and how often, until it is written. */
export interface RefusedCall {
  readonly occasion: RefusedOccasion
  /** 0 where the path names no product. */
  readonly productId: number
  readonly installId: number | null
  readonly licenseId: number | null
  /** As it was given; it is never written. */
  readonly key: string | null
  readonly uid: string | null
  readonly url: string | null
  readonly version: string | null
  readonly code: string
  readonly message: string
  /** Milliseconds. */
  at: number
  count: number
}

/** What the frame asks of licenses, which stand above it: finds whose they are, then writes them. */
export interface RefusalKeeper {
  find(ctx: ReadContext, calls: readonly RefusedCall[]): Promise<(tx: TxContext) => Promise<void>>
}
