import { requireUnlimited, type Scope } from '../../access/scope.ts'
import {
  checkOwnPassword,
  refusedOwnPassword,
  type CheckedPassword,
} from '../../accounts/developers/passwords.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Refused } from '../../lib/errors.ts'
import type { KeyHolder, RenewedKeys, Renewal, ShownKeys } from './schema.ts'
import { renewKeys, showKeys } from './service.ts'

type OwnHolder = Omit<KeyHolder, 'developerId'>

interface Asking {
  readonly scope: Scope
  readonly body: Renewal
}

/** What was asked for, with the password of who is logged in; null: a key or a token of the account asks. */
interface AskedRenewal {
  readonly overlapHours: number
  readonly password: CheckedPassword | null
}

/**
 * The keys as they are, for who has given the password again (`docs/decisions.md` 3.29). 401 `invalid_credentials` for
 * a wrong one, which is counted; 404 when the account has no such store or product.
 */
export async function showOwnKeys(
  ctx: TxContext,
  scope: Scope,
  holder: OwnHolder,
  password: CheckedPassword,
): Promise<ShownKeys | Refused> {
  const refusal = await refusedOwnPassword(ctx, scope, password)
  return refusal ?? (await showKeys(ctx, { ...holder, developerId: scope.developerId }))
}

/** Whoever is logged in gives the password again, so that an open session alone replaces no key. */
export async function checkRenewal(
  _: ReadContext,
  { scope, body }: Asking,
  problems: Problems,
): Promise<void> {
  if (scope.actor.sessionId === undefined || body.current_password !== undefined) return
  problems.missing.push({ field: 'current_password', message: 'is required with a session' })
}

/** The password, compared before the transaction; signed calls and tokens have none. */
export async function prepareRenewal(ctx: ReadContext, { scope, body }: Asking): Promise<AskedRenewal> {
  const isLoggedIn = scope.actor.sessionId !== undefined
  const password = isLoggedIn ? await checkOwnPassword(ctx, scope, body.current_password ?? '') : null
  return { overlapHours: body.overlap_hours, password }
}

/**
 * Replaces a secret key by a request. 401 `token_not_allowed` by a token of some rights, as a secret key has all;
 * `invalid_credentials` for a wrong password, which is counted.
 */
export async function renewOwnKeys(
  ctx: TxContext,
  scope: Scope,
  holder: OwnHolder,
  { overlapHours, password }: AskedRenewal,
): Promise<RenewedKeys | Refused> {
  requireUnlimited(scope, 'Another secret key')
  const refusal = password && (await refusedOwnPassword(ctx, scope, password))
  return refusal ?? (await renewKeys(ctx, { ...holder, developerId: scope.developerId }, overlapHours))
}
