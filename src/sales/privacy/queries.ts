import { sql, type Insertable } from 'kysely'
import { anyToClaim, claim, held, type ClaimOptions } from '../../db/claim.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { ErasuresTable } from '../../db/tables/erasures.ts'
import { escapeLike } from '../../lib/fold.ts'
import type { UtcTime } from '../../lib/time.ts'

const WHOSE = 'a person who is erased, in all products of the seller'
/** The farthest ahead that an erasure is ever due or held. */
const WITHIN_MS = 86_400_000

export type ErasureRow = Awaited<ReturnType<typeof claimErasures>>[number]

/**
 * A person of the account who is a user of the product of the scope, or was erased; the caller's own where it is a user.
 */
export const findPerson = (db: Reader, { developerId, productId, userId }: Owner, id: number) => {
  const found = scoped(db, 'users', { developerId, userId, productId, installId: null })
    .select()
    .select(['id', 'developer_id', 'email', 'email_folded'])
    .where('id', '=', id)
  const inProduct = sql<boolean>`(email = '' or exists (select 1 from product_users
    where product_users.user_id = users.id and product_users.product_id = ${productId}))`
  return (productId === 0 ? found : found.where(inProduct)).executeTakeFirst()
}

/** Holds the row of a person by changing it: whoever refers to it, or changes it, comes before or after. */
export const takePerson = (db: Writer, id: number, updated: UtcTime) =>
  unscoped(db, WHOSE)
    .updateTable('users')
    .set({ updated })
    .where('id', '=', id)
    .where('email', '<>', '')
    .returning(['id', 'developer_id', 'email', 'email_folded'])
    .executeTakeFirst()

/** What is left of a person: the number that payments name. */
export const emptyPerson = (db: Writer, id: number, updated: UtcTime) =>
  unscoped(db, WHOSE)
    .updateTable('users')
    .set({
      email: '',
      email_folded: `erased ${id}`,
      first: '',
      last: '',
      picture: '',
      ip: null,
      is_verified: false,
      password_hash: null,
      language: null,
      last_login_at: null,
      email_status: null,
      updated,
    })
    .where('id', '=', id)
    .execute()

/** The products that somebody is a user of. */
export async function productsOfUser(db: Reader, userId: number): Promise<number[]> {
  const rows = await unscoped(db, WHOSE)
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
  return rows.map(({ product_id: id }) => id)
}

/** Addresses that a person had, as the events tell of each change of it. */
export async function formerAddresses(
  db: Reader,
  { userId, developerId }: Omit<Paying, 'address'>,
): Promise<string[]> {
  const rows = await unscoped(db, WHOSE)
    .selectFrom('events')
    .select('data')
    .where('product_id', 'in', (eb) =>
      eb.selectFrom('products').select('products.id').where('developer_id', '=', developerId),
    )
    .where('user_id', '=', userId)
    .where('type', '=', 'user.email.changed')
    .execute()
  return rows.flatMap(({ data }) => {
    const { from } = JSON.parse(data ?? '{}') as { readonly from?: unknown }
    return typeof from === 'string' ? [from] : []
  })
}

/** Whether money of a person is under way: a charge that is not decided, or a checkout that is being paid. */
export async function isPaying(db: Reader, { userId, developerId, address }: Paying): Promise<boolean> {
  const { rows } = await sql<{ one: number }>`
    select 1 as one from charges where user_id = ${userId} and state in ('started', 'pending')
    union all select 1 as one from checkouts where state = 'paying'
      and (user_id = ${userId} or (user_id is null and lower(email) = ${address}))
      and product_id in (select id from products where developer_id = ${developerId})
    limit 1`.execute(db as Writer)
  return rows.length > 0
}

interface Paying {
  readonly userId: number
  readonly developerId: number
  /** Folded. */
  readonly address: string
}

/** The subscriptions of a person that renew. */
export const renewingOf = (db: Reader, userId: number) =>
  unscoped(db, WHOSE)
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('canceled_at', 'is', null)
    .orderBy('id')
    .execute()

/** Invoices of a person whose text is not kept yet. */
export const unkeptOf = (db: Reader, userId: number) =>
  unscoped(db, WHOSE)
    .selectFrom('invoices')
    .innerJoin('payments', 'payments.id', 'invoices.payment_id')
    .select(['invoices.id', 'invoices.developer_id', 'invoices.product_id', 'invoices.payment_id'])
    .where('payments.user_id', '=', userId)
    .where('invoices.content', 'is', null)
    .execute()

/** Ends what an address has under way in checkouts, and counts of what it was mailed. */
export async function forgetAddress(
  db: Writer,
  { developerId, address }: Omit<Paying, 'userId'>,
): Promise<void> {
  await sql`delete from checkout_guards where email_folded = ${address} and exists (
    select 1 from checkouts join products on products.id = checkouts.product_id
    where checkouts.id = checkout_guards.checkout_id and products.developer_id = ${developerId})`.execute(db)
  await sql`delete from mail_counts where name = ${`to:${address}`}
    or name like ${`% to:${escapeLike(address)}`} escape '\\'`.execute(db)
}

