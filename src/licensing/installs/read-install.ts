import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { notFound } from '../../lib/errors.ts'
import type { Addon, AddonList } from '../../catalogue/addons/schema.ts'
import { listEventsOfInstall } from '../../events/log/event-rows.ts'
import type { EventLog } from '../../events/log/schema.ts'
import { listMarketItems } from './part-queries.ts'
import { presentMarketItem, type MarketItem } from './part-schema.ts'
import type { Install } from './schema.ts'
import { getInstall, getInstallsOf } from './service.ts'
import type { InstallsOfUser } from './list-schema.ts'
import type { Feature } from '../../catalogue/plans/feature-schema.ts'
import { presentPlan, type Plan } from '../../catalogue/plans/schema.ts'
import { getPlan, getPlans } from '../../catalogue/plans/service.ts'
import { sendConfirmation } from '../../people/proof/confirm-email.ts'
import { findUserRules } from '../../people/users/user-rows.ts'
import { getUser } from '../../people/users/service.ts'
import { requireAllowedHost } from '../owners/change-owner.ts'
import { featuresOfAddon, getAddons } from '../../catalogue/addons/addons.ts'
import { withObjects } from '../../events/log/read-events.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

interface InstallIn {
  readonly install_id: number
}

/** The events of an install, newest first; 404 when the caller has no such install. */
export async function eventsOfInstall(
  ctx: ListContext,
  scope: Scope,
  { install_id: id }: InstallIn,
  query: Paged & { readonly type?: string },
): Promise<{ events: EventLog[] }> {
  await getInstall(ctx, scope, id)
  const rows = await listEventsOfInstall(pageReader(ctx, query), scope, { installId: id, ...query })
  return { events: await withObjects(ctx, scope, rows) }
}

/** The plans that an install may be on, the default one first; 404 when the caller has no such install. */
export async function plansOfInstall(
  ctx: ReadContext,
  scope: Scope,
  { install_id: id }: InstallIn,
  { show_pending }: { readonly show_pending: boolean },
): Promise<Plan[]> {
  await getInstall(ctx, scope, id)
  return getPlans(ctx, scope, { type: 'all', show_pending })
}

/** One of them. */
export async function planOfInstall(
  ctx: ReadContext,
  scope: Scope,
  { install_id: id, plan_id: planId }: InstallIn & { readonly plan_id: number },
): Promise<Plan> {
  await getInstall(ctx, scope, id)
  return presentPlan(await getPlan(ctx, scope, planId))
}

/** The features of a plan of an add-on of an install's product. */
export async function addonFeaturesOfInstall(
  ctx: ReadContext,
  scope: Scope,
  { install_id: id, ...ids }: InstallIn & { readonly addon_id: number; readonly plan_id: number },
  page: Paged,
): Promise<Feature[]> {
  await getInstall(ctx, scope, id)
  return featuresOfAddon(ctx, scope, ids, page)
}

/** The add-ons of the product of an install, the oldest first; 404 when the caller has no such install. */
export async function addonsOfInstall(
  ctx: ReadContext,
  scope: Scope,
  { install_id: id }: InstallIn,
  query: AddonList,
): Promise<Addon[]> {
  const { product_id: productId } = await getInstall(ctx, scope, id)
  return getAddons(ctx, { ...scope, productId }, query)
}

/** What an install told of the other plugins and themes of its site. */
export async function marketItemsOf(
  ctx: ReadContext,
  scope: Scope,
  { install_id: id }: InstallIn,
): Promise<MarketItem[]> {
  await getInstall(ctx, scope, id)
  return (await listMarketItems(ctx.db, id)).map(presentMarketItem)
}

/** The installs of a user of the product; 404 when it has no such user. */
export async function installsOfUser(
  ctx: ListContext,
  scope: Scope,
  userId: number,
  query: InstallsOfUser,
): Promise<Install[]> {
  await getUser(ctx, scope, userId)
  return getInstallsOf(ctx, scope, userId, query)
}

interface VerifyIds extends InstallIn {
  readonly user_id: number
}

/**
 * Mails the owner of an install a link that proves its address, unless that is proven. It opens nothing more to the
 * install: that a mail names a site says nothing of who runs it. 404 when the user is not the owner, 400 when the way back leads neither to the site nor to a host of the product's list.
 */
export async function sendVerification(
  ctx: TxContext,
  scope: Scope,
  { install_id: id, user_id: userId }: VerifyIds,
  redirectUrl: string | undefined,
): Promise<void> {
  const install = await getInstall(ctx, scope, id)
  if (install.user_id !== userId) throw notFound('user')
  const user = await getUser(ctx, scope, userId)
  const rules = await findUserRules(ctx.db, scope)
  if (redirectUrl !== undefined) requireAllowedHost('after_email_confirm_url', redirectUrl, install, rules)
  if (user.is_verified) return
  await sendConfirmation(ctx, scope, {
    userId,
    email: user.email,
    name: `${user.first} ${user.last}`.trim(),
    redirectUrl,
    install,
  })
}
