import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedFor, preparedRow, preparedRowFor } from '../../db/prepared.ts'
import { holding } from '../../db/hold.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import { whereEqual } from '../../db/where-equal.ts'
import { MAILED, type CartsTable, type CartStatus } from '../../db/tables/carts.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { CartFilter, CartRow } from './schema.ts'
import { open } from './cart-rows.ts'

export interface CartSearch extends GoingOn {
  readonly filter: CartFilter
  readonly emailFolded: string | undefined
  readonly userId: number | undefined
  readonly made: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  readonly environment: Environment | undefined
  readonly count: number
  readonly offset: number
}

/** The filters as their indexes say them. */
const FILTERS = {
  abandoned: sql<boolean>`status in ('abandoned', 'email_1_sent', 'email_2_sent', 'email_3_sent')`,
  completed: sql<boolean>`status = 'completed'`,
  recovered: sql<boolean>`status = 'recovered'`,
  recovery: sql<boolean>`recover_at is not null and status in ('abandoned', 'email_1_sent', 'email_2_sent')`,
  active: sql<boolean>`status in ('pricing_visit', 'visit')`,
} as const

/** A page of carts, the newest first. */
export async function listCarts(db: Reader, owner: Owner, search: CartSearch) {
  const { filter, emailFolded, userId, made, environment, offset, below } = search
  const narrowing = emailFolded ?? userId ?? environment ?? made
  const isAll = filter === 'all' && search.sort !== 'id' && narrowing === undefined
  const start = isAll ? await listStart(db, 'carts', owner, { offset, below }) : fromNewest(offset, below)
  return pageOfCarts(db, owner, search, start).execute()
}

export function pageOfCarts(db: Reader, owner: Owner, search: CartSearch, { upTo, offset }: ListStart) {
  const reading = readingOf(search)
  const page = narrowed(db, owner, search).where('id', '<=', upTo).limit(search.count).offset(offset)
  const all = scoped(db, 'carts', owner).select().selectAll()
  return NEWEST.rows(all.where('id', 'in', NEWEST.ids(page, reading)), reading)
}

const readingOf = ({ made, sort, below, emailFolded, userId, environment }: CartSearch) => ({
  span: made,
  sort,
  below,
  isOfFew: (emailFolded ?? userId) !== undefined || environment === 1,
})

const NEWEST = newestBy('carts.id', 'carts.created')

/** How many carts there are, counted no further than `search.count`. */
export const countCarts = (db: Reader, owner: Owner, search: CartSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

function narrowed(db: Reader, owner: Owner, search: CartSearch) {
  const { filter, emailFolded, userId, environment } = search
  let found = scoped(db, 'carts', owner).select().select('id')
  if (filter !== 'all') found = found.where(FILTERS[filter])
  if (emailFolded !== undefined) found = found.where('email_folded', '=', emailFolded)
  if (userId !== undefined) found = found.where('user_id', '=', userId)
  if (environment !== undefined) found = whereEqual(found, 'carts', { environment })
  return NEWEST.between(found, readingOf(search))
}

/** A price of the product. */
export const findPriceOf = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'pricing', owner).select().selectAll().where('pricing.id', '=', id).executeTakeFirst()

const openOf = (db: Reader, owner: Owner) =>
  scoped(db, 'carts', owner).select().selectAll().where('carts.completed', 'is', null)

/** Holds a cart that is not completed until the end of the transaction; undefined when there is none. */
export const lockOpenCart = (db: Writer, owner: Owner, id: number) =>
  holding(db, openOf(db, owner).where('carts.id', '=', id)).executeTakeFirst()

interface Visitor {
  readonly environment: Environment
  /** Keyed hashes, of which the newest comes first. */
  readonly visitors: readonly string[]
}

/** Holds the open cart of a visitor until the end of the transaction; undefined when there is none. */
export const lockCartOfVisitor = (db: Writer, owner: Owner, { environment, visitors }: Visitor) =>
  holding(
    db,
    openOf(db, owner)
      .where('carts.environment', '=', environment)
      .where('carts.visitor', 'in', [...visitors]),
  ).executeTakeFirst()

/** Parts an open cart from its visitor, whose next one is another. */
export const partCart = (db: Writer, owner: Owner, id: number) =>
  open(db, owner).set({ visitor: null }).where('carts.id', '=', id).execute()

