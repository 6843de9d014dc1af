import { latelySince } from '../../db/has-come.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { notFound, tooManyRequests } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { maskedEmail } from '../../lib/masked-email.ts'
import { siteNames } from '../../lib/hosts.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import {
  confirmSide,
  countOwnershipChanges,
  endOwnershipChanges,
  findHosts,
  findOwnershipChange,
  insertOwnershipChange,
  type Side,
} from './ownership-queries.ts'
import type { InstallRow } from '../installs/schema.ts'
import { aboutInstall } from '../installs/emits.ts'

const LINK_MS = DAY
/** Changes that can be asked for of one install in an hour, as each sends two mails. */
const CHANGES_AN_HOUR = 5
const REDIRECT_PLACE = 'ownership_changes.redirect_url'

/** Path of the page that a mailed link opens; salt, a dot and the side's token follow. */
export const OWNERSHIP_PATH = '/change-ownership/'

/** Ids of installs as text or as a list; null when it is neither, or one stands there twice. */
export function installIdsOf(given: string | readonly unknown[]): number[] | null {
  if (typeof given === 'string') return parseIdList(given)
  const texts = given.filter((id) => typeof id === 'string' || typeof id === 'number').map(String)
  return texts.length === given.length ? parseIdList(texts.join(',')) : null
}

export interface OwnershipRequest {
  readonly email: string
  /** Set when the caller named the next owner by its id, and not by the address. */
  readonly userId?: number
  readonly transferType: string
  /** Other installs of the owner that go along. */
  readonly installIds: readonly number[]
  /** Checked against where the product and the site may lead to. */
  readonly redirectUrl: string | null
}

interface Moving {
  readonly install: InstallRow
  readonly ownerEmail: string
}

/** A side's token is good only with the salt of its change. */
const hashOf = (salt: string, token: string) => hashToken(`${salt}:${token}`)

/** 429 when the buyer's side asked too often in an hour for another owner of an install. */
export async function refuseFlood(ctx: ReadContext, scope: Scope, installId: number): Promise<void> {
  if (isSeller(scope)) return
  const now = ctx.clock.real()
  const begun = await countOwnershipChanges(ctx.db, installId, latelySince(now - HOUR, now))
  if (begun >= CHANGES_AN_HOUR) throw tooManyRequests(HOUR / SECOND)
}

/**
 * Asks the owner of an install that the caller holds, and who shall be its next one, by mail; nothing changes until
 * both agreed. A change that was asked for before is over. The page of each names the sites that go. 429 where one of
 * them was mailed too often (`mayMail`): what was asked for before stays.
 */
export async function askBothSides(
  ctx: TxContext,
  scope: Scope,
  { install, ownerEmail }: Moving,
  wanted: OwnershipRequest,
): Promise<void> {
  const recipients = { owner: ownerEmail, candidate: wanted.email }
  if (!isSeller(scope) && !(await mayMailBoth(ctx, scope, recipients))) throw tooManyRequests(HOUR / SECOND)
  const now = ctx.clock.real()
  const time = toUtcTime(now)
  await endOwnershipChanges(ctx.db, install.id, time)
  const salt = newOpaqueToken()
  const tokens = { owner: newOpaqueToken(), candidate: newOpaqueToken() }
  await insertOwnershipChange(ctx.db, {
    product_id: install.product_id,
    install_id: install.id,
    from_user_id: install.user_id,
    email: wanted.email,
    email_folded: fold(wanted.email),
    is_named_by_id: wanted.userId !== undefined,
    transfer_type: wanted.transferType,
    install_ids: wanted.installIds.length === 0 ? null : wanted.installIds.join(','),
    redirect_url: wanted.redirectUrl === null ? null : ctx.keys.seal(wanted.redirectUrl, REDIRECT_PLACE),
    owner_hash: hashOf(salt, tokens.owner),
    candidate_hash: hashOf(salt, tokens.candidate),
    owner_at: null,
    candidate_at: null,
    completed_at: null,
    expires_at: toUtcTime(now + LINK_MS),
    created: time,
    updated: null,
  })
  for (const side of ['owner', 'candidate'] as const) {
    await queueMail(ctx, {
      developerId: scope.developerId,
      productId: install.product_id,
      userId: side === 'owner' ? install.user_id : null,
      environment: install.environment,
      recipient: recipients[side],
      template: `ownership_change.${side}`,
      name: '',
      // The page behind it names sites and people, in words that strangers may have chosen.
      values: { link: `${ctx.baseUrl}${OWNERSHIP_PATH}${salt}.${tokens[side]}` },
    })
  }
  await recordEvent(ctx, scope, {
    type: 'install.ownership.initiated',
    ...aboutInstall(install),
    data: { install_id: String(install.id), ...namedAs(wanted) },
  })
}

