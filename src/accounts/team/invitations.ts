import type { ReadContext, TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { invalid, notFound, tooManyRequests } from '../../lib/errors.ts'
import { hashPassword, passwordProblem } from '../../lib/password.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { greeted } from '../../mail/render.ts'
import {
  acceptMembership,
  findFirstTitle,
  findInvitation,
  type findPersonByEmail,
  insertInvitation,
  setFirstPassword,
  useInvitations,
} from './member-queries.ts'
import { findDeveloper } from '../sessions/session-rows.ts'

const LINK_MS = 7 * DAY
const MOST_WORDS = 3

/** Path of the page an invitation leads to; the token follows. */
export const INVITATION_PATH = '/invitation/'

type Person = NonNullable<Awaited<ReturnType<typeof findPersonByEmail>>>

/**
 * Mails a link with which a person joins the team; it works once, for 7 days. 429 when the account has invited too
 * many, or this address too often, in an hour.
 */
export async function sendInvitation(ctx: TxContext, scope: Scope, person: Person): Promise<void> {
  const { developerId: accountId } = scope
  if (!(await mayMail(ctx, { recipient: person.email, ip: null, accountId }))) {
    throw tooManyRequests(HOUR / SECOND)
  }
  const token = newOpaqueToken()
  const now = ctx.clock.real()
  await insertInvitation(ctx.db, {
    developer_id: scope.developerId,
    person_id: person.id,
    token_hash: hashToken(token),
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
    used_at: null,
  })
  const account = await findDeveloper(ctx.db, scope.developerId)
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: null,
    userId: null,
    recipient: person.email,
    language: person.language,
    template: 'member_invitation',
    name: nameOf(person),
    values: {
      account: (account && mailedName(account)) || new URL(ctx.baseUrl).host,
      accountId: String(accountId),
      store: mailedTitle((await findFirstTitle(ctx.db, scope))?.title ?? ''),
      server: ctx.baseUrl,
      link: `${ctx.baseUrl}${INVITATION_PATH}${token}`,
    },
  })
}

/** To who gets the mail they are strangers, who have typed their names. */
const mailedName = ({ first, last }: { readonly first: string; readonly last: string }) =>
  [first, last.trim().split(' ').at(-1) ?? ''].map(greeted).join(' ').trim()

/** A title of up to three words, all of letters; of any other one nothing. */
function mailedTitle(title: string): string {
  const words = title.trim().split(/\s+/u)
  return words.length <= MOST_WORDS && words.every((word) => greeted(word) === word) ? words.join(' ') : ''
}

export interface Invitation {
  /** Whose team. */
  readonly developerId: number
  readonly personId: number
  readonly email: string
  /** Who invites. */
  readonly account: string
  /** Whether the person has none, and so chooses one when it accepts. */
  readonly needsPassword: boolean
}

/** What a link is about; reading it uses nothing up. 404 when it was used, taken back, or is too old. */
export async function readInvitation(ctx: ReadContext, token: string): Promise<Invitation> {
  const found = await findInvitation(ctx.db, hashToken(token), ctx.clock.now())
  if (!found) throw notFound('link')
  const { account_email: email, account_first: first, account_last: last } = found
  return {
    developerId: found.developer_id,
    personId: found.person_id,
    email: found.email,
    account: nameOf({ email, first, last }),
    needsPassword: found.password_hash === null,
  }
}

/** The hash of a first password; 400 `invalid_password` when it breaks the rules of passwords. */
export async function hashFirstPassword({ passwordCost }: ReadContext, password: string): Promise<string> {
  const problem = await passwordProblem(password)
  if (problem !== null) throw invalid('invalid_password', `The password ${problem}.`)
  return hashPassword(password, passwordCost)
}

/**
 * Makes the invited person a member of the team, once; 404 otherwise. Who has no password gets the chosen
 * one, 400 `invalid_password` without; one that is there is never changed (`docs/decisions.md` 3.10).
 */
export async function acceptInvitation(
  ctx: TxContext,
  token: string,
  passwordHash: string | null,
  from: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const { developerId, personId, needsPassword } = await readInvitation(ctx, token)
  const now = ctx.clock.now()
  if (!(await acceptMembership(ctx.db, developerId, personId, now))) throw notFound('link')
  if (needsPassword) await choosePassword(ctx, personId, passwordHash)
  await useInvitations(ctx.db, developerId, personId, now)
  const actor = { kind: 'developer', id: personId, credential: 'link' } as const
  const details = { developer: developerId }
  await audit(ctx, { action: 'invitation.accepted', actor, productId: null, ...from, details })
}

async function choosePassword(ctx: TxContext, personId: number, passwordHash: string | null): Promise<void> {
  const chosen = passwordHash !== null && { passwordHash, now: ctx.clock.now() }
  if (chosen && (await setFirstPassword(ctx.db, personId, chosen))) return
  throw invalid('invalid_password', 'You have chosen a password in the meantime.')
}

const nameOf = ({ email, first, last }: { email: string; first: string; last: string }) =>
  `${first} ${last}`.trim() || email
