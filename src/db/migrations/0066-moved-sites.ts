import { sql, type RawBuilder } from 'kysely'
import { parseIdList } from '../../lib/id-list.ts'
import { fromUtcTime, SECOND, type UtcTime } from '../../lib/time.ts'
import type { Writer } from '../database.ts'

/** That a site of a user got another owner: it went on with the pair of the user. */
interface Move {
  readonly user: number
  readonly product: number
  readonly install: number
  readonly at: UtcTime
}

/**
 * The pair of a user whose site got another owner had gone out, although the user may have no site: it is of own reach
 * where who proved nothing may have it, unless a mailed link gave the user another one since. So are those of its add-ons
 * and bundles, as 0060 has it, and the installs that no proof was given for since.
 */
export async function up(db: Writer): Promise<void> {
  const first = await firstHanded(db)
  const moves = [...(await toldMoves(db, first)), ...(await agreedMoves(db, first))]
  const renewed = moves.length > 0 ? await renewals(db) : new Map<number, number>()
  // A temporary table would ask for a right that the user of the database may not have.
  await sql`create table moved_sites (
    user_id bigint not null,
    product_id bigint not null,
    install_id bigint not null,
    is_licensed smallint not null,
    primary key (user_id, product_id, install_id))`.execute(db)
  await addMoves(
    db,
    moves.filter(({ user, at }) => (renewed.get(user) ?? 0) < fromUtcTime(at) + SECOND),
    await licensedMoves(db, first),
  )
  const isLeft = leftBefore(first)
  await sql`update product_users set reach = 'own' where ${IS_MOVED} and ${isLeft} and ${WITHOUT_PROOF}`.execute(
    db,
  )
  await narrowOpened(sql`${IS_MOVED} and ${isLeft} and exists (select 1 from opened
    join product_users as held on held.product_id = opened.by_id and held.user_id = product_users.user_id
    where opened.product_id = product_users.product_id and ${isUnproven('held')})`).execute(db)
  await narrowOpened(sql`(user_id, product_id) in (select held.user_id, opened.product_id
    from product_users as held join opened on opened.by_id = held.product_id where held.reach = 'own')
    and ${isLeft} and ${WENT_OUT}`).execute(db)
  await sql`update installs set reach = 'own' where reach = 'whole' and (user_id, product_id) in (
      select held.user_id, held.product_id from product_users as held where held.reach = 'own')
    and created <= ${first} and not ${HAS_WHOLE_PAIR}`.execute(db)
  await sql`drop table moved_sites`.execute(db)
}

/** When a pair was first handed out with a reach; those that were settled have the time of their user. */
async function firstHanded(db: Writer): Promise<UtcTime> {
  const { rows } = await sql<{ at: UtcTime }>`select coalesce(min(handed.created), '9999') as at
    from user_keys as handed where handed.install_id is not null or not exists (select 1 from product_users as settled
      where settled.user_id = handed.user_id and settled.product_id = handed.product_id
        and settled.created = handed.created)`.execute(db)
  return rows[0]?.at ?? ('9999' as UtcTime)
}

const dataOf = (text: string) => JSON.parse(text) as { readonly from: string; readonly install_id: string }

const eventsOf = (type: string, before: UtcTime) => sql<{
  product_id: number
  data: string
  created: UtcTime
}>`
  select events.product_id, events.data, events.created from products
  join events on events.product_id = products.id and events.type = ${type}
  where events.created < ${before}`

/** Moves as their events tell them. */
async function toldMoves(db: Writer, before: UtcTime): Promise<Move[]> {
  const { rows } = await eventsOf('install.ownership.completed', before).execute(db)
  const moves = rows.map(({ product_id: product, data, created: at }) => {
    const { from, install_id: install } = dataOf(data)
    return { user: Number(from), product, install: Number(install), at }
  })
  // What was erased from an event names nobody any more.
  return moves.filter(({ user, install }) => Number.isSafeInteger(user) && Number.isSafeInteger(install))
}

/** Moves that both sides agreed to, also where their events are deleted; installs of add-ons go along. */
async function agreedMoves(db: Writer, before: UtcTime): Promise<Move[]> {
  const { rows } = await sql<{ user: number; install_id: number; install_ids: string | null; at: UtcTime }>`
    select from_user_id as "user", install_id, install_ids, completed_at as at from ownership_changes
    where completed_at < ${before}`.execute(db)
  const moves = rows.flatMap(({ user, install_id: id, install_ids: others, at }) =>
    [id, ...(parseIdList(others ?? '') ?? [])].map((install) => ({ user, install, at })),
  )
  const products = new Map<number, number>()
  for (const part of parts(moves)) {
    const ids = sql.join(part.map(({ install }) => install))
    const found = await sql<{ id: number; product_id: number }>`
      select id, product_id from installs where id in (${ids})`.execute(db)
    for (const one of found.rows) products.set(one.id, one.product_id)
  }
  return moves.flatMap((move) => {
    const product = products.get(move.install)
    return product === undefined ? [] : [{ ...move, product }]
  })
}