type Sides = Readonly<Record<'owner' | 'candidate', string>>

const mayMailBoth = async (ctx: TxContext, { ip }: Scope, { owner, candidate }: Sides): Promise<boolean> =>
  (await mayMail(ctx, { recipient: owner, ip })) && (await mayMail(ctx, { recipient: candidate, ip }))

/** The next owner as the caller named it, and no further: an address is not told for an id. */
const namedAs = ({ userId, email }: OwnershipRequest) =>
  userId === undefined ? { email } : { user_id: String(userId) }

/** A change that waits for a side, and which. */
export type Change = NonNullable<Awaited<ReturnType<typeof findOwnershipChange>>> & { readonly side: Side }

/** What a token is about; reading it uses nothing up. 404 when it is unknown, too old, or the change is completed. */
export async function readChange(
  ctx: ReadContext,
  salt: string,
  token: string,
  sides: readonly Side[] = ['owner', 'candidate'],
): Promise<Change> {
  const now = ctx.clock.now()
  for (const side of sides) {
    const found = await findOwnershipChange(ctx.db, side, hashOf(salt, token), now)
    if (found) return { ...found, side }
  }
  throw notFound('link')
}

/** Both addresses as a side is told them: who agrees learns none that it did not know. */
export const addressesOf = ({ side, owner_email: owner, email, is_named_by_id: isNamedById }: Change) => ({
  owner: side === 'owner' ? owner : maskedEmail(owner),
  candidate: side === 'owner' && isNamedById ? maskedEmail(email) : email,
})

/** What the client that asked is told: which side agreed, and whose agreement it may wait for. */
export const agreedBy = (change: Change) =>
  change.side === 'owner'
    ? { state: 'owner_confirmed', candidate_email: addressesOf(change).candidate }
    : { state: 'candidate_confirmed' }

/** The sites that a change is about, by name. */
export async function sitesOf(ctx: ReadContext, change: Change): Promise<string> {
  const ids = [change.install_id, ...(parseIdList(change.install_ids ?? '') ?? [])]
  return siteNames((await findHosts(ctx.db, ids)).map(({ host }) => host))
}

/** Names the installs that a change is about, for a page to say which it has shown. */
export const shownBy = ({ id, install_ids: ids }: Change): string => hashToken(`${id} ${ids ?? ''}`)

/** Where the browser goes after the page. */
export const redirectOf = (ctx: ReadContext, { redirect_url: url }: Change): string | null =>
  url === null ? null : ctx.keys.open(url, REDIRECT_PLACE)

/** Notes that the side agrees; false when it has before, which changes nothing. */
export async function agree(ctx: TxContext, scope: Scope, change: Change): Promise<boolean> {
  const { side } = change
  const after = await confirmSide(ctx.db, change.id, side, ctx.clock.now())
  if (!after) return false
  await recordEvent(ctx, scope, {
    type: `install.ownership.${side}.confirmed`,
    environment: change.environment,
    userId: change.from_user_id,
    installId: change.install_id,
    data: { install_id: String(change.install_id) },
  })
  return true
}
