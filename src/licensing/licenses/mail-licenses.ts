import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { isEmail } from '../../lib/formats.ts'
import { hasCome } from '../../db/has-come.ts'
import { hold } from '../../db/hold.ts'
import { MINUTE, toUtcTime } from '../../lib/time.ts'
import { queueAddressed, queueMail } from '../../mail/outbox.ts'
import type { About } from '../../mail/mail-rows.ts'
import type { MailedKey } from '../../mail/templates.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { LicenseRow } from './schema.ts'
import { getLicense } from './service.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { exposesKeys } from '../../catalogue/products/product-rows.ts'
import { findUserByEmail } from '../../people/users/user-rows.ts'
import { lastMailed, mailedLicenses, noteKeyRequest, takeKeyRequest } from './mail-licenses-queries.ts'
import { mailedDownloads } from '../../deployments/downloads/mailed-download.ts'
import { mailedPortalLink, portalLinkFor } from '../../people/portal/portal-link.ts'
import { addressed, type Recipient } from '../../people/users/recipient.ts'

/** So often a person is mailed its keys for callers who prove nothing. */
const KEYS_EVERY_MS = 10 * MINUTE

type Mailed = Awaited<ReturnType<typeof mailedLicenses>>[number]

/** Mails the key of a license to its owner, who may have told what to read; 400 `no_user` when it has none. */
export async function mailLicense(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  language: string | null = null,
): Promise<void> {
  const [mailed] = await mailedLicenses(ctx.db, scope, { licenseId: license.id })
  if (!mailed || license.user_id === null) throw invalid('no_user', 'This license has no owner.')
  const to = await addressed(ctx, scope, license.user_id)
  const isShown = await exposesKeys(ctx.db, scope)
  const values = { keys: [keyOf(ctx, mailed, isShown)], ...(await linksOf(ctx, scope, license.user_id)) }
  await queueMail(ctx, { ...to, ...placeOf(license), language, template: 'license', values })
}

interface Known {
  readonly to: Recipient
  readonly about: About | undefined
  /** The title of its plan. */
  readonly plan: string
  readonly isKeyShown: boolean
  readonly hasPortalLink: boolean
}

/** `mailLicense` with what is read already. */
export async function mailLicenseTo(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  { to, about, plan, isKeyShown, hasPortalLink }: Known,
): Promise<void> {
  const values = {
    keys: [keyOf(ctx, { ...license, plan }, isKeyShown)],
    downloads: await mailedDownloads(ctx, scope, to.userId),
    portal: hasPortalLink ? portalLinkFor(ctx, scope, { id: to.userId, email: to.recipient }) : '',
  }
  await queueAddressed(ctx, [{ about, mail: { ...to, ...placeOf(license), template: 'license', values } }])
}

/** Which license a mail is about, and whether that is of the sandbox. */
const placeOf = ({ id, environment }: LicenseRow) => ({ licenseId: id, environment })

/** Where the owner of a license goes on from a mail; nothing where there is none. */
const linksOf = async (ctx: TxContext, scope: Scope, userId: number) => ({
  downloads: await mailedDownloads(ctx, scope, userId),
  portal: await mailedPortalLink(ctx, scope, userId),
})

/**
 * Mails somebody all keys of the product that are theirs (`docs/decisions.md` 2.6). 400 `invalid_email`; and for
 * callers who prove who they are `no_user` and `no_license`. Who knows the public key only is told nothing of both, not
 * even by the time it takes (`docs/security-checks.md` S12): the address is noted, whosever it is, and a job looks at
 * it.
 */
export async function mailKeys(ctx: TxContext, scope: Scope, email: string): Promise<void> {
  if (!isEmail(email.trim())) throw invalid('invalid_email', 'This is no email address.')
  const emailFolded = fold(email.trim())
  if (scope.actor.kind === 'public') {
    const created = ctx.clock.now()
    return noteKeyRequest(ctx.db, { product_id: scope.productId, email_folded: emailFolded, created })
  }
  const user = await findUserByEmail(ctx.db, scope, emailFolded)
  if (!user) throw invalid('no_user', 'The product has no user with this address.')
  const keys = await mailedLicenses(ctx.db, scope, { userId: user.user_id })
  if (keys.length === 0) throw invalid('no_license', 'This user has no license of the product.')
  await mailKeysTo(ctx, scope, user.user_id, keys)
}

