import type { FastifyRequest } from 'fastify'
import { productsOfAccount } from '../../access/credential-rows.ts'
import type { Scope } from '../../access/scope.ts'
import type { ReadContext } from '../../context.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { invalidFields } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { lastAccountSeq, listAccountEventsAfter, type AccountEvents } from '../log/account-event-rows.ts'
import { lastSeq, listEventsAfter } from '../log/event-rows.ts'
import { withObjects } from '../log/read-events.ts'
import type { EventLog, EventRow } from '../log/schema.ts'

/** What a reader asked for. */
export interface Wanted {
  /** The place after which it begins; null: at what happens from now on. */
  readonly after: number | null
  /** Only what is of the sandbox (1), or what is live or belongs to both (0); null: all. */
  readonly environment: Environment | null
  /** Of these products of an account; null: of all, and what is about none. */
  readonly productIds: readonly number[] | null
  /** For `EventSource` of browsers, which tells what has a name only to who asks for that name. */
  readonly isUnnamed: boolean
}

interface Batch {
  readonly after: number
  readonly count: number
}

/** Where a stream has its events from. */
export interface Source {
  /** Names the events of a stream: who reads those of the same name after the same place reads the same rows. */
  name(scope: Scope, wanted: Wanted): string
  last(ctx: ReadContext, scope: Scope, wanted: Wanted): Promise<number>
  /** After a place in the order of commits, in that order. */
  rows(ctx: ReadContext, scope: Scope, wanted: Wanted, batch: Batch): Promise<EventRow[]>
  /** With what they concern. */
  events(ctx: ReadContext, scope: Scope, rows: EventRow[]): Promise<EventLog[]>
}

export const ofProduct: Source = {
  name: ({ productId }) => `product ${productId}`,
  last: ({ db }, scope) => lastSeq(db, scope),
  rows: async ({ db }, scope, _, batch) => listEventsAfter(db, scope, batch),
  events: withObjects,
}

export const ofAccount: Source = {
  name: ({ developerId, actor }, { productIds }) =>
    `account ${developerId}, ${productIds ?? 'all'} of ${actor.productIds ?? 'all'}`,
  last: async (ctx, scope, wanted) => lastAccountSeq(ctx.db, await eventsOf(ctx, scope, wanted)),
  rows: async (ctx, scope, wanted, batch) =>
    listAccountEventsAfter(ctx.db, await eventsOf(ctx, scope, wanted), batch),
  async events(ctx, scope, rows) {
    const of = Map.groupBy(rows, (row) => row.product_id ?? 0)
    const groups = [...of].map(async ([productId, some]) => {
      const events = await withObjects(ctx, { ...scope, productId }, some)
      return some.map((row, n) => [row.id, events[n]] as const)
    })
    const events = new Map((await Promise.all(groups)).flat())
    return rows.flatMap(({ id }) => events.get(id) ?? [])
  },
}

async function eventsOf({ db }: ReadContext, scope: Scope, { productIds }: Wanted): Promise<AccountEvents> {
  const { developerId, actor } = scope
  const all = await productsOfAccount(db, scope)
  const named = productIds === null ? all : all.filter((id) => productIds.includes(id))
  return { developerId, productIds: named, isWhole: productIds === null && !actor.productIds }
}

/** What is asked for in the query, and by the header of who comes again. 400 with every field that is malformed. */
export function wantedBy({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): Wanted {
  const given = query as Readonly<Record<string, unknown>>
  const last = headers['last-event-id'] ?? given['last_event_id']
  const wanted = {
    last_event_id: read(last, /^\d{1,15}$/, Number),
    environment: read(given['environment'], /^[01]$/, (text) => Number(text) as Environment),
    product_ids: read(given['product_ids'], /^[\d, ]{1,2000}$/, parseIdList),
    is_unnamed: read(given['is_unnamed'], /^(?:true|false)$/, (text) => text === 'true'),
  }
  const problems = Object.entries(wanted).flatMap(([field, value]) =>
    value === undefined ? [{ field, message: MESSAGES[field] ?? '' }] : [],
  )
  if (problems.length > 0) throw invalidFields(problems)
  const { last_event_id: after = null, environment = null, product_ids: productIds = null } = wanted
  return { after, environment, productIds, isUnnamed: wanted.is_unnamed === true }
}

const MESSAGES: Readonly<Record<string, string>> = {
  last_event_id: 'must be the id of an event of the stream',
  environment: 'must be 0 or 1',
  product_ids: 'must be ids, by commas',
  is_unnamed: 'must be true or false',
}

/** Null where nothing is given, undefined of what is malformed. */
function read<T>(given: unknown, form: RegExp, parse: (text: string) => T | null): T | null | undefined {
  if (given === undefined || given === '') return null
  if (typeof given !== 'string' || !form.test(given)) return undefined
  return parse(given) ?? undefined
}
