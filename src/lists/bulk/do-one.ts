import { transaction, type Context, type TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { shownTo } from '../../access/data-classes.ts'
import type { Scope } from '../../access/scope.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { LeaseLost } from '../../db/claim.ts'
import { hold } from '../../db/hold.ts'
import { Answer } from '../../http/answer.ts'
import { Problems } from '../../http/decode.ts'
import { requireRight } from '../../http/roles.ts'
import { differences } from '../../lib/differences.ts'
import { ApiError, invalid, notFound, Refused } from '../../lib/errors.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import type { Doing, Given } from './actions.ts'
import { LEASE_MS, settleItem } from './queries.ts'
import type { BulkRow } from './schema.ts'

/** A bulk action as it is carried out. */
export interface Work {
  readonly row: BulkRow
  readonly doing: Doing
  readonly scope: Scope
  readonly query: Given
  readonly body: Given
}

/** Undoes a transaction whose result is known. */
class Undone extends Error {
  readonly changes: string | null
  constructor(changes: string | null) {
    super('A dry run does nothing.')
    this.changes = changes
  }
}

/**
 * Does to one row what its operation does, in one transaction with what is told of it: it is done and told, or neither.
 * What it refuses is told in another one. A dry run undoes what it has done.
 */
export async function doOne(ctx: Context, work: Work, itemId: number): Promise<void> {
  try {
    await attempt(ctx, work, itemId)
  } catch (error) {
    if (error instanceof Undone) return settle(ctx, work, itemId, { state: 'done', changes: error.changes })
    if (error instanceof LeaseLost || error instanceof DatabaseBusy) throw error
    const known = error instanceof ApiError ? error : null
    if (!known)
      ctx.log.error({ err: error, bulk: work.row.id, item: itemId }, 'a bulk action failed at a row')
    const code = known?.code ?? 'internal_error'
    await settle(ctx, work, itemId, {
      state: 'failed',
      code,
      message: known?.message ?? 'The server failed.',
    })
  }
}

interface Result {
  readonly state: 'done' | 'failed'
  readonly code?: string
  readonly message?: string
  readonly changes?: string | null
}

const settle = (ctx: Context, work: Work, itemId: number, result: Result) =>
  transaction(ctx, (tx) => settleIn(tx, work, itemId, result))

async function settleIn(tx: TxContext, { row }: Work, itemId: number, result: Result): Promise<void> {
  const { state, code = null, message = null, changes = null } = result
  const until = tx.clock.real() + LEASE_MS
  const told = { state, code, message, changes }
  if (!(await settleItem(tx.db, row, { itemId, result: told, until }))) {
    throw new LeaseLost('Another process works on this bulk action.')
  }
}

async function attempt(ctx: Context, work: Work, itemId: number): Promise<void> {
  const { doing, scope, row } = work
  requireRight(scope, doing.op)
  const params = { [doing.param]: itemId }
  const request = { scope, params, query: work.query, body: work.body, files: {}, received: {} }
  const problems = new Problems()
  await doing.op.check?.(ctx as never, request as never, problems)
  problems.refuse()
  const prepared = await doing.op.prepare?.(ctx as never, request as never, undefined as never)
  await transaction(ctx, async (tx) => {
    const before = await read(tx, work, params)
    const body = doing.name === 'licenses.extend' ? await extended(tx, work, itemId) : work.body
    const outcome = await doing.op.handle(tx as never, { ...request, body } as never, prepared as never)
    if (outcome instanceof Refused) throw outcome.error
    const result = outcome instanceof Answer ? (outcome.body as unknown) : outcome
    const changes = told(scope, before, result)
    if (row.is_dry_run) throw new Undone(changes)
    const { actor, developerId, productId, ip, requestId } = scope
    const details = { params, fields: Object.keys(body), bulk: String(row.id) }
    await audit(tx, { action: doing.op.id, actor, developerId, productId, ip, requestId, details })
    await settleIn(tx, work, itemId, { state: 'done', changes })
  })
}

const read = async (ctx: Context | TxContext, { doing, scope }: Work, params: object): Promise<unknown> =>
  doing.read
    ? doing.read.handle(ctx as never, { scope, params, query: {}, body: {} } as never, undefined as never)
    : undefined

/** The fields that differ, as the caller may see them: `[before, after]` by name; null where that is not told. */
function told(scope: Scope, before: unknown, after: unknown): string | null {
  if (!isObject(before) || !isObject(after)) return null
  const { updated: _then, ...shownBefore } = shownTo(scope, before) as Given
  const shownAfter = shownTo(scope, after) as Given
  const changed = differences(
    shownBefore,
    Object.fromEntries(Object.keys(shownBefore).map((name) => [name, shownAfter[name] ?? null])),
  )
  if (!changed) return '{}'
  const names = Object.keys(changed.to)
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, [shownBefore[name] ?? null, shownAfter[name] ?? null]])),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** By so many days from its end, which nobody else moves meanwhile; a license without an end has nothing to extend. */
async function extended({ db }: TxContext, { scope, body }: Work, id: number): Promise<Given> {
  const license = await hold(db, 'licenses', scope, id)
  if (!license) throw notFound('license')
  if (license.expiration === null) throw invalid('invalid_argument', 'The license never ends.')
  return { expiration: toUtcTime(fromUtcTime(license.expiration) + Number(body['days']) * DAY) }
}
