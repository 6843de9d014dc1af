import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** Who a mail about a product goes to. */
export const findRecipient = (db: Reader, owner: Owner, userId: number) =>
  scoped(db, 'products', owner)
    .select()
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select(['users.id', 'users.email', 'users.first', 'users.last'])
    .executeTakeFirst()
