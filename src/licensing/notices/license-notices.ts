import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { dueNotices, LICENSE_NOTICES, type Armed, type LicenseNotice } from './notices.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import { noteFired } from '../../catalogue/sandbox/fired.ts'
import { takeLicenseNotice, type LicenseToNotice } from './notice-queries.ts'

/** How long a license is left alone whose renewal is under way. */
const IN_FLIGHT_MS = HOUR

/** Tells what is due by `now` of the ends of licenses, each once, whoever else does so at the same time. */
export async function giveLicenseNotices(
  ctx: TxContext,
  licenses: readonly LicenseToNotice[],
  now: UtcTime,
): Promise<void> {
  for (const license of licenses) await giveNotices(ctx, license, now)
}

async function giveNotices(ctx: TxContext, license: LicenseToNotice, now: UtcTime): Promise<void> {
  const { due, after } = await dueOf(ctx, license, now)
  if (!(await takeLicenseNotice(ctx.db, license, after))) return
  const scope = systemScope({ developerId: license.developer_id, productId: license.product_id })
  for (const notice of due) await give[notice](ctx, scope, license, now)
}

/** A cancelled license has ended already; one that never ends has nothing to tell. */
async function dueOf(
  ctx: TxContext,
  license: LicenseToNotice,
  now: UtcTime,
): Promise<{ due: readonly LicenseNotice[]; after: Armed }> {
  const { expiration: ends, notice } = license
  if (ends === null || license.is_cancelled) return { due: [], after: { notice, notice_at: null } }
  const found = dueNotices<LicenseNotice>(LICENSE_NOTICES, { ends, notice }, now)
  if (found.due.includes('expired') && (await ctx.hooks.sales.isRenewalInFlight(ctx, license.id))) {
    return { due: [], after: { notice, notice_at: toUtcTime(fromUtcTime(now) + IN_FLIGHT_MS) } }
  }
  return found
}

type Give = (ctx: TxContext, scope: Scope, license: LicenseToNotice, now: UtcTime) => Promise<void>

const give: Readonly<Record<LicenseNotice, Give>> = {
  renewal_reminder: (ctx, scope, license, now) =>
    mail(ctx, scope, license, { ...MAILS.renewal_reminder, at: now }),
  expired_notice: (ctx, scope, license, now) =>
    mail(ctx, scope, license, { ...MAILS.expired_notice, at: now }),
  async expired(ctx, scope, license, now) {
    const event = about(license, 'license.expired')
    await recordEvent(ctx, scope, event)
    await noteFired(ctx, license, { ...event, what: 'expired', at: now })
  },
}

const MAILS = {
  renewal_reminder: {
    template: 'license_expiring',
    type: 'license.renewal_reminder.sent',
  },
  expired_notice: {
    template: 'license_expired',
    type: 'license.expired_notice.sent',
  },
} as const

/** Mails the owner of a license that nothing renews; that of a bundle's part hears of the bundle's. */
async function mail(
  ctx: TxContext,
  scope: Scope,
  license: LicenseToNotice,
  { template, type, at }: (typeof MAILS)[keyof typeof MAILS] & { readonly at: UtcTime },
): Promise<void> {
  const { user_id: userId, email, first, last, plan, expiration } = license
  if (userId === null || email === null || expiration === null) return
  if (license.parent_license_id !== null || license.is_trial) return
  if (await ctx.hooks.sales.isRenewing(ctx, license.id)) return
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId,
    licenseId: license.id,
    environment: license.environment,
    recipient: email,
    template,
    name: `${first} ${last}`.trim(),
    values: {
      plan,
      ends: { time: expiration },
      link: await ctx.hooks.sales.renewalLink(ctx, scope, license),
    },
  })
  const event = about(license, type)
  await recordEvent(ctx, scope, event)
  await noteFired(ctx, license, { ...event, what: 'mailed', at })
}

const about = <T extends string>({ id, user_id: userId, environment }: LicenseToNotice, type: T) => ({
  type,
  environment,
  ...(userId !== null && { userId }),
  data: { license_id: String(id) },
})
