import type { GoingOn } from '../../db/list-start.ts'
import { hold } from '../../db/hold.ts'
import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { requireWhole, userKeysShownTo, type Scope } from '../../access/scope.ts'
import { differences } from '../../lib/differences.ts'
import { notFound, Refused } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { spanOf } from '../../lib/time-text.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { recordEvent } from '../../events/log/record.ts'
import { askForAddress } from '../proof/change-email.ts'
import { shownUser } from './keys.ts'
import { addNameProblems, foldedName, namesOf } from './names.ts'
import { countUsers, listUsers, searchUsers, updatePerson } from './queries.ts'
import { findUser, updateProductUser, updateTwins } from './user-rows.ts'
import {
  presentUser,
  withNoteFor,
  type AccountUserList,
  type User,
  type UserList,
  type UserOfProduct,
  type UserRow,
  type UserUpdate,
} from './schema.ts'
import { USER } from './user.entity.ts'

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
  query: UserList & GoingOn,
): Promise<User[]> {
  const keys = userKeysShownTo(scope, ctx.keys)
  return (await rowsOf(ctx, scope, query)).map((row) => presentUser(row, keys))
}

/** The rows of a page; those of a span say when each became a user of the product. */
async function rowsOf(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: UserList & GoingOn,
): Promise<readonly (UserRow & { readonly joined?: string })[]> {
  const { email, search, filter, sort, count, offset, below } = query
  const made = spanOf(query)
  if ((email ?? search ?? made) === undefined && sort === '-id')
    return listUsers(pageReader(ctx, { offset }), scope, { filter, count, offset, below })
  const db = search === undefined && made === undefined ? ctx.db : ctx.database.background
  return searchUsers(db, scope, searchOf(query))
}

/** How many users a list has, counted no further than its `count`. */
export const totalOfUsers = (
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: UserList,
): Promise<number> => countUsers(ctx.database.background, scope, searchOf(query))

const searchOf = (query: UserList & GoingOn) => ({
  filter: query.filter,
  made: spanOf(query),
  sort: query.sort,
  count: query.count,
  offset: query.offset,
  below: query.below,
  emailFolded: query.email === undefined ? undefined : fold(query.email.trim()),
  part: query.search === undefined ? undefined : fold(query.search.trim()),
  id: idOf(query.search),
})

/** A page of the users of all products of an account, newest first. */
export async function usersOfAccount(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: AccountUserList,
): Promise<UserOfProduct[]> {
  const lists = await overProducts(ctx, scope, query, async (of, whole) => {
    const keys = userKeysShownTo(of, ctx.keys)
    return (await rowsOf(ctx, of, whole)).map((row) => ({
      id: String(row.id),
      // As each list is ordered: when a person came to the account says nothing of when it came to a product.
      created: row.joined ?? row.created,
      user: { ...presentUser(row, keys), plugin_id: String(of.productId) },
    }))
  })
  return pageOfAll(lists, query, orderOf(query)).map(({ user }) => user)
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
  const change = USER.columns(USER.read('update', { ...input, ...namesOf(input) }))
  const { to } = differences(before, { ...before, ...change }) ?? { to: {} }
  refuseOwnReach(scope, to)
  const refusal = await askForAddress(ctx, scope, before, input)
  if (refusal) return new Refused(refusal)
  await rename(ctx, scope, before, to)
  await changePlace(ctx, scope, id, to)
  return shownUser(ctx, scope, await getUser(ctx, scope, id))
}

type Changed = Partial<UserRow>

function refuseOwnReach(
  scope: Scope,
  { first, last, is_marketing_allowed: allowed, is_beta: beta }: Changed,
) {
  if (first !== undefined || last !== undefined) requireWhole(scope, 'Another name')
  if (allowed !== undefined && allowed !== false) requireWhole(scope, 'Consent to mail')
  if (beta !== undefined) requireWhole(scope, 'The beta program')
}

async function rename(ctx: TxContext, scope: Scope, user: UserRow, { first, last }: Changed): Promise<void> {
  if (first === undefined && last === undefined) return
  const from = { first: user.first, last: user.last }
  const to = { first: first ?? from.first, last: last ?? from.last }
  await updatePerson(ctx.db, scope, user.id, { ...to, updated: ctx.clock.now() })
  await updateTwins(ctx.db, user.id, { email_folded: fold(user.email), name_folded: foldedName(to) })
  await recordEvent(ctx, scope, {
    type: 'user.name.changed',
    userId: user.id,
    data: { user_id: String(user.id), from, to },
  })
}

/** A change of the user's place in the product is a change of the user. */
async function changePlace(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  { is_marketing_allowed: allowed, is_beta: beta }: Changed,
): Promise<void> {
  const change = {
    ...(allowed !== undefined && { is_marketing_allowed: allowed }),
    ...(beta !== undefined && { is_beta: beta }),
  }
  const types = [
    ...(allowed === undefined ? [] : [CONSENT_EVENT[`${allowed}`]]),
    ...(beta === undefined ? [] : [BETA_EVENT[`${beta}`]]),
  ]
  if (types.length === 0) return
  const updated = ctx.clock.now()
  await updateProductUser(ctx.db, scope, userId, { ...change, updated })
  await updatePerson(ctx.db, scope, userId, { updated })
  for (const type of types) await recordEvent(ctx, scope, { type, userId, data: { user_id: String(userId) } })
}

const CONSENT_EVENT = {
  null: 'user.marketing.reset',
  false: 'user.marketing.opted_out',
  true: 'user.marketing.opted_in',
} as const

const BETA_EVENT = { false: 'user.beta_program.opted_out', true: 'user.beta_program.opted_in' } as const
