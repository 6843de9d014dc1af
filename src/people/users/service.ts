import { hold } from '../../db/hold.ts'
import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { requireWhole, userKeysShownTo, type Scope } from '../../access/scope.ts'
import { notFound, Refused } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { askForAddress } from '../proof/change-email.ts'
import { shownUser } from './keys.ts'
import { addNameProblems, foldedName, namesOf } from './names.ts'
import { listUsers, searchUsers, updatePerson } from './queries.ts'
import { findUser, updateProductUser, updateTwins } from './user-rows.ts'
import {
  presentUser,
  withNoteFor,
  type User,
  type UserList,
  type UserRow,
  type UserUpdate,
} from './schema.ts'

/** The user's row; 404 when the product has no such user. */
export const getUser = (ctx: ReadContext, scope: Scope, id: number): Soon<UserRow> =>
  goOn(findUser(ctx.db, scope, { id }), ([user]) => {
    if (!user) throw notFound('user')
    return withNoteFor(scope, user)
  })

/** A page of users, newest first (`docs/interface.md` 6.2). A search runs beside the requests, not between them. */
export async function getUsers(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  { email, search, filter, count, offset }: UserList,
): Promise<User[]> {
  const rows =
    email === undefined && search === undefined
      ? await listUsers(pageReader(ctx, { offset }), scope, { filter, count, offset })
      : await searchUsers(search === undefined ? ctx.db : ctx.database.background, scope, {
          filter,
          count,
          offset,
          emailFolded: email === undefined ? undefined : fold(email.trim()),
          part: search === undefined ? undefined : fold(search.trim()),
          id: idOf(search),
        })
  const keys = userKeysShownTo(scope, ctx.keys)
  return rows.map((row) => presentUser(row, keys))
}

const idOf = (text: string | undefined) =>
  text !== undefined && /^[1-9][0-9]{0,14}$/.test(text.trim()) ? Number(text) : undefined

/** A name that was given must not be empty, nor split into parts that are too long. */
export async function checkNames(body: UserUpdate, problems: Problems): Promise<void> {
  addNameProblems(body, problems)
  const { first } = namesOf(body)
  if (first === '' || (body.name !== undefined && body.name.trim() === '')) {
    problems.malformed.push({ field: first === '' ? 'first' : 'name', message: 'must not be empty' })
  }
}

/**
 * Writes what was given and differs; an update that changes nothing writes and records nothing. Another address is
 * asked for (`askForAddress`); where it is refused, nothing else is written either. Keys that are not proven to be the
 * person's take back its consent to mail, and change nothing else of it (`requireWhole`).
 */
export async function updateUser(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: UserUpdate,
): Promise<User | Refused> {
  if (!(await hold(ctx.db, 'users', scope, id))) throw notFound('user')
  const before = await getUser(ctx, scope, id)
  refuseOwnReach(scope, before, input)
  const refusal = await askForAddress(ctx, scope, before, input)
  if (refusal) return new Refused(refusal)
  await rename(ctx, scope, before, input)
  await changeConsent(ctx, scope, before, input.is_marketing_allowed)
  await changeBeta(ctx, scope, before, input.is_beta)
  return shownUser(ctx, scope, await getUser(ctx, scope, id))
}

function refuseOwnReach(scope: Scope, user: UserRow, input: UserUpdate): void {
  const { first = user.first, last = user.last } = namesOf(input)
  const { is_marketing_allowed: allowed = false, is_beta: beta } = input
  if (first !== user.first || last !== user.last) requireWhole(scope, 'Another name')
  if (flagOf(allowed) !== user.is_marketing_allowed && allowed !== false)
    requireWhole(scope, 'Consent to mail')
  if (beta !== undefined && flagOf(beta) !== user.is_beta) requireWhole(scope, 'The beta program')
}

const flagOf = (value: boolean | null) => (value === null ? null : value ? 1 : 0)

async function rename(ctx: TxContext, scope: Scope, user: UserRow, input: UserUpdate): Promise<void> {
  const from = { first: user.first, last: user.last }
  const to = { ...from, ...namesOf(input) }
  if (to.first === from.first && to.last === from.last) return
  await updatePerson(ctx.db, scope, user.id, { ...to, updated: toUtcTime(ctx.clock.real()) })
  await updateTwins(ctx.db, user.id, { email_folded: fold(user.email), name_folded: foldedName(to) })
  await recordEvent(ctx, scope, {
    type: 'user.name.changed',
    userId: user.id,
    data: { user_id: String(user.id), from, to },
  })
}

async function changeConsent(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  allowed: boolean | null | undefined,
): Promise<void> {
  if (allowed === undefined) return
  const value = flagOf(allowed)
  if (value === user.is_marketing_allowed) return
  await touch(ctx, scope, user.id, { is_marketing_allowed: value })
  const type = CONSENT_EVENT[String(value) as keyof typeof CONSENT_EVENT]
  await recordEvent(ctx, scope, { type, userId: user.id, data: { user_id: String(user.id) } })
}

const CONSENT_EVENT = {
  null: 'user.marketing.reset',
  0: 'user.marketing.opted_out',
  1: 'user.marketing.opted_in',
} as const

async function changeBeta(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  beta: boolean | undefined,
): Promise<void> {
  if (beta === undefined || beta === (user.is_beta === 1)) return
  await touch(ctx, scope, user.id, { is_beta: beta ? 1 : 0 })
  const type = beta ? 'user.beta_program.opted_in' : 'user.beta_program.opted_out'
  await recordEvent(ctx, scope, { type, userId: user.id, data: { user_id: String(user.id) } })
}

/** A change of the user's place in the product is a change of the user. */
async function touch(
  ctx: TxContext,
  scope: Scope,
  id: number,
  change: Parameters<typeof updateProductUser>[3],
): Promise<void> {
  const updated = toUtcTime(ctx.clock.real())
  await updateProductUser(ctx.db, scope, id, { ...change, updated })
  await updatePerson(ctx.db, scope, id, { updated })
}
