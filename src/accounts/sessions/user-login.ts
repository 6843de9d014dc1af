import type { ReadContext, TxContext } from '../../context.ts'
import { formerSecrets } from '../../db/former-keys.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { type ApiError, invalidFields, Refused, unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { issueAccessToken } from '../tokens/access-tokens.ts'
import { accountLimit, addressLimit, countFailure, type Limit, lookIfOpen, requireOpen } from './attempts.ts'
import { findSecretKey, findUserSignIn, isStoreOf, updateUserSignedIn } from './login-queries.ts'
import { checkPassword, wrongCredentials } from '../developers/passwords.ts'
import type { UserLogin, UserLoginReply } from '../developers/schema.ts'

type User = NonNullable<Awaited<ReturnType<typeof findUserSignIn>>>

/** A user's login that was looked at, before the transaction that lets the user in. */
export interface CheckedUserLogin {
  /** Null when anything was wrong; of user and password nobody is told which. */
  readonly user: User | null
  /** Whether the secret key of the developer is right. */
  readonly isSite: boolean
  readonly passwordHash: string | null
  readonly renewedHash: string | null
  /** What a failure is counted against: the address of a stranger, the person at a site that has the secret. */
  readonly limit: Limit
  /** The refusal that the limit had ready, for which no password was compared. */
  readonly closed: ApiError | null
}

/**
 * Looks at the secret key of the site and the password of the user. Without a password the site vouches for
 * its user by its secret key (`docs/interface.md` 2.7). It costs the same whatever is wrong.
 */
export async function checkUserLogin(
  ctx: ReadContext,
  { ip }: Scope,
  input: UserLogin,
): Promise<CheckedUserLogin> {
  const { developer_id: developerId, password = '' } = input
  const isSite = await hasSecretKey(ctx, input)
  const email = fold(input.email)
  const guessed = password === '' ? 'vouched' : 'user'
  const limit = isSite ? accountLimit(ctx, guessed, developerId, email) : addressLimit(ip)
  const closed = await lookIfOpen(ctx, limit)
  if (closed) return { user: null, isSite, passwordHash: null, renewedHash: null, limit, closed }
  const found = await findUserSignIn(ctx.db, isSite ? developerId : 0, email)
  const checked = await checkPassword(ctx, password, found?.password_hash)
  if (isSite) await requireOwnStore(ctx, input)
  if (found && checked.ok) return { user: found, isSite, ...checked, limit, closed }
  const vouchedFor = password === '' && found ? found : null
  return { user: vouchedFor, isSite, passwordHash: null, renewedHash: null, limit, closed }
}

async function requireOwnStore(
  ctx: ReadContext,
  { developer_id: developerId, store_id: storeId }: UserLogin,
) {
  if (storeId === undefined || (await isStoreOf(ctx.db, storeId, developerId))) return
  throw invalidFields([{ field: 'store_id', message: 'must be a store of the developer' }])
}

async function hasSecretKey(ctx: ReadContext, input: UserLogin): Promise<boolean> {
  const found = await findSecretKey(ctx.db, input.developer_id)
  const secret = found ? ctx.keys.open(found.secret_key, 'developers.secret_key') : ''
  const former = await formerSecrets(ctx, 'developers', input.developer_id)
  const fitting = [secret, ...former].filter((one) => sameText(one, input.developer_secret_key))
  return fitting.length > 0 && found !== undefined
}

/** Issues an access token of the user, good for 24 hours; a failure is counted and in the audit log. */
export async function logInUser(
  ctx: TxContext,
  scope: Scope,
  { developer_id: developerId }: UserLogin,
  { user, isSite, passwordHash, renewedHash, limit, closed: early }: CheckedUserLogin,
): Promise<UserLoginReply | Refused> {
  if (early) return refuse(early)
  const closed = user ? await requireOpen(ctx, limit) : await countFailure(ctx, limit)
  if (closed || !user) return refuse(closed ?? (isSite ? wrongCredentials() : wrongKey()))
  const seen = { last_login_at: ctx.clock.now() }
  const change = renewedHash === null ? seen : { ...seen, password_hash: renewedHash }
  if (!(await updateUserSignedIn(ctx.db, { id: user.id, passwordHash }, change))) throw wrongCredentials()
  const token = await issueAccessToken(ctx, { developerId, userId: user.id })
  const { ip, requestId } = scope
  const actor = {
    kind: 'user',
    id: user.id,
    credential: passwordHash === null ? 'site' : 'password',
  } as const
  await audit(ctx, { action: 'user_login.success', actor, productId: null, ip, requestId, details: {} })
  const { id, email, first, last, picture, is_verified: isVerified, created } = user
  const person = { id: String(id), email, first, last, picture, is_verified: isVerified, created }
  return { user_token: { person, token } }
}

/** Who the user is has no part in it, so that it tells nothing of users. */
const wrongKey = () => unauthorized('unauthorized_access', 'developer_id or developer_secret_key is wrong.')

/** Told to the audit log together with the others of its kind. */
const refuse = (error: ApiError): Refused =>
  new Refused(error, { action: 'user_login.failure', details: { reason: error.code } })
