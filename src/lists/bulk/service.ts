import type { ReadContext, TxContext } from '../../context.ts'
import type { Actor, Scope } from '../../access/scope.ts'
import { Problems } from '../../http/decode.ts'
import { isAllowed, requireRight } from '../../http/roles.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { keptOf, makerOf } from '../asker.ts'
import { checkNames, queryOf, tellOfFilter } from '../filter.ts'
import { requireRoom } from '../waiting.ts'
import { listOf } from '../exports/kinds.ts'
import { argumentsOf, BULK_ACTIONS, checkArguments, doingOf, type Doing, type Given } from './actions.ts'
import {
  findBulk,
  insertBulk,
  insertItems,
  listBulks,
  listItems,
  reopenBulk,
  retryFailed,
} from './queries.ts'
import {
  presentBulk,
  presentBulkItem,
  type Bulk,
  type BulkItem,
  type BulkItemList,
  type BulkList,
  type BulkRow,
  type NewBulk,
} from './schema.ts'

const PLACE = 'bulks.asked'

/** What a bulk action was asked for by, as it is kept. */
export interface Asked {
  /** The arguments of the list, in their types; null: the ids were named. */
  readonly query: Given | null
  /** Those of the action, as they came. */
  readonly given: Given
  readonly actor: Actor
  readonly ip: string | null
  readonly requestId: string | null
}

/** Adds what is wrong with what an action is done to, and with its arguments, to the problems of the request. */
export function checkBulk(ctx: ReadContext, scope: Scope, body: NewBulk, problems: Problems): void {
  if (['action', 'filter', 'arguments'].some((name) => problems.has(name))) return
  const doing = doingOf(ctx, body.action)
  requireRight(scope, doing.op)
  checkArguments(doing, body.arguments ?? {}, problems)
  if (body.ids === undefined && body.filter === undefined) {
    problems.missing.push({ field: 'ids', message: 'is required, or filter' })
  }
  if (body.ids !== undefined && body.filter !== undefined) {
    problems.malformed.push({ field: 'filter', message: 'must be absent where ids are named' })
  }
  const list = listOf(ctx, doing.kind, true)
  requireRight(scope, list.op)
  checkNames(list, doing.kind, Object.keys(body.filter ?? {}), problems)
  const own = new Problems()
  queryOf(list, body.filter ?? {}, own)
  tellOfFilter(problems, own)
}

/**
 * Asks for something to be done to many rows, which the job `run-bulks` does. Named rows are noted at once, those of a
 * filter by the job. 400 `too_many_waiting` while 10 of the account wait.
 */
export async function askForBulk(ctx: TxContext, scope: Scope, body: NewBulk): Promise<Bulk> {
  const doing = doingOf(ctx, body.action)
  await requireRoom(ctx, scope, 'bulks', 'bulk actions')
  const ids = body.ids === undefined ? null : (parseIdList(body.ids) ?? [])
  const asked: Asked = {
    query: ids ? null : queryOf(listOf(ctx, doing.kind, true), body.filter ?? {}, new Problems()),
    given: body.arguments ?? {},
    actor: keptOf(scope.actor),
    ip: scope.ip,
    requestId: scope.requestId,
  }
  const row = await insertBulk(ctx.db, {
    developer_id: scope.developerId,
    product_id: scope.productId,
    maker: makerOf(scope),
    action: body.action,
    asked: ctx.keys.seal(JSON.stringify(asked), PLACE),
    is_dry_run: body.dry_run,
    state: ids ? 'running' : 'collecting',
    below: ids ? 0 : Number.MAX_SAFE_INTEGER,
    failures: 0,
    total: ids?.length ?? 0,
    done: 0,
    failed: 0,
    error: null,
    created: ctx.clock.now(),
    finished_at: null,
    due_at: ctx.clock.real(),
    lease_until: 0,
    fence: 0,
  })
  await insertItems(ctx.db, row.id, ids ?? [])
  return presentBulk(row)
}

/** What was asked for, of a row. */
export const askedIn = ({ keys }: Pick<ReadContext, 'keys'>, { asked }: Pick<BulkRow, 'asked'>): Asked =>
  JSON.parse(keys.open(asked, PLACE)) as Asked

/** The arguments of the operation that does it, in their types. */
export const argumentsIn = (doing: Doing, { given }: Asked) => argumentsOf(doing, given, new Problems())

/** A page of the bulk actions of a product that the caller could have asked for, newest first. */
export async function getBulks(ctx: ReadContext, scope: Scope, page: BulkList): Promise<Bulk[]> {
  const actions = BULK_ACTIONS.filter((action) => isAllowed(scope.actor, doingOf(ctx, action).op))
  if (actions.length === 0) return []
  return (await listBulks(ctx.db, scope, actions, page)).map(presentBulk)
}

/** 404 when the product has no such bulk action that the caller could have asked for. */
async function ownBulk(ctx: ReadContext, scope: Scope, id: number): Promise<BulkRow> {
  const row = await findBulk(ctx.db, scope, id)
  if (!row || !isAllowed(scope.actor, doingOf(ctx, presentBulk(row).action).op)) throw notFound('bulk action')
  return row
}

export const getBulk = async (ctx: ReadContext, scope: Scope, id: number): Promise<Bulk> =>
  presentBulk(await ownBulk(ctx, scope, id))

/** A page of what came of it, the highest ids first. */
export async function getItems(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  page: BulkItemList,
): Promise<BulkItem[]> {
  const { id: bulkId } = await ownBulk(ctx, scope, id)
  return (await listItems(ctx.db, bulkId, page)).map(presentBulkItem)
}

/**
 * Tries again what was refused. 400 `bulk_not_done` while it is under way, and of a dry run; `too_many_waiting` while 10
 * of the account wait.
 */
export async function retryBulk(ctx: TxContext, scope: Scope, id: number): Promise<Bulk> {
  const row = await ownBulk(ctx, scope, id)
  await requireRoom(ctx, scope, 'bulks', 'bulk actions')
  if (!(await reopenBulk(ctx.db, row.id, ctx.clock.real()))) {
    throw invalid('bulk_not_done', 'It is still under way, or was a dry run.')
  }
  await retryFailed(ctx.db, row.id)
  return presentBulk(await ownBulk(ctx, scope, id))
}
