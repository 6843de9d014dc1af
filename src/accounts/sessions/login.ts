import type { Context, ReadContext, TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { ApiError, Refused } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { DAY, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { addressKey } from '../../lib/token-buckets.ts'
import {
  accountLimit,
  addressLimit,
  countFailure,
  knownAddressLimit,
  type Limit,
  lookIfOpen,
  requireOpen,
} from './attempts.ts'
import { findSignIn, hasAddresses, isKnownAddress, rememberAddress } from './login-queries.ts'
import { updateSignedIn } from './password-rows.ts'
import { lookLater, type ProvenPassword, signInByLink } from './mailed-sign-in.ts'
import { checkPassword, type CheckedPassword, wrongCredentials } from '../developers/passwords.ts'
import { requireHuman } from './recaptcha.ts'
import { type Developer, type Login, presentDeveloper } from '../developers/schema.ts'
import { findDeveloper } from './session-rows.ts'
import { queueMail } from '../../mail/outbox.ts'
import { toPerson } from '../developers/to-person.ts'
import { startSession } from './sessions.ts'
import { proveSecondFactor } from './two-factor.ts'

const SHORT_MS = 12 * HOUR
const LONG_MS = 7 * DAY

/** What a login is counted against. */
interface Gate {
  /** Closed for everybody; null at an address from which the person has logged in before. */
  readonly hard: Limit | null
  /** Opens for the right password with the right code, so that strangers cannot lock the owner out. */
  readonly soft: Limit
}

/** A login whose password was compared, before the transaction that logs in. */
export interface CheckedLogin {
  /** Null when the account has no such person; the password is then not ok. */
  readonly personId: number | null
  readonly password: CheckedPassword
  readonly gate: Gate
  /** The refusal that a limit had ready, for which no password was compared. */
  readonly closed: ApiError | null
}

/**
 * Looks at the address, the limits and the password: the slow half of a login (`docs/decisions.md` 3.8). Where a limit
 * refuses it, the password is looked at behind the answer, so that its owner gets in all the same. `accountId` null:
 * whoever has the address logs in, whatever accounts that opens.
 */
export async function checkLogin(
  ctx: Context,
  { ip }: Scope,
  accountId: number | null,
  input: Login,
): Promise<CheckedLogin> {
  await requireHuman(ctx, input.recaptcha_token, ip)
  const email = fold(input.email)
  const person = await findInAccount(ctx, email, accountId)
  const gate = await gateOf(ctx, ip, person?.id ?? 0, accountLimit(ctx, email))
  const closed = await lookAt(ctx, gate, Boolean(input.code || input.backup_code))
  if (closed) lookLater(ctx, { ip, password: input.password, person })
  const password = closed ? NOT_COMPARED : await checkPassword(ctx, input.password, person?.password_hash)
  return { personId: person?.id ?? null, password, gate, closed }
}

const NOT_COMPARED: CheckedPassword = { ok: false }

/** The owner of the account or a member of its team; nobody else may log in there. */
async function findInAccount(ctx: ReadContext, email: string, accountId: number | null) {
  const found = await findSignIn(ctx.db, email, accountId ?? 0)
  const isLetIn = accountId === null || found?.id === accountId || (found?.role ?? null) !== null
  return found && isLetIn ? found : null
}

async function lookAt(ctx: ReadContext, { hard, soft }: Gate, hasProof: boolean): Promise<ApiError | null> {
  const barred = hard && (await lookIfOpen(ctx, hard))
  return barred ?? (hasProof ? null : await lookIfOpen(ctx, soft))
}

async function gateOf(ctx: ReadContext, ip: string | null, personId: number, account: Limit): Promise<Gate> {
  if (await isKnownAddress(ctx.db, personId, addressKey(ip ?? ''))) {
    return { hard: null, soft: knownAddressLimit(personId, ip) }
  }
  return { hard: addressLimit(ip), soft: account }
}

export interface LoggedIn {
  readonly person: Developer
  /** For the cookie; shown once. */
  readonly token: string
  readonly seconds: number
}

/** Logs in, or refuses and counts why; both are in the audit log. */
export async function logIn(
  ctx: TxContext,
  scope: Scope,
  input: Login,
  checked: CheckedLogin,
): Promise<LoggedIn | Refused> {
  const { personId, password, gate, closed } = checked
  if (closed) return refuse(personId, closed)
  if (personId === null || !password.ok) {
    return refuse(personId, await countWrongPassword(ctx, gate))
  }
  const barred = gate.hard && (await requireOpen(ctx, gate.hard))
  if (barred) return refuse(personId, barred)
  const slowed = await requireOpen(ctx, gate.soft)
  const proven = await proveSecondFactor(ctx, personId, input)
  const failed = proven instanceof ApiError
  if (slowed && (failed || proven === 'none')) {
    // Counted like a wrong password, so that what is left to the address does not tell one from the other.
    return refuse(personId, await countWrongPassword(ctx, gate))
  }
  if (failed) return refuse(personId, proven)
  return enter(ctx, scope, { personId, password, proven, lastsMs: input.remember_me ? LONG_MS : SHORT_MS })
}

async function countWrongPassword(ctx: TxContext, { hard, soft }: Gate): Promise<ApiError> {
  const barred = hard && (await countFailure(ctx, hard))
  return barred ?? (await countFailure(ctx, soft)) ?? wrongCredentials()
}

/** Told to the audit log together with the others of its kind: strangers cannot fill it with failures. */
const refuse = (personId: number | null, error: ApiError): Refused =>
  new Refused(error, { action: 'login.failure', details: { person: personId, reason: error.code } })

/** Logs in whom a mailed link belongs to, for as long as without `remember_me`; 404 when the link works no more. */
export const enterByLink = (ctx: TxContext, link: Parameters<typeof signInByLink>[1]): Promise<LoggedIn> =>
  signInByLink(ctx, link, (scope, { id: personId, password, lastLoginAt }) =>
    enter(ctx, scope, { personId, password, proven: 'link', lastsMs: SHORT_MS, lastLoginAt }),
  )

interface Entry {
  readonly personId: number
  readonly password: ProvenPassword
  readonly proven: string
  readonly lastsMs: number
  /** It is refused when the person has logged in since. */
  readonly lastLoginAt?: UtcTime | null
}

async function enter(
  ctx: TxContext,
  { ip, requestId }: Scope,
  { personId, password, proven, lastsMs, ...link }: Entry,
): Promise<LoggedIn> {
  const now = ctx.clock.real()
  const { passwordHash, renewedHash } = password
  const seen = { ip, last_login_at: toUtcTime(now) }
  const change = renewedHash === null ? seen : { ...seen, password_hash: renewedHash }
  if (!(await updateSignedIn(ctx.db, { id: personId, passwordHash, ...link }, change)))
    throw wrongCredentials()
  await tellNewAddress(ctx, personId, ip)
  await rememberAddress(ctx.db, { person_id: personId, address: addressKey(ip ?? ''), last_at: now })
  const session = await startSession(ctx, personId, lastsMs, ip)
  const actor = { kind: 'developer', id: personId, credential: `session:${session.id}` } as const
  const entry = { actor, productId: null, ip, requestId }
  await audit(ctx, { ...entry, action: 'login.success', details: { second_factor: proven } })
  if (proven === 'backup_code') await audit(ctx, { ...entry, action: 'two_factor.off', details: {} })
  const row = await findDeveloper(ctx.db, personId)
  if (!row) throw new Error('The person who logged in is there.')
  return { person: presentDeveloper(row), token: session.token, seconds: lastsMs / 1000 }
}

/** Mails the person that it was logged in from an address that it has not used before; not of its first login. */
async function tellNewAddress(ctx: TxContext, personId: number, ip: string | null): Promise<void> {
  if (!(await hasAddresses(ctx.db, personId))) return
  if (await isKnownAddress(ctx.db, personId, addressKey(ip ?? ''))) return
  const person = await findDeveloper(ctx.db, personId)
  if (!person) return
  await queueMail(ctx, {
    ...toPerson(person),
    template: 'new_sign_in',
    values: { at: { time: ctx.clock.now() }, address: ip ?? '' },
  })
}
