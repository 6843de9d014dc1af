import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { KeyRequestsTable } from '../../db/tables/key-requests.ts'

const NOTED = 'the job mails for every product'

interface Of {
  readonly licenseId?: number
  readonly userId?: number
}

/** What a mail says of licenses of the owner's product that have an owner, the newest first. */
export function mailedLicenses(db: Reader, owner: Owner, { licenseId, userId }: Of) {
  let found = scoped(db, 'licenses', owner)
    .select()
    .innerJoin('plans', 'plans.id', 'licenses.plan_id')
    .select([
      'licenses.id',
      'licenses.user_id',
      'licenses.secret_key',
      'licenses.expiration',
      'licenses.is_cancelled',
      'plans.title as plan',
    ])
    .where('licenses.user_id', 'is not', null)
    .orderBy('licenses.id', 'desc')
  if (licenseId !== undefined) found = found.where('licenses.id', '=', licenseId)
  if (userId !== undefined) found = found.where('licenses.user_id', '=', userId)
  return found.execute()
}

/** When a mail of this kind about the product was last put into the outbox for a person, in milliseconds. */
export async function lastMailed(
  db: Reader,
  { productId }: Owner,
  { userId, kind }: { readonly userId: number; readonly kind: string },
): Promise<number> {
  const found = await unscoped(db, 'the outbox is of no scope; these are mails of its product to one person')
    .selectFrom('mails')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.created_at ?? 0
}

/** Notes an address; one that is noted already stays. */
export async function noteKeyRequest(db: Writer, row: Insertable<KeyRequestsTable>): Promise<void> {
  await db
    .insertInto('key_requests')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The addresses that were noted first. */
export const findKeyRequests = (db: Reader, limit: number) =>
  unscoped(db, NOTED)
    .selectFrom('key_requests')
    .select(['id', 'created'])
    .orderBy('id')
    .limit(limit)
    .execute()

/** Takes an address off; undefined when somebody else has. */
export const takeKeyRequest = (db: Writer, id: number) =>
  unscoped(db, NOTED)
    .deleteFrom('key_requests')
    .where('id', '=', id)
    .returning(({ selectFrom }) => [
      'product_id',
      'email_folded',
      selectFrom('products')
        .select('products.developer_id')
        .whereRef('products.id', '=', 'key_requests.product_id')
        .$asScalar()
        .$notNull()
        .as('developer_id'),
    ])
    .executeTakeFirst()
