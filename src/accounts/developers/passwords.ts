import type { ReadContext, TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { type ApiError, Refused, unauthorized } from '../../lib/errors.ts'
import { hashPassword, passwordProblem, verifyNothing, verifyPassword } from '../../lib/password.ts'
import { countFailure, passwordLimit, requireOpen } from '../sessions/attempts.ts'
import { findPasswordHash, updateSignedIn } from '../sessions/password-rows.ts'
import { endAddressChanges } from './person-queries.ts'
import type { PasswordChange } from './schema.ts'
import { deleteOtherSessions } from '../sessions/session-rows.ts'

/** A password that was compared, before the transaction that relies on it. */
export type CheckedPassword =
  | { readonly ok: false }
  | {
      readonly ok: true
      /** What it was compared with, for the transaction to see that it still stands. */
      readonly passwordHash: string
      /** The hash at today's cost, when the stored one has another (`docs/security-checks.md` S09). */
      readonly renewedHash: string | null
    }

/**
 * One answer for an unknown person, one without a password and a wrong password (`docs/security-checks.md` S12).
 */
export const wrongCredentials = (): ApiError =>
  unauthorized('invalid_credentials', 'The email address or the password is wrong.')

/** Compares a password; what is not there takes the same time as what does not fit. */
export async function checkPassword(
  { passwordCost }: ReadContext,
  password: string,
  stored: string | null | undefined,
): Promise<CheckedPassword> {
  if (stored === null || stored === undefined) {
    await verifyNothing(password, passwordCost)
    return { ok: false }
  }
  const { ok, outdated } = await verifyPassword(password, stored, passwordCost)
  if (!ok) return { ok }
  return {
    ok,
    passwordHash: stored,
    renewedHash: outdated ? await hashPassword(password, passwordCost) : null,
  }
}

/** The password of whoever is logged in, before something that only its owner may do. */
export async function checkOwnPassword(
  ctx: ReadContext,
  { actor }: Scope,
  password: string,
): Promise<CheckedPassword> {
  const found = await findPasswordHash(ctx.db, actor.id)
  return checkPassword(ctx, password, found?.password_hash)
}

/** Null when the password was right and may be acted on, else the refusal, which is counted. */
export async function refusedPassword(
  ctx: TxContext,
  { actor }: Scope,
  checked: CheckedPassword,
): Promise<Refused | null> {
  const limit = passwordLimit(actor.id)
  const refusal = checked.ok
    ? await requireOpen(ctx, limit)
    : ((await countFailure(ctx, limit)) ?? wrongCredentials())
  return refusal && new Refused(refusal)
}

/** Whether it is the password still; who changed it has ended what was asked for with the one before. */
export const isPasswordOf = async (
  ctx: ReadContext,
  id: number,
  { passwordHash }: { readonly passwordHash: string },
) => (await findPasswordHash(ctx.db, id))?.password_hash === passwordHash

/** As `refusedPassword`, also where the password was changed since it was compared. */
export async function refusedOwnPassword(
  ctx: TxContext,
  scope: Scope,
  checked: CheckedPassword,
): Promise<Refused | null> {
  const refusal = await refusedPassword(ctx, scope, checked)
  if (refusal || (checked.ok && (await isPasswordOf(ctx, scope.actor.id, checked)))) return refusal
  return new Refused(wrongCredentials())
}

/** A new password keeps the rules of passwords (`docs/security-checks.md` S09). */
export async function checkNewPassword({ new_password: password }: PasswordChange, problems: Problems) {
  if (problems.has('new_password')) return
  const problem = await passwordProblem(password)
  if (problem !== null) problems.malformed.push({ field: 'new_password', message: problem })
}

export interface PreparedChange {
  readonly current: CheckedPassword
  readonly newHash: string
}

/** The work of a change that must not hold a transaction. */
export const prepareChange = async (
  ctx: ReadContext,
  scope: Scope,
  input: PasswordChange,
): Promise<PreparedChange> => ({
  current: await checkOwnPassword(ctx, scope, input.current_password),
  newHash: await hashPassword(input.new_password, ctx.passwordCost),
})

/**
 * What whoever had the password before may have left: other sessions, access tokens (`docs/security-checks.md` S13),
 * and links to an address of its own, which would take the account over without a password.
 */
export async function endWithPassword(
  ctx: TxContext,
  personId: number,
  keptSessionId: number,
): Promise<void> {
  await deleteOtherSessions(ctx.db, personId, keptSessionId)
  await endAddressChanges(ctx.db, personId, ctx.clock.now())
}

/** Changes one's own password, and ends what came with the one before. */
export async function changePassword(
  ctx: TxContext,
  scope: Scope,
  { current, newHash }: PreparedChange,
): Promise<Refused | undefined> {
  const refusal = await refusedPassword(ctx, scope, current)
  if (refusal || !current.ok) return refusal ?? new Refused(wrongCredentials())
  const { actor, ip, requestId } = scope
  const person = { id: actor.id, passwordHash: current.passwordHash }
  const change = { password_hash: newHash, updated: ctx.clock.now() }
  if (!(await updateSignedIn(ctx.db, person, change))) throw wrongCredentials()
  await endWithPassword(ctx, actor.id, actor.sessionId ?? 0)
  await audit(ctx, { action: 'password.changed', actor, productId: null, ip, requestId, details: {} })
  return undefined
}
