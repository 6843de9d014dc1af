import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { dueNotices, TRIAL_NOTICES, type TrialNotice } from './notices.ts'
import { DAY, type UtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import { noteFired } from '../../catalogue/sandbox/fired.ts'
import { dataOfTrial } from '../trials/schema.ts'
import { takeTrialNotice, type TrialToNotice } from './notice-queries.ts'
import { cancelLink } from '../../people/portal/portal-link.ts'
import { endTrialOf } from '../trials/trials.ts'

/** So long before the end of a trial its notice is given. */
const TOLD_MS = 2 * DAY

/** Tells what is due by `now` of the ends of trials, and ends those that are over, each once. */
export async function giveTrialNotices(
  ctx: TxContext,
  trials: readonly TrialToNotice[],
  now: UtcTime,
): Promise<void> {
  for (const trial of trials) {
    const end = { ends: trial.trial_ends_at, notice: trial.notice }
    const { due, after } = dueNotices<TrialNotice>(TRIAL_NOTICES, end, now)
    if (!(await takeTrialNotice(ctx.db, trial, after))) continue
    const scope = systemScope({ developerId: trial.developer_id, productId: trial.product_id })
    for (const notice of due) await give[notice](ctx, scope, trial, now)
  }
}

type Give = (ctx: TxContext, scope: Scope, trial: TrialToNotice, now: UtcTime) => Promise<void>

const give: Readonly<Record<TrialNotice, Give>> = {
  /** What was cancelled has ended already. */
  async trial_expiring_notice(ctx, scope, trial, now) {
    if (trial.is_cancelled) return
    const { user_id: userId, email: recipient, first, last, plan, trial_ends_at: ends } = trial
    await queueMail(ctx, {
      developerId: scope.developerId,
      productId: scope.productId,
      userId,
      licenseId: trial.license_id,
      environment: trial.environment,
      recipient,
      template: 'trial_expiring',
      name: `${first} ${last}`.trim(),
      values: {
        plan,
        ends: { time: ends },
        amount: chargedFor(trial),
        ...(await linksOf(ctx, scope, trial)),
      },
    })
    const about = { environment: trial.environment, userId, data: dataOfTrial(trial) } as const
    const { install_id: installId } = trial
    const event =
      installId === null
        ? ({ type: 'license.trial_expiring_notice.sent', ...about } as const)
        : ({ type: 'install.trial_expiring_notice.sent', ...about, installId } as const)
    await recordEvent(ctx, scope, event)
    await noteFired(ctx, trial, { ...event, what: 'mailed', at: now })
  },

  /** A trial without install has a license only, whose own end is told of. */
  async expired(ctx, scope, trial, now) {
    const { user_id: userId, install_id: installId, environment } = trial
    if (installId === null) return
    await endTrialOf(ctx, scope, trial, installId)
    const about = { environment, userId, installId }
    const event = { type: 'install.trial.expired', ...about, data: dataOfTrial(trial) } as const
    await recordEvent(ctx, scope, event)
    await noteFired(ctx, trial, { ...event, what: 'expired', at: now })
  },
}

/** What is charged is cancelled in the portal; what is not is bought at the checkout. */
async function linksOf(ctx: TxContext, scope: Scope, trial: TrialToNotice) {
  if (chargedFor(trial) === '')
    return { link: await ctx.hooks.sales.planLink(ctx, scope, trial.plan_id), portal: '' }
  return { link: '', portal: await cancelLink(ctx, scope, { userId: trial.user_id, lastsMs: TOLD_MS }) }
}

/** What is charged then is told without its tax, which is that of the day. */
const chargedFor = ({ initial_amount: amount, currency }: TrialToNotice) =>
  amount === null || currency === null ? '' : ({ minor: amount, currency } as const)
