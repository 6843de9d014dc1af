import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { BillingTable } from '../../db/tables/billing.ts'
import type { KeyPairColumns } from '../../db/tables/columns.ts'
import type { UtcTime } from '../../lib/time.ts'

const AT_START = 'once, at the start after an upgrade, of all users'

/** Pairs of users that are to be replaced. The condition stands as its index has it. */
export const findPairsToReplace = (db: Reader, count: number) =>
  unscoped(db, AT_START)
    .selectFrom('product_users')
    .select(['product_id', 'user_id', 'public_key', 'secret_key', 'created'])
    .where(sql<boolean>`reach = 'own'`)
    .orderBy('product_id')
    .orderBy('user_id')
    .limit(count)
    .execute()

interface Held extends KeyPairColumns {
  readonly product_id: number
  readonly user_id: number
  readonly created: UtcTime
}

/** Another pair in the place of one; false when somebody has replaced it. */
export async function replacePair(db: Writer, held: Held, by: KeyPairColumns): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, AT_START)
    .updateTable('product_users')
    .set({ ...by, reach: 'whole' })
    .where('product_id', '=', held.product_id)
    .where('user_id', '=', held.user_id)
    .where('public_key', '=', held.public_key)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The address of somebody of whom it was only typed, and who has no license: no key of one handed the pair out. */
const typedBy = (db: Writer, userId: number) =>
  unscoped(db, AT_START)
    .selectFrom('users')
    .select('email_folded')
    .where('id', '=', userId)
    .where('is_verified', '=', false)
    .where(sql<boolean>`came_with is not null`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('licenses').select('id').whereRef('licenses.user_id', '=', 'users.id'))),
    )
    .executeTakeFirst()

/**
 * That the keys of an install reach as far as a pair that was handed out for it: one that was settled has no install,
 * and the time of what it was before.
 */
const IS_HANDED_OUT = sql`exists (select 1 from user_key_installs as taken
  join user_keys as handed on handed.id = taken.user_key_id
  where taken.install_id = installs.id and taken.signs = 1 and (handed.install_id is not null
    or not exists (select 1 from product_users as settled where settled.user_id = handed.user_id
      and settled.product_id = handed.product_id and settled.created = handed.created)))`

/**
 * A pair with what it was good for: the installs of its user in its product and add-ons for which nobody was handed out
 * another one since, and the licenses on them, but none that it made while it was whole, whose keys are whole; the
 * address, and that of bills, where whoever has the pair wrote them.
 */
export async function moveReach(db: Writer, held: Held): Promise<void> {
  const { product_id: productId, user_id: userId } = held
  const typed = await typedBy(db, userId)
  const { id } = await unscoped(db, AT_START)
    .insertInto('user_keys')
    .values({ ...held, install_id: null, reach: 'own', email_folded: typed?.email_folded ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (typed) await moveBilling(db, userId, id)
  const installs = sql`select installs.id from installs where installs.user_id = ${userId} and installs.reach = 'own'
    and installs.product_id in (select products.id from products
      where products.id = ${productId} or products.parent_plugin_id = ${productId})
    and not ${IS_HANDED_OUT}`
  await sql`insert into user_key_installs (user_key_id, install_id, signs)
    select ${id}, found.id, 1 from (${installs}) as found`.execute(db)
  await sql`insert into user_key_licenses (user_key_id, license_id)
    select distinct user_keys.id, coalesce(licenses.parent_license_id, licenses.id) from licenses, user_keys
    where user_keys.id = ${id} and licenses.id in (select license_id from installs
      where installs.id in (${installs}))`.execute(db)
}

async function moveBilling(db: Writer, userId: number, pairId: number): Promise<void> {
  const columns = sql.raw(BILLING.join(', '))
  await sql`insert into user_key_billing (user_key_id, ${columns})
    select ${pairId}, ${columns} from billing where user_id = ${userId}`.execute(db)
}

const BILLING: readonly (keyof BillingTable)[] = [
  'business_name',
  'first',
  'last',
  'email',
  'phone',
  'website',
  'tax_id',
  'address_street',
  'address_apt',
  'address_city',
  'address_country',
  'address_country_code',
  'address_state',
  'address_zip',
  'created',
  'updated',
]
