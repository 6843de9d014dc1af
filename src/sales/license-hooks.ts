import type { SalesOfLicenses } from '../licensing/hooks.ts'
import { planLink, renewalLink } from './checkouts/front/links.ts'
import { makeRedemptionsCount } from './coupons/redemption-rows.ts'
import { giveBackUnproven } from './coupons/redemptions.ts'
import { mailLastReceipt } from './payments/mail-receipt.ts'
import { cancelRenewals } from './subscriptions/cancel-subscription.ts'
import { getSubscription } from './subscriptions/service.ts'
import {
  endRenewals,
  isRenewalInFlight,
  isRenewing,
  moveRenewal,
  subscriptionsOf,
} from './subscriptions/subscriptions.ts'

/** What sales do for licenses. */
export const salesOfLicenses: SalesOfLicenses = {
  subscriptionsOf,
  isRenewing,
  isRenewalInFlight,
  endRenewals,
  cancelRenewals,
  moveRenewal,
  payer: getSubscription,
  countGifts: async ({ db }, licenseIds) => void (await makeRedemptionsCount(db, licenseIds)),
  giveBackGift: giveBackUnproven,
  mailLastReceipt,
  renewalLink,
  planLink,
}
