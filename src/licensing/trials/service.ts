import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { GoingOn } from '../../db/list-start.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { parseTimeText, spanOf } from '../../lib/time-text.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { notFound } from '../../lib/errors.ts'
import { getUser } from '../../people/users/service.ts'
import { addressesOf, countTrials, findTrial, listTrials } from './queries.ts'
import {
  presentTrial,
  type AccountTrialList,
  type ListedTrial,
  type Trial,
  type TrialCancel,
  type TrialList,
  type TrialStart,
  type UserTrialList,
} from './schema.ts'

const NO_TIME = 'must be YYYY-MM-DD HH:MM:SS in UTC'
const REASONS = 15

/** The times of a list must be times. */
export async function checkTrialList({ from, to }: TrialList, problems: Problems): Promise<void> {
  for (const [field, text] of Object.entries({ from, to })) addTimeProblem(field, text, problems)
}

export async function checkTrialStart(body: TrialStart, problems: Problems): Promise<void> {
  addTimeProblem('trial_ends', body.trial_ends, problems)
}

/** Reasons are those of an uninstall (`docs/interface.md` 12.6). */
export async function checkTrialCancel({ reason_ids: ids }: TrialCancel, problems: Problems): Promise<void> {
  if (ids === undefined || (parseIdList(ids) ?? []).every((id) => id <= REASONS)) return
  problems.malformed.push({ field: 'reason_ids', message: `must be ids of reasons, 1 to ${REASONS}` })
}

function addTimeProblem(field: string, text: string | undefined, problems: Problems): void {
  if (text === undefined || parseTimeText(text, 'last second') !== null) return
  problems.malformed.push({ field, message: NO_TIME })
}

type ListContext = ReadContext & Pick<Context, 'database'>

/** A page of the product's trials, newest first. */
export async function getTrials(
  ctx: ListContext,
  scope: Scope,
  query: TrialList & GoingOn,
): Promise<ListedTrial[]> {
  const rows = await listTrials(pageReader(ctx, query), scope, filterOf(query))
  if (!query.extended || rows.length === 0) return rows.map(presentTrial)
  const people = await addressesOf(ctx.db, [...new Set(rows.map((row) => row.user_id))])
  return rows.map((row) => ({
    ...presentTrial(row),
    email: people.find(({ id }) => id === row.user_id)?.email ?? '',
  }))
}

/** How many trials a list of a product has, counted no further than its `count`. */
export const totalOfTrials = (ctx: ListContext, scope: Scope, query: TrialList): Promise<number> =>
  countTrials(ctx.database.background, scope, filterOf(query))

const filterOf = (query: TrialList & GoingOn) => ({
  state: query.filter,
  equal: {
    ...(query.user_id !== undefined && { user_id: query.user_id }),
    ...(query.license_id !== undefined && { license_id: query.license_id }),
  },
  made: spanOf(query),
  sort: query.sort,
  environment: query.environment,
  count: query.count,
  offset: query.offset,
  below: query.below,
})

/** A page of the trials of all products of an account, newest first. */
export async function trialsOfAccount(
  ctx: ListContext,
  scope: Scope,
  query: AccountTrialList,
): Promise<ListedTrial[]> {
  const lists = await overProducts(ctx, scope, query, (of, whole) => getTrials(ctx, of, whole))
  return pageOfAll(lists, query, orderOf(query))
}

/** A page of the trials of a user, newest first; 404 when the product has no such user, unless it is who asks. */
export async function trialsOfUser(
  ctx: ListContext,
  scope: Scope,
  userId: number,
  query: UserTrialList,
): Promise<Trial[]> {
  if (scope.userId === null) await getUser(ctx, scope, userId)
  return getTrials(ctx, { ...scope, userId }, { ...query, sort: '-id', extended: false })
}

/** 404 when the product has no such trial. */
export async function getTrial(ctx: ReadContext, scope: Scope, id: number): Promise<Trial> {
  const row = await findTrial(ctx.db, scope, id)
  if (!row) throw notFound('trial')
  return presentTrial(row)
}
