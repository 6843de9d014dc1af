import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { withHeaders } from '../../http/answer.ts'
import { loginHeaders, noSessionCookie } from '../../http/session.ts'
import { Refused } from '../../lib/errors.ts'
import type { LoggedIn } from './login.ts'
import { endSession } from './sessions.ts'

/** What a login by address and password may be refused with. */
export const LOGIN_REFUSALS = [
  'invalid_credentials',
  'recaptcha_invalid',
  'recaptcha_unavailable',
  'two_factor_invalid',
  'two_factor_required',
] as const

/** Who is logged in, with the cookie of the session; or the refusal. */
export function loginAnswer(ctx: ReadContext, result: LoggedIn | Refused) {
  if (result instanceof Refused) return result
  const { person, token, seconds } = result
  return withHeaders({ person, expires: seconds, is_new: false }, loginHeaders(ctx, token, seconds))
}

/** Ends the session, and has the browser forget its cookie. */
export async function logOut(ctx: TxContext, scope: Scope) {
  await endSession(ctx, scope)
  return withHeaders(undefined, { 'set-cookie': noSessionCookie(ctx) })
}
