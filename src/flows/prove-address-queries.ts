import type { Reader } from '../db/database.ts'

/** The products that a person is a user of. */
export const productsOfPerson = async (db: Reader, userId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
  return rows.map(({ product_id: id }) => id)
}
