import { quietly, transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { ApiError, notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { toPerson } from '../developers/to-person.ts'
import { afterwards } from '../../work/afterwards.ts'
import { countFailure, lateLimit, linkLimit } from './attempts.ts'
import { deleteFailures, findLinkState } from './login-queries.ts'
import { checkPassword } from '../developers/passwords.ts'
import { issuePersonToken, readPersonToken, type LinkState, type PersonLink } from './person-tokens.ts'
import { findTwoFactor } from './two-factor-queries.ts'

/** The link leads here, followed by its token. */
export const SIGN_IN_PATH = '/sign-in/'

/** A login that a limit has refused. */
interface Late {
  readonly ip: string | null
  readonly password: string
  readonly person: { readonly id: number; readonly password_hash: string | null } | null
}

/**
 * Looks at the password of a login that a limit refuses, after its answer, and mails the owner a link if it is right:
 * so nobody's failures shut the owner out, and nobody else learns anything, not by time either
 * (`docs/security-checks.md` S10).
 */
export const lookLater = (ctx: Context, late: Late): void =>
  afterwards(ctx, () => look(ctx, late), 'a refused login could not be looked at')

async function look(ctx: Context, { ip, password, person }: Late): Promise<void> {
  if (await quietly(ctx, (tx) => countFailure(tx, lateLimit(ip)))) return
  const checked = await checkPassword(ctx, password, person?.password_hash)
  if (!person || !checked.ok) return
  await transaction(ctx, (tx) => mailLink(tx, person.id, checked.passwordHash))
}

/** No link where two-factor is on: the right code opens what the limit has closed. */
async function mailLink(ctx: TxContext, personId: number, passwordHash: string): Promise<void> {
  const person = await findLinkState(ctx.db, personId)
  if (person?.password_hash !== passwordHash || (await hasTwoFactor(ctx, personId))) return
  if (await countFailure(ctx, linkLimit(personId))) return
  await queueMail(ctx, {
    ...toPerson(person),
    template: 'sign_in_link',
    values: { link: linkFor(ctx, person, ctx.baseUrl) },
  })
}

/** The address that lets a person in for an hour, once; `base` is that of the server. */
const linkFor = (ctx: ReadContext, person: LinkState, base: string): string =>
  `${base}${SIGN_IN_PATH}${issuePersonToken(ctx, LINK, person)}`

/**
 * The address that lets a person in for an hour, once, for who runs the server: also one that has no password. Null
 * where two-factor is on, which no link goes around.
 */
export async function issueSignInLink(
  ctx: ReadContext,
  personId: number,
  base: string,
): Promise<string | null> {
  const person = await findLinkState(ctx.db, personId)
  return !person || (await hasTwoFactor(ctx, personId)) ? null : linkFor(ctx, person, base)
}

const hasTwoFactor = async ({ db }: ReadContext, personId: number) =>
  ((await findTwoFactor(db, personId))?.confirmed_at ?? null) !== null

/** Another state after a login, a change of the password and one of the address: a link works once. */
const LINK: PersonLink = {
  purpose: 'sign_in',
  stateOf: ({ id, password_hash: hash, last_login_at: last, email }) => [id, hash, last, email].join(' '),
}

/** The password that stands, null for a person that has none, with its hash at today's cost where that is another. */
export interface ProvenPassword {
  readonly passwordHash: string | null
  readonly renewedHash: string | null
}

export interface LinkOwner {
  readonly id: number
  readonly email: string
  readonly password: ProvenPassword
  readonly lastLoginAt: LinkState['last_login_at']
}

/**
 * Whom a link lets in; reading it uses nothing up (`docs/decisions.md` 3.10). 404 when it is used, too old or
 * overtaken.
 */
export async function readSignInLink(ctx: ReadContext, token: string): Promise<LinkOwner> {
  const person = await readPersonToken(ctx, LINK, token)
  if (!person) throw notFound('link')
  // What was used in the very second of the login before it would leave the same state behind.
  const isLater = person.last_login_at === null || toUtcTime(ctx.clock.real()) > person.last_login_at
  if (!isLater || (await hasTwoFactor(ctx, person.id))) throw notFound('link')
  const password = { passwordHash: person.password_hash, renewedHash: null }
  return { id: person.id, email: person.email, password, lastLoginAt: person.last_login_at }
}

/** Lets the owner of a link in by `enter`, once, also when it is followed twice at the same time. */
export async function signInByLink<T>(
  ctx: TxContext,
  { token, ip, requestId }: { readonly token: string; readonly ip: string; readonly requestId: string },
  enter: (scope: Scope, owner: LinkOwner) => Promise<T>,
): Promise<T> {
  const owner = await readSignInLink(ctx, token)
  const scope = { ...systemScope({ developerId: owner.id, productId: 0 }), ip, requestId }
  await deleteFailures(ctx.db, linkLimit(owner.id).key)
  try {
    return await enter(scope, owner)
  } catch (error) {
    throw error instanceof ApiError && error.status === 401 ? notFound('link') : error
  }
}
