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
  await sql`create temporary table moved (user_id bigint not null, product_id bigint not null,
    install_id bigint not null, is_licensed smallint not null)`.execute(db)
  const renewed = await renewals(db)
  const licensed = await licensedMoves(db)
  for (const { user, product, install, at } of [...(await toldMoves(db)), ...(await agreedMoves(db))]) {
    if ((renewed.get(user) ?? 0) >= fromUtcTime(at) + SECOND) continue
    const isLicensed = licensed.has(`${user} in ${product}`) ? 1 : 0
    await sql`insert into moved values (${user}, ${product}, ${install}, ${isLicensed})`.execute(db)
  }
  await narrowMoved.execute(db)
  await narrowOpened(isUnproven('held'), IS_MOVED).execute(db)
  await narrowOpened(sql`held.reach = 'own'`, WENT_OUT).execute(db)
  await narrowInstalls.execute(db)
  await sql`drop table moved`.execute(db)
}

/** When a pair was first handed out with a reach; those that were settled have the time of their user. */
const FIRST_HANDED = sql`coalesce((select min(handed.created) from user_keys as handed
  where handed.install_id is not null or not exists (select 1 from product_users as settled
    where settled.user_id = handed.user_id and settled.product_id = handed.product_id
      and settled.created = handed.created)), '9999')`

const dataOf = (text: string) => JSON.parse(text) as { readonly from: string; readonly install_id: string }

const eventsOf = (type: string) => sql<{ product_id: number; data: string; created: UtcTime }>`
  select events.product_id, events.data, events.created from products
  join events on events.product_id = products.id and events.type = ${type}
  where events.created < ${FIRST_HANDED}`

/** Moves as their events tell them. */
async function toldMoves(db: Writer): Promise<Move[]> {
  const { rows } = await eventsOf('install.ownership.completed').execute(db)
  const moves = rows.map(({ product_id: product, data, created: at }) => {
    const { from, install_id: install } = dataOf(data)
    return { user: Number(from), product, install: Number(install), at }
  })
  // What was erased from an event names nobody any more.
  return moves.filter(({ user, install }) => Number.isSafeInteger(user) && Number.isSafeInteger(install))
}

/** Moves that both sides agreed to, also where their events are deleted; installs of add-ons go along. */
async function agreedMoves(db: Writer): Promise<Move[]> {
  const { rows } = await sql<{ user: number; install_id: number; install_ids: string | null; at: UtcTime }>`
    select from_user_id as "user", install_id, install_ids, completed_at as at from ownership_changes
    where completed_at < ${FIRST_HANDED}`.execute(db)
  const moves: Move[] = []
  for (const { user, install_id: id, install_ids: others, at } of rows) {
    const ids = sql.join([id, ...(parseIdList(others ?? '') ?? [])])
    const found = await sql<{ id: number; product_id: number }>`
      select id, product_id from installs where id in (${ids})`.execute(db)
    moves.push(...found.rows.map((one) => ({ user, product: one.product_id, install: one.id, at })))
  }
  return moves
}

/** Of which users a license went along, and in which products: that of the event, and its add-ons. */
async function licensedMoves(db: Writer): Promise<Set<string>> {
  const { rows } = await eventsOf('license.ownership.changed').execute(db)
  const licensed = new Set<string>()
  for (const { product_id: product, data } of rows) {
    const found = await sql<{ id: number }>`
      select id from products where id = ${product} or parent_plugin_id = ${product}`.execute(db)
    for (const { id } of found.rows) licensed.add(`${dataOf(data).from} in ${id}`)
  }
  return licensed
}

/** When a mailed link that a user followed gave it other pairs; milliseconds by user. */
async function renewals(db: Writer): Promise<Map<number, number>> {
  const { rows } = await sql<{ at: number; details: string }>`
    select at, details from audit_log where action = 'keywright/renew-keys' order by at`.execute(db)
  const userOf = (details: string) => (JSON.parse(details) as { readonly user: number }).user
  return new Map(rows.map(({ at, details }) => [userOf(details), Number(at)]))
}

/** Whether a pair of a user is to be replaced, or was, as in 0060. */
const isUnproven = (product: string) => sql`(${sql.ref(`${product}.reach`)} = 'own' or exists (
  select 1 from user_keys where user_keys.user_id = ${sql.ref(`${product}.user_id`)}
    and user_keys.product_id = ${sql.ref(`${product}.product_id`)} and user_keys.reach = 'own'
    and user_keys.install_id is null and user_keys.created = ${sql.ref(`${product}.created`)}))`

const isFormer = (table: string) => sql`${sql.ref(`${table}.created`)} <= ${FIRST_HANDED}`

const IS_MOVED = sql`exists (select 1 from moved
  where moved.user_id = product_users.user_id and moved.product_id = product_users.product_id)`

const WENT_OUT = sql`(${IS_MOVED}
  or exists (select 1 from installs
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
  or exists (select 1 from moved left join installs on installs.id = moved.install_id
    where moved.user_id = product_users.user_id and moved.product_id = product_users.product_id
      and (moved.is_licensed = 1 or installs.license_id is not null
        or exists (select 1 from install_tokens where install_tokens.install_id = moved.install_id))))`

const IS_LEFT = sql`product_users.reach = 'whole' and ${isFormer('product_users')}
  and not ${isUnproven('product_users')}`

const narrowMoved = sql`update product_users set reach = 'own'
  where ${IS_LEFT} and ${IS_MOVED} and ${WITHOUT_PROOF}`

/** What some pairs open, of which `isOut` says that it was read there. */
const narrowOpened = (isHeld: RawBuilder<unknown>, isOut: RawBuilder<unknown>) =>
  sql`with recursive opened (user_id, product_id) as (
      select held.user_id, held.product_id from product_users as held where ${isHeld}
      union
      select opened.user_id, products.id from opened, products
        where products.parent_plugin_id = opened.product_id
          or exists (select 1 from bundle_members where bundle_members.bundle_id = products.id
            and bundle_members.product_id = opened.product_id))
    update product_users set reach = 'own' where ${IS_LEFT} and ${isOut}
      and exists (select 1 from opened
        where opened.user_id = product_users.user_id and opened.product_id = product_users.product_id)`

const narrowInstalls = sql`update installs set reach = 'own'
  where reach = 'whole' and ${isFormer('installs')}
    and exists (select 1 from product_users where product_users.user_id = installs.user_id
      and product_users.product_id = installs.product_id and product_users.reach = 'own')
    and not exists (select 1 from user_keys where user_keys.install_id = installs.id and user_keys.reach = 'whole')`