/** Adds a cart unless its visitor has an open one; undefined then. */
export async function insertCart(db: Writer, row: Insertable<CartsTable>) {
  const [inserted] = await inserting(db, row, {})
  return inserted
}
const inserting = preparedRow((db, row: Insertable<CartsTable>) =>
  db
    .insertInto('carts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

/** Changes a cart that is not completed; undefined when there is none. */
export const updateOpenCart = (db: Writer, owner: Owner, id: number, change: Updateable<CartsTable>) =>
  open(db, owner).set(change).where('carts.id', '=', id).returningAll().executeTakeFirst()

/** False when the product has no such cart, or has it no more. */
export async function deleteCartRow(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'carts', owner)
    .delete()
    .where('carts.id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export interface Completion {
  readonly now: UtcTime
  readonly updated: UtcTime
  readonly userId: number
  /** Minor units. */
  readonly gross: number
}

/** Completes a cart, of which any number of callers does so once: recovered when it was given up before. */
export async function completeCartRow(
  db: Writer,
  owner: Owner,
  id: number,
  { now, updated, userId, gross }: Completion,
) {
  const change = { completed: now, user_id: userId, gross, recover_at: null, updated }
  const [completed] = await completing(db, owner, change, { id })
  return completed
}
const completing = preparedRowFor((db, owner, change: Updateable<CartsTable>, { id }: { id: number }) =>
  open(db, owner)
    .set({
      status: sql<CartStatus>`case when status in ('pricing_visit', 'visit') then 'completed' else 'recovered' end`,
      ...change,
    })
    .where('carts.id', '=', id)
    .returningAll(),
)

/**
 * Ends the recovery of the open carts of a buyer beside one: who has bought is mailed about none of them until another
 * visit, and one that is left later may be mailed about.
 */
export const letOthersBe = (
  db: Writer,
  owner: Owner,
  { id, environment, email_folded }: Pick<CartRow, 'id' | 'environment' | 'email_folded'>,
) =>
  lettingBe(
    db,
    owner,
    { status: 'abandoned', recover_at: null, went_on: false },
    { id, environment, email_folded },
  )
const lettingBe = preparedRowFor(
  (db, owner, change: Updateable<CartsTable>, values: Pick<CartRow, 'id' | 'environment' | 'email_folded'>) =>
    open(db, owner)
      .set(change)
      .where('carts.environment', '=', values.environment)
      .where('carts.email_folded', '=', values.email_folded)
      .where('carts.status', 'in', [...MAILED])
      .where('carts.id', '<>', values.id),
)

/** Whether mails to abandoned carts are not wanted at an address. */
export async function isUnsubscribed(db: Reader, owner: Owner, emailFolded: string): Promise<boolean> {
  return (await findUnsubscribed(db, owner, { emailFolded })).length > 0
}
const findUnsubscribed = preparedFor((db, owner, { emailFolded }: { emailFolded: string }) =>
  scoped(db, 'carts', owner)
    .select()
    .select('carts.id')
    .where('carts.email_folded', '=', emailFolded)
    .where('carts.is_unsubscribed', '=', true)
    .limit(1),
)

/** Ends the mails to an address for good; the carts of which that is new. */
export const unsubscribeCarts = (
  db: Writer,
  owner: Owner,
  { emailFolded, updated }: { readonly emailFolded: string; readonly updated: UtcTime },
) =>
  scopedWrite(db, 'carts', owner)
    .update()
    .set({
      is_unsubscribed: true,
      updated,
      recover_at: sql<UtcTime | null>`case
      when status in ('pricing_visit', 'visit') then recover_at end`,
    })
    .where('carts.email_folded', '=', emailFolded)
    .where('carts.is_unsubscribed', '=', false)
    .returning(['carts.id', 'carts.user_id', 'carts.environment'])
    .execute()

/** Switches recovery of an open cart off or on; undefined when it is so already, or the cart is not open. */
export const switchCartRecovery = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Pick<Selectable<CartsTable>, 'is_disabled' | 'recover_at' | 'updated'>,
) =>
  open(db, owner)
    .set(change)
    .where('carts.id', '=', id)
    .where('carts.is_disabled', '<>', change.is_disabled)
    .returningAll()
    .executeTakeFirst()