/** Of which users a license went along, and in which products: that of the event, and its add-ons. */
async function licensedMoves(db: Writer, before: UtcTime): Promise<Set<string>> {
  const { rows } = await eventsOf('license.ownership.changed', before).execute(db)
  const addons = await sql<{ id: number; of: number }>`
    select id, parent_plugin_id as "of" from products where parent_plugin_id is not null`.execute(db)
  const of = Map.groupBy(addons.rows, (addon) => addon.of)
  return new Set(
    rows.flatMap(({ product_id: product, data }) =>
      [product, ...(of.get(product) ?? []).map(({ id }) => id)].map((id) => `${dataOf(data).from} in ${id}`),
    ),
  )
}

/** When a mailed link that a user followed last gave it other pairs; milliseconds by user. */
async function renewals(db: Writer): Promise<Map<number, number>> {
  const { rows } = await sql<{ at: number; details: string }>`
    select at, details from audit_log where action = 'keywright/renew-keys' order by at`.execute(db)
  const userOf = (details: string) => (JSON.parse(details) as { readonly user: number }).user
  return new Map(rows.map(({ at, details }) => [userOf(details), Number(at)]))
}

async function addMoves(db: Writer, moves: readonly Move[], licensed: ReadonlySet<string>): Promise<void> {
  for (const part of parts(moves)) {
    const values = part.map(({ user, product, install }) => {
      const isLicensed = licensed.has(`${user} in ${product}`) ? 1 : 0
      return sql`(${user}, ${product}, ${install}, ${isLicensed})`
    })
    await sql`insert into moved_sites values ${sql.join(values)} on conflict do nothing`.execute(db)
  }
}

const PART = 1_000

const parts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PART) }, (_, n) => all.slice(n * PART, (n + 1) * PART))

/** Whether a pair of a user is to be replaced, or was, as in 0060; the sign keeps SQLite from looking for all without an install. */
const isUnproven = (product: string) => sql`(${sql.ref(`${product}.reach`)} = 'own' or exists (
  select 1 from user_keys where user_keys.user_id = ${sql.ref(`${product}.user_id`)}
    and user_keys.product_id = ${sql.ref(`${product}.product_id`)} and user_keys.reach = 'own'
    and +user_keys.install_id is null and user_keys.created = ${sql.ref(`${product}.created`)}))`

/** Whether a pair is from before pairs had a reach, and was left whole. */
const leftBefore = (first: UtcTime) =>
  sql`product_users.created <= ${first} and not ${isUnproven('product_users')}`

/** Whether an install has a whole pair: its own, or that of the first site of its network. */
const HAS_WHOLE_PAIR = sql`(
  exists (select 1 from user_keys where user_keys.install_id = installs.id and user_keys.reach = 'whole')
  or exists (select 1 from user_key_installs as shared join user_keys on user_keys.id = shared.user_key_id
    where shared.install_id = installs.id and shared.signs = 1 and user_keys.reach = 'whole'))`

const IS_MOVED = sql`(user_id, product_id) in (select moved.user_id, moved.product_id from moved_sites as moved)`

const WENT_OUT = sql`(
  exists (select 1 from installs
    where installs.user_id = product_users.user_id and installs.product_id = product_users.product_id)
  or exists (select 1 from events
    where events.user_id = product_users.user_id and events.product_id = product_users.product_id
      and events.type = 'install.deleted'))`

/** As in 0030, and by what went along with the site. */
const WITHOUT_PROOF = sql`(
  exists (select 1 from users
    where users.id = product_users.user_id and users.is_verified = 0 and users.came_with is not null)
  or exists (select 1 from licenses
    where licenses.user_id = product_users.user_id and (licenses.product_id = product_users.product_id
      or licenses.product_id in (select bundle_id from bundle_members
        where bundle_members.product_id = product_users.product_id)))
  or exists (select 1 from moved_sites as moved left join installs on installs.id = moved.install_id
    where moved.user_id = product_users.user_id and moved.product_id = product_users.product_id
      and (moved.is_licensed = 1 or installs.license_id is not null
        or exists (select 1 from install_tokens where install_tokens.install_id = moved.install_id))))`

/** Narrows pairs; the condition has the products that pairs of each product open, and what these open. */
const narrowOpened = (which: RawBuilder<unknown>) =>
  sql`with recursive opens (by_id, product_id) as (
      select parent_plugin_id, id from products
      union all select product_id, bundle_id from bundle_members),
    opened (by_id, product_id) as (
      select by_id, product_id from opens
      union select opened.by_id, opens.product_id from opened join opens on opens.by_id = opened.product_id)
    update product_users set reach = 'own' where ${which}`