/** Writes down that a person is to be erased; false: that was written already. */
export async function insertErasure(db: Writer, row: Insertable<ErasuresTable>): Promise<boolean> {
  const added = await db
    .insertInto('erasures')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export const findErasure = (db: Reader, userId: number) =>
  unscoped(db, WHOSE).selectFrom('erasures').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const anyErasureDue = (db: Reader, now: number) =>
  anyToClaim(db, 'erasures', { now, withinMs: WITHIN_MS })

export const claimErasures = (db: Writer, options: Omit<ClaimOptions, 'withinMs' | 'id'>) =>
  claim(db, 'erasures', { ...options, withinMs: WITHIN_MS })

/** Writes how far an erasure is, while it is held. */
export const moveErasure = (
  db: Writer,
  row: Pick<ErasureRow, 'id' | 'fence'>,
  change: Parameters<typeof held>[3],
): Promise<boolean> => held(db, 'erasures', row, change)

/** Licenses of a person that still do something. */
export const licensesToCancel = (db: Reader, userId: number, limit: number) =>
  unscoped(db, WHOSE)
    .selectFrom('licenses')
    .select(['id', 'product_id'])
    .where('user_id', '=', userId)
    .where('is_cancelled', '=', false)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Installs of a person, with the site of each. */
export const installsToDelete = (db: Reader, userId: number, limit: number) =>
  unscoped(db, WHOSE)
    .selectFrom('installs')
    .select(['id', 'product_id', 'site_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Which of some ids are installs of a person. */
export async function installsAmong(
  db: Reader,
  userId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await unscoped(db, WHOSE)
    .selectFrom('installs')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', inList(ids))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Removes sites on which nothing is installed any more. */
export const deleteEmptySites = (db: Writer, ids: readonly number[]) =>
  sql`delete from sites where id in (${sql.join(inList(ids))})
    and not exists (select 1 from installs where installs.site_id = sites.id)`.execute(db)

/** Events of a person after an id: by the user, or by carts with nobody else's number. */
export async function eventsOf(
  db: Reader,
  {
    userId,
    developerId,
    after,
    limit,
  }: Omit<Paying, 'address'> & { readonly after: number; readonly limit: number },
): Promise<{ id: number; data: string | null }[]> {
  const { rows } = await sql<{ id: number; data: string | null }>`
    select id, data from events
    where (product_id in (select id from products where developer_id = ${developerId})
        or (product_id is null and developer_id = ${developerId}))
      and id > ${after} and (user_id = ${userId}
        or install_id in (select id from installs where user_id = ${userId})
        or cart_id in (select id from carts where user_id = ${userId}))
    order by id limit ${limit}`.execute(db as Writer)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

export const setEventData = (db: Writer, id: number, data: string) =>
  unscoped(db, WHOSE).updateTable('events').set({ data }).where('id', '=', id).execute()

/** Forgets what listeners have answered to events. */
export const forgetAnswers = (db: Writer, eventIds: readonly number[]) =>
  unscoped(db, WHOSE)
    .updateTable('delivery_attempts')
    .set({ answer: null, error: null })
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('deliveries.id').where('event_id', 'in', inList(eventIds)),
    )
    .where((or) => or.or([or('answer', 'is not', null), or('error', 'is not', null)]))
    .execute()

/** What listeners of a seller have answered, after an id; sealed. */
export async function answersAfter(db: Reader, developerId: number, after: number, limit: number) {
  const rows = await unscoped(db, WHOSE)
    .selectFrom('delivery_attempts')
    .select(['id', 'answer'])
    .where('product_id', 'in', (eb) =>
      eb.selectFrom('products').select('products.id').where('developer_id', '=', developerId),
    )
    .where('answer', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, answer }) => ({ id, answer: answer ?? '' }))
}

export const forgetAnswersOf = (db: Writer, ids: readonly number[]) =>
  unscoped(db, WHOSE)
    .updateTable('delivery_attempts')
    .set({ answer: null })
    .where('id', 'in', inList(ids))
    .execute()

/** Opt-ins that wait for a link to be followed and are nobody's yet, after an id. */
export const waitingOptIns = (db: Reader, developerId: number, after: number, limit: number) =>
  unscoped(db, WHOSE)
    .selectFrom('pending_activations')
    .innerJoin('products', 'products.id', 'pending_activations.product_id')
    .select(['pending_activations.id', 'pending_activations.work'])
    .where('products.developer_id', '=', developerId)
    .where('pending_activations.user_id', 'is', null)
    .where('pending_activations.id', '>', after)
    .orderBy('pending_activations.id')
    .limit(limit)
    .execute()

export const deleteOptIns = (db: Writer, ids: readonly number[]) =>
  unscoped(db, WHOSE).deleteFrom('pending_activations').where('id', 'in', inList(ids)).execute()

/** The account that a person is of. */
export async function sellerOf(db: Reader, userId: number): Promise<number | undefined> {
  const row = await unscoped(db, 'whoever is at the machine may look at all sellers')
    .selectFrom('users')
    .select('developer_id')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.developer_id
}
