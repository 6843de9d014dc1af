import type { ReadContext, TxContext } from '../../context.ts'
import { hasCome } from '../../db/has-come.ts'
import { type ApiError, tooManyRequests } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { HOUR } from '../../lib/time.ts'
import { addressKey } from '../../lib/token-buckets.ts'
import { countFailures, deleteFailuresOf, findFailures } from './login-queries.ts'

const WINDOW_MS = HOUR

/**
 * How many attempts may fail in a row, none an hour after the one before it. When they have, nothing is
 * let through for an hour after the last: so in any hour at most `most` fail, whatever their rhythm.
 */
export interface Limit {
  readonly key: string
  readonly most: number
}

/** Failed logins to an account, whether there is one or not (`docs/decisions.md` 3.8). */
export const accountLimit = ({ keys }: ReadContext, ...account: (string | number)[]): Limit => ({
  key: `account:${keys.keyedHash(account.join(' '), 'login')}`,
  most: 10,
})

/** Failed logins from an address. */
export const addressLimit = (ip: string | null): Limit => ({
  key: `address:${addressKey(ip ?? '')}`,
  most: 30,
})

const knownAddresses = (personId: number) => `known:${personId}:`

/** Failed logins of a person from an address of its own, on which strangers have no influence. */
export const knownAddressLimit = (personId: number, ip: string | null): Limit => ({
  key: `${knownAddresses(personId)}${addressKey(ip ?? '')}`,
  most: 10,
})

/** Passwords that are looked at after a refusal, of an address, whoever they are for. */
export const lateLimit = (ip: string | null): Limit => ({ key: `late:${addressKey(ip ?? '')}`, most: 10 })

/** Links to log in that are mailed to a person; each works for an hour, so that one always does. */
export const linkLimit = (personId: number): Limit => ({ key: `link:${personId}`, most: 3 })

/** Links for a forgotten password that are mailed to a person. */
export const passwordLinkLimit = (personId: number): Limit => ({ key: `forgotten:${personId}`, most: 3 })

/** Wrong codes after the right password. */
export const codeLimit = (personId: number): Limit => ({ key: `code:${personId}`, most: 10 })

/** Wrong passwords of somebody who is logged in. */
export const passwordLimit = (personId: number): Limit => ({ key: `password:${personId}`, most: 10 })

/** Lets a person log in at once, whatever has failed before; what failed from an address counts against that still. */
export async function forgetFailures(
  ctx: TxContext,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<void> {
  const limits = [accountLimit(ctx, fold(email)), codeLimit(id), linkLimit(id), passwordLimit(id)]
  await deleteFailuresOf(ctx.db, { keys: limits.map(({ key }) => key), prefix: knownAddresses(id) })
}

/** Counts a failure: null, or the 429 when there were too many before it, which is then not counted. */
export const countFailure = (ctx: TxContext, limit: Limit): Promise<ApiError | null> => attempt(ctx, limit, 1)

/** Null when an attempt may succeed now, else the 429. */
export const requireOpen = (ctx: TxContext, limit: Limit): Promise<ApiError | null> => attempt(ctx, limit, 0)

async function attempt(ctx: TxContext, limit: Limit, failures: 0 | 1): Promise<ApiError | null> {
  const now = ctx.clock.real()
  const isOpen = await countFailures(ctx.db, { ...limit, failures, now, windowMs: WINDOW_MS })
  return isOpen ? null : tooSoon(ctx, (await findFailures(ctx.db, limit.key))?.last_at ?? now)
}

/** Looks if an attempt may succeed now, without a claim, to spare the work for one that will be refused. */
export async function lookIfOpen(ctx: ReadContext, { key, most }: Limit): Promise<ApiError | null> {
  const found = await findFailures(ctx.db, key)
  const isOver = found && hasCome(found.last_at + WINDOW_MS, ctx.clock.real(), WINDOW_MS)
  const isOpen = !found || found.failures < most || isOver
  return isOpen ? null : tooSoon(ctx, found.last_at)
}

const tooSoon = ({ clock }: ReadContext, lastAt: number): ApiError =>
  tooManyRequests((lastAt + WINDOW_MS - clock.real()) / 1000)
