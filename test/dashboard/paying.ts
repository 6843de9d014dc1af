import { transaction } from '../../src/context.ts'
import type { SubscriptionRow } from '../../src/sales/subscriptions/schema.ts'
import type { SellerApp } from './seller.ts'

/** 79 a cycle and a fifth off its renewals, which its own sum does not know. */
export const PRICED = {
  currency: 'usd',
  amount_per_cycle: 7_900,
  renewals_discount: 2_000,
  renewals_discount_type: 'percentage',
  renewal_amount: 9_999,
  coupon_id: null,
} as const

/** Has a subscription of the demo, where they are paid elsewhere, charged here by card; `more` is what it says otherwise. */
export const payWithCard = ({ ctx }: SellerApp, id: number, more: Partial<SubscriptionRow> = {}) =>
  transaction(ctx, async ({ db }) => {
    const { product_id, user_id, environment, next_payment } = await db
      .selectFrom('subscriptions')
      .select(['product_id', 'user_id', 'environment', 'next_payment'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const method = { product_id, user_id, gateway: 'stripe', kind: 'card', environment } as const
    const shown = { brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: 2099 }
    const { id: payment_method_id } = await db
      .insertInto('payment_methods')
      .values({ ...method, ...shown, token: 'sealed' as never, created: '2025-01-01 00:00:00' as never })
      .returning('id')
      .executeTakeFirstOrThrow()
    const due_at = more.next_payment ?? next_payment
    const charged = { payment_method_id, is_elsewhere: false, due_at, ...more }
    await db.updateTable('subscriptions').set(charged).where('id', '=', id).execute()
  })
