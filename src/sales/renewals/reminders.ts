import type { TxContext } from '../../context.ts'
import { systemScope } from '../../access/scope.ts'
import { type UtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import { noteFired } from '../../catalogue/sandbox/fired.ts'
import { cancelLink } from '../../people/portal/portal-link.ts'
import { REMINDED_MS, takeReminder, type SubscriptionToRemind } from './reminder-queries.ts'

const TYPE = 'subscription.renewal_reminder.sent'

/**
 * Mails the buyers of yearly subscriptions that these renew soon, each once, whoever else does so at the same time
 * (`docs/interface.md` 7.3). What was cancelled since it was read is left out.
 */
export async function giveRenewalReminders(
  ctx: TxContext,
  subscriptions: readonly SubscriptionToRemind[],
  now: UtcTime,
): Promise<void> {
  for (const subscription of subscriptions) await remind(ctx, subscription, now)
}

async function remind(ctx: TxContext, subscription: SubscriptionToRemind, now: UtcTime): Promise<void> {
  const { next_payment: on, user_id: userId, install_id: installId } = subscription
  if (on === null || !(await takeReminder(ctx.db, subscription, ctx.clock.now()))) return
  const { developer_id: developerId, product_id: productId, first, last, plan } = subscription
  const scope = systemScope({ developerId, productId })
  await queueMail(ctx, {
    developerId,
    productId,
    userId,
    licenseId: subscription.license_id,
    environment: subscription.environment,
    recipient: subscription.email,
    template: 'renewal_reminder',
    name: `${first} ${last}`.trim(),
    values: {
      plan,
      amount: { minor: subscription.renewal_amount, currency: subscription.currency },
      isTaxed: subscription.tax_rate > 0,
      on: { time: on },
      portal: await cancelLink(ctx, scope, { userId, lastsMs: REMINDED_MS }),
    },
  })
  const data = {
    subscription_id: String(subscription.id),
    license_id: subscription.license_id === null ? null : String(subscription.license_id),
  }
  const { environment } = subscription
  const about = { environment, userId, ...(installId !== null && { installId }) }
  await recordEvent(ctx, scope, { type: TYPE, ...about, data })
  await noteFired(ctx, subscription, { what: 'mailed', type: TYPE, at: now, data })
}