/**
 * Mails the keys of an address that was noted, unless nobody has it, or it was mailed in the last ten minutes. Of any
 * number of workers one does.
 */
export async function answerKeyRequest(ctx: TxContext, id: number): Promise<void> {
  const request = await takeKeyRequest(ctx.db, id)
  if (!request) return
  const { developer_id: developerId, product_id: productId, email_folded: emailFolded } = request
  const scope = systemScope({ developerId, productId })
  const user = await findUserByEmail(ctx.db, scope, emailFolded)
  if (!user) return
  const keys = await mailedLicenses(ctx.db, scope, { userId: user.user_id })
  if (keys.length === 0 || (await wasMailed(ctx, scope, user.user_id))) return
  await mailKeysTo(ctx, scope, user.user_id, keys)
}

async function mailKeysTo(ctx: TxContext, scope: Scope, userId: number, keys: Mailed[]): Promise<void> {
  const to = await addressed(ctx, scope, userId)
  const isShown = await exposesKeys(ctx.db, scope)
  const values = { keys: keys.map((one) => keyOf(ctx, one, isShown)), ...(await linksOf(ctx, scope, userId)) }
  await queueMail(ctx, { ...to, template: 'license_keys', values })
}

/** Holds the person, so that callers at once take turns. */
async function wasMailed(ctx: TxContext, scope: Scope, userId: number): Promise<boolean> {
  await hold(ctx.db, 'users', scope, userId)
  const last = await lastMailed(ctx.db, scope, { userId, kind: 'license_keys' })
  return !hasCome(last + KEYS_EVERY_MS, ctx.clock.real(), KEYS_EVERY_MS)
}

/**
 * Mails the owner of a license that it can be renewed, unless it renews itself or with its bundle, never ends, is
 * cancelled or nobody's; whether it did. 404 when the owner has no such license; 400 `plan_not_sold` where nothing is
 * sold that renews it.
 */
export async function mailRenewal(ctx: TxContext, scope: Scope, id: number): Promise<{ sent: boolean }> {
  const license = await getLicense(ctx, scope, id)
  const { user_id: userId, expiration: ends } = license
  if (userId === null || ends === null || license.is_cancelled) return { sent: false }
  if (license.parent_license_id !== null || (await ctx.hooks.sales.isRenewing(ctx, id)))
    return { sent: false }
  const link = await ctx.hooks.sales.renewalLink(ctx, scope, license)
  if (link === '') throw invalid('plan_not_sold', 'Nothing is sold any more that renews this license.')
  const to = await addressed(ctx, scope, userId)
  const plan = (await getPlan(ctx, scope, license.plan_id)).title
  const isOver = ends <= toUtcTime(ctx.clock.of(license.product_id, license.environment))
  await queueMail(ctx, {
    ...to,
    ...placeOf(license),
    template: isOver ? 'license_expired' : 'license_expiring',
    values: { plan, ends: { time: ends }, link },
  })
  await recordEvent(ctx, scope, {
    type: 'license.renewal_reminder.sent',
    environment: license.environment,
    userId,
    data: { license_id: String(id) },
  })
  return { sent: true }
}

/** Mails the owner of a license, if it has one, that it was cancelled. */
export async function mailCancelled(ctx: TxContext, scope: Scope, license: LicenseRow): Promise<void> {
  if (license.user_id === null) return
  const to = await addressed(ctx, scope, license.user_id)
  const { title: plan } = await getPlan(ctx, scope, license.plan_id)
  await queueMail(ctx, { ...to, ...placeOf(license), template: 'license_cancelled', values: { plan } })
}

const keyOf = ({ keys }: TxContext, mailed: Omit<Mailed, 'id' | 'user_id'>, isShown: boolean): MailedKey => ({
  key: isShown ? keys.open(mailed.secret_key, 'licenses.secret_key') : '',
  plan: mailed.plan,
  ends: mailed.expiration === null ? null : { time: mailed.expiration },
  isCancelled: mailed.is_cancelled,
})
