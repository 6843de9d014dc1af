import { pageReader, type Context, type ReadContext } from '../context.ts'
import { isSeller, type Scope } from '../http/scope.ts'
import type { Paged } from '../http/wire.ts'
import type { DataClassName } from '../lib/data-classes.ts'
import { notFound } from '../lib/errors.ts'
import { EVENT_TYPES } from '../lib/event-types.ts'
import { findCards } from '../resources/cards/queries.ts'
import { presentCard } from '../resources/cards/schema.ts'
import { findCarts } from '../resources/carts/queries.ts'
import { presentCart } from '../resources/carts/schema.ts'
import { getCart } from '../resources/carts/service.ts'
import { findEventOfAccount, listEventsOfAccount } from '../resources/events/account-queries.ts'
import {
  findEvent,
  listEvents,
  listEventsOfCart,
  listEventsOfUser,
  type EventFilter,
} from '../resources/events/queries.ts'
import { presentEvent, type EventLog, type EventObjects, type EventRow } from '../resources/events/schema.ts'
import { findInstalls } from '../resources/installs/queries.ts'
import { presentInstall } from '../resources/installs/schema.ts'
import { findLicenses } from '../resources/licenses/queries.ts'
import { presentLicense } from '../resources/licenses/schema.ts'
import { findPayments } from '../resources/payments/queries.ts'
import { presentPayment } from '../resources/payments/schema.ts'
import { findSubscriptions } from '../resources/subscriptions/queries.ts'
import { presentSubscription } from '../resources/subscriptions/schema.ts'
import { findUsers } from '../resources/users/queries.ts'
import { presentEventUser } from '../resources/users/schema.ts'
import { getUser } from '../resources/users/service.ts'

/** Events with the entities they concern, as these are now (DECISIONS 6.2). */
export async function eventsOfProduct(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: EventFilter,
): Promise<{ events: EventLog[] }> {
  const rows = await listEvents(pageReader(ctx, filter), scope, filter)
  return { events: await withObjects(ctx, scope, rows) }
}

/** Those of the account that are about no product: of its stores and its team. */
export async function eventsOfAccount(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  filter: EventFilter,
): Promise<{ events: EventLog[] }> {
  const rows = await listEventsOfAccount(pageReader(ctx, filter), scope.developerId, filter)
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the account has no such event, or it is about a product. */
export async function eventOfAccount(ctx: ReadContext, scope: Scope, id: number): Promise<EventLog> {
  const [event] = await withObjects(ctx, scope, await findEventOfAccount(ctx.db, scope.developerId, id))
  if (!event) throw notFound('event')
  return event
}

/** 404 when the product has no such user. */
export async function eventsOfUser(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  userId: number,
  { count, offset }: Paged,
): Promise<{ events: EventLog[] }> {
  await getUser(ctx, scope, userId)
  const rows = await listEventsOfUser(pageReader(ctx, { offset }), scope, {
    userOfEvents: userId,
    count,
    offset,
  })
  return { events: await withObjects(ctx, scope, rows) }
}

/** 404 when the product has no such cart. */
export async function eventsOfCart(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  cartId: number,
  page: Paged,
): Promise<{ events: EventLog[] }> {
  await getCart(ctx, scope, cartId)
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

/** One statement a kind of entity, however many events there are. */
export async function withObjects(ctx: ReadContext, scope: Scope, rows: EventRow[]): Promise<EventLog[]> {
  const userIds = new Set(rows.flatMap(({ user_id: id }) => (id === null ? [] : [id])))
  const users = userIds.size === 0 ? [] : await findUsers(ctx.db, scope, [...userIds])
  const byId = new Map(users.map((row) => [row.id, presentEventUser(row, scope)]))
  const installIds = new Set(rows.flatMap(({ install_id: id }) => (id === null ? [] : [id])))
  const installs = installIds.size === 0 ? [] : await findInstalls(ctx.db, scope, [...installIds])
  const installById = new Map(installs.map((row) => [row.id, presentInstall(row, null, scope)]))
  const cartIds = new Set(rows.flatMap(({ cart_id: id }) => (id === null ? [] : [id])))
  const carts = cartIds.size === 0 ? [] : await findCarts(ctx.db, scope, [...cartIds])
  const cartById = new Map(carts.map((row) => [row.id, presentCart(row)]))
  const soldOf = await soldIn(ctx, scope, rows)
  return rows.map((row) => {
    const objects: EventObjects = {
      user: row.user_id === null ? null : (byId.get(row.user_id) ?? false),
      install: row.install_id === null ? null : (installById.get(row.install_id) ?? false),
      ...soldOf(row),
      cart: row.cart_id === null ? null : (cartById.get(row.cart_id) ?? false),
    }
    return presentEvent(row, objects, hiddenData(scope, row))
  })
}

/** An event of ours may name the address of another person, which its data tells the seller alone. */
const hiddenData = (scope: Scope, { type }: EventRow): readonly DataClassName[] =>
  isSeller(scope) || !OURS.has(type) ? [] : ['e-mail addresses']

/** The licenses, with their keys, payments and subscriptions that events name, each found by its event. */
async function soldIn(ctx: ReadContext, scope: Scope, rows: EventRow[]) {
  const { db, keys } = ctx
  const license = await named(scope, rows, {
    name: 'license_id',
    find: (ids) => findLicenses(db, scope, ids),
    present: (row) => presentLicense(row, keys),
  })
  const payment = await named(scope, rows, {
    name: 'payment_id',
    find: (ids) => findPayments(db, scope, ids),
    present: (row) => presentPayment(row, scope),
  })
  const subscription = await named(scope, rows, {
    name: 'subscription_id',
    find: (ids) => findSubscriptions(db, scope, ids),
    present: (row) => presentSubscription(row, scope),
  })
  const card = await named(scope, rows, {
    name: 'card_id',
    find: (ids) => findCards(db, scope, ids),
    present: presentCard,
  })
  return (row: EventRow) => ({
    license: license(row),
    payment: payment(row),
    subscription: subscription(row),
    card: card(row),
  })
}

interface Kind<T> {
  readonly name: string
  find(ids: readonly number[]): Promise<readonly T[]>
  present(row: T): object
}

/** What events name by an id in their data, for the seller; null for anybody else. */
async function named<T extends { readonly id: number }>(
  scope: Scope,
  rows: EventRow[],
  { name, find, present }: Kind<T>,
): Promise<(row: EventRow) => object | null | false> {
  if (!isSeller(scope)) return () => null
  const ids = new Set(rows.flatMap((row) => idIn(row, name) ?? []))
  const found = ids.size === 0 ? [] : await find([...ids])
  const byId = new Map(found.map((row) => [row.id, present(row)]))
  return (row: EventRow) => {
    const id = idIn(row, name)
    return id === null ? null : (byId.get(id) ?? false)
  }
}

const OURS: ReadonlySet<string> = new Set(EVENT_TYPES)

/** An id in the data of an event; what a client writes into an event of its own names nothing. */
function idIn({ type, data }: EventRow, name: string): number | null {
  if (data === null || !OURS.has(type)) return null
  const { [name]: id } = JSON.parse(data) as Readonly<Record<string, unknown>>
  return typeof id === 'string' ? Number(id) : null
}
