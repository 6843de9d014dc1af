import { pageReader, type Context, type ReadContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import type { Paged } from '../../http/wire.ts'
import type { DataClassName } from '../../access/data-classes.ts'
import { spanOf } from '../../lib/time-text.ts'
import type { GoingOn } from '../../db/list-start.ts'
import { notFound } from '../../lib/errors.ts'
import { EVENT_TYPES } from '../../db/tables/event-types.ts'
import { EVENT_KINDS, type EventKind } from '../hooks.ts'
import { findEventOfAccount, listEventsOfAccount } from './account-queries.ts'
import { countEvents, listEvents, listEventsOfCart, listEventsOfUser } from './queries.ts'
import { findEvent } from './event-rows.ts'
import {
  presentEvent,
  type AccountEventFilter,
  type EventLog,
  type EventObjects,
  type EventRow,
} from './schema.ts'

/** Events with the entities they concern, as these are now (`docs/decisions.md` 6.2). */
export async function eventsOfProduct(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: AccountEventFilter & GoingOn,
): Promise<{ events: EventLog[] }> {
  const made = spanOf(filter)
  const db = made ? ctx.database.background : pageReader(ctx, filter)
  const rows = await listEvents(db, scope, { ...filter, made })
  return { events: await withObjects(ctx, scope, rows) }
}

/** How many events a list of a product has, counted no further than its `count`. */
export const totalOfEvents = (
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: AccountEventFilter,
): Promise<number> => countEvents(ctx.database.background, scope, { ...filter, made: spanOf(filter) })

/**
 * Those of the account that are about no product, of its stores and its team; or of the products that are named, or to
 * which the caller's token is narrowed.
 */
export async function eventsOfAccount(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: AccountEventFilter,
): Promise<{ events: EventLog[] }> {
  if (filter.product_ids !== undefined || scope.actor.productIds) {
    const lists = await overProducts(ctx, scope, filter, (of, whole) => eventsOfProduct(ctx, of, whole))
    const events = lists.map((one) => one.events)
    return { events: pageOfAll(events, filter, orderOf(filter)) }
  }
  const made = spanOf(filter)
  const db = made ? ctx.database.background : pageReader(ctx, filter)
  const rows = await listEventsOfAccount(db, scope.developerId, { ...filter, made })
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the account has no such event, or it is about a product. */
export async function eventOfAccount(ctx: ReadContext, scope: Scope, id: number): Promise<EventLog> {
  const [event] = await withObjects(ctx, scope, await findEventOfAccount(ctx.db, scope.developerId, id))
  if (!event) throw notFound('event')
  return event
}

/** The events about a user, whom the caller has found. */
export async function eventsOfUser(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  userId: number,
  { count, offset }: Paged,
): Promise<{ events: EventLog[] }> {
  const rows = await listEventsOfUser(pageReader(ctx, { offset }), scope, {
    userOfEvents: userId,
    count,
    offset,
  })
  return { events: await withObjects(ctx, scope, rows) }
}

/** The events about a cart, which the caller has found. */
export async function eventsOfCart(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  cartId: number,
  page: Paged,
): Promise<{ events: EventLog[] }> {
  const rows = await listEventsOfCart(pageReader(ctx, page), scope, { cartId, ...page })
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the product has no such event. */
export async function oneEvent(ctx: ReadContext, scope: Scope, id: number): Promise<EventLog> {
  const rows = await findEvent(ctx.db, scope, { id })
  const [event] = await withObjects(ctx, scope, rows)
  if (!event) throw notFound('event')
  return event
}

/** One statement a kind of entity, however many events there are. Users and installs are told of no sale. */
export async function withObjects(ctx: ReadContext, scope: Scope, rows: EventRow[]): Promise<EventLog[]> {
  const told = isSeller(scope) ? {} : OF_NO_SALE
  const concerned = rows.map((row) => ({ row, ids: { ...concernedBy(row), ...told } }))
  const lookups = ctx.hooks.entitiesOfEvents(ctx, scope)
  const found = new Map<EventKind, ReadonlyMap<number, object>>()
  for (const kind of EVENT_KINDS) {
    found.set(kind, await lookups[kind]([...new Set(concerned.flatMap(({ ids }) => ids[kind] ?? []))]))
  }
  const objectOf = (kind: EventKind, id: number | null): object | null | false =>
    id === null ? null : (found.get(kind)?.get(id) ?? false)
  return concerned.map(({ row, ids }) => {
    const objects: EventObjects = Object.fromEntries(
      EVENT_KINDS.map((kind) => [kind, objectOf(kind, ids[kind])] as const),
    )
    return presentEvent(row, objects, hiddenData(scope, row))
  })
}

/** An event of ours may name the address of another person, which its data tells the seller alone. */
const hiddenData = (scope: Scope, { type }: EventRow): readonly DataClassName[] =>
  isSeller(scope) || !OURS.has(type) ? [] : ['e-mail addresses']

const OURS: ReadonlySet<string> = new Set(EVENT_TYPES)

const OF_NO_SALE = { license: null, payment: null, subscription: null, card: null }

type Concerning = Pick<EventRow, 'type' | 'data' | 'user_id' | 'install_id' | 'cart_id'>

/**
 * The ids of what an event concerns, by the kinds of `objects`; null for the others. What a client writes into an event
 * of its own names nothing.
 */
export function concernedBy(row: Concerning): Readonly<Record<EventKind, number | null>> {
  const text = OURS.has(row.type) ? row.data : null
  const data = text === null ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
  const named = (name: string) => (typeof data[name] === 'string' ? Number(data[name]) : null)
  return {
    user: row.user_id,
    install: row.install_id,
    license: named('license_id'),
    payment: named('payment_id'),
    subscription: named('subscription_id'),
    card: named('card_id'),
    cart: row.cart_id,
  }
}
