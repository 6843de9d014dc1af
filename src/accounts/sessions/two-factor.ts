import type { TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken } from '../../lib/credentials.ts'
import { ApiError, invalid, Refused, unauthorized } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { asGivenOut, newBackupCode, newTotp, totpStep } from './totp.ts'
import { codeLimit, countFailure, requireOpen } from './attempts.ts'
import { findPasswordHash } from './password-rows.ts'
import { type CheckedPassword, refusedPassword } from '../developers/passwords.ts'
import type { TwoFactorProof } from '../developers/schema.ts'
import {
  confirmTwoFactor,
  findTwoFactor,
  insertBackupCodes,
  insertTwoFactor,
  spendBackupCode,
  spendStep,
} from './two-factor-queries.ts'
import { deleteTwoFactor } from './two-factor-rows.ts'

const PLACE = 'two_factor.secret'
const BACKUP_CODES = 10

const required = () =>
  unauthorized('two_factor_required', 'This login needs a code of the authenticator app.')
const wrongCode = () => unauthorized('two_factor_invalid', 'The code is wrong, too old, or was used before.')
const alreadyOn = () => invalid('two_factor_on', 'Two-factor is on: remove it first.')

/**
 * Whether a person has shown its second factor: by which means, `none` when it has none, or the refusal. A
 * code is used up, and so is a backup code, which switches two-factor off (`docs/decisions.md` 3.9).
 */
export async function proveSecondFactor(
  ctx: TxContext,
  personId: number,
  proof: TwoFactorProof,
): Promise<'none' | 'code' | 'backup_code' | ApiError> {
  const found = await findTwoFactor(ctx.db, personId)
  const isOn = found !== undefined && found.confirmed_at !== null
  if (proof.backup_code) {
    const hash = hashToken(asGivenOut(proof.backup_code))
    if (!isOn || !(await spendBackupCode(ctx.db, personId, hash))) return failed(ctx, personId)
    await deleteTwoFactor(ctx.db, personId)
    return 'backup_code'
  }
  if (!isOn) return 'none'
  if (!proof.code) return required()
  const step = totpStep(ctx.keys.open(found.secret, PLACE), proof.code, ctx.clock.real())
  if (step === null) return failed(ctx, personId)
  const tooMany = await requireOpen(ctx, codeLimit(personId))
  if (tooMany) return tooMany
  return (await spendStep(ctx.db, personId, step)) ? 'code' : failed(ctx, personId)
}

const failed = async (ctx: TxContext, personId: number): Promise<ApiError> =>
  (await countFailure(ctx, codeLimit(personId))) ?? wrongCode()

/** A new secret, shown once; two-factor is not on before a code of it was shown. */
export async function startTwoFactor(
  ctx: TxContext,
  scope: Scope,
  password: CheckedPassword,
): Promise<{ secret: string; otpauth_url: string } | Refused> {
  const refusal = await refusedPassword(ctx, scope, password)
  if (refusal) return refusal
  const person = await findPasswordHash(ctx.db, scope.actor.id)
  const { secret, url } = newTotp(person?.email ?? '')
  if (!(await insertTwoFactor(ctx.db, scope.actor.id, ctx.keys.seal(secret, PLACE)))) throw alreadyOn()
  return { secret, otpauth_url: url }
}

/** Switches two-factor on by a first code; answers the backup codes, shown once. */
export async function finishTwoFactor(
  ctx: TxContext,
  scope: Scope,
  code: string,
): Promise<{ backup_codes: string[] } | Refused> {
  const { id: personId } = scope.actor
  const found = await findTwoFactor(ctx.db, personId)
  if (!found) throw invalid('two_factor_not_begun', 'Begin with two_factor.json.')
  if (found.confirmed_at !== null) throw alreadyOn()
  const now = ctx.clock.real()
  const step = totpStep(ctx.keys.open(found.secret, PLACE), code, now)
  if (step === null) return new Refused(await failed(ctx, personId))
  const tooMany = await requireOpen(ctx, codeLimit(personId))
  if (tooMany) return new Refused(tooMany)
  const on = { secret: found.secret, step, now: toUtcTime(now) }
  if (!(await confirmTwoFactor(ctx.db, personId, on))) throw alreadyOn()
  const codes = Array.from({ length: BACKUP_CODES }, newBackupCode)
  await insertBackupCodes(ctx.db, personId, codes.map(hashToken))
  await auditSwitch(ctx, scope, 'two_factor.on')
  return { backup_codes: codes }
}

/** Switches two-factor off by a code or a backup code. */
export async function removeTwoFactor(
  ctx: TxContext,
  scope: Scope,
  proof: TwoFactorProof,
): Promise<Refused | undefined> {
  const { id: personId } = scope.actor
  const proven = await proveSecondFactor(ctx, personId, proof)
  if (proven === 'none') throw invalid('two_factor_off', 'Two-factor is not on.')
  if (proven instanceof ApiError) return new Refused(proven)
  await deleteTwoFactor(ctx.db, personId)
  await auditSwitch(ctx, scope, 'two_factor.off')
  return undefined
}

async function auditSwitch(ctx: TxContext, scope: Scope, action: string): Promise<void> {
  const { actor, ip, requestId } = scope
  await audit(ctx, { action, actor, productId: null, ip, requestId, details: {} })
}
