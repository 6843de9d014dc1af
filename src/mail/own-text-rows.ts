import type { Reader, Writer } from '../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../db/scoped.ts'

/** The own texts of a product as they are stored; null: it has none. */
export async function findOwnTexts(db: Reader, owner: Owner): Promise<string | null> {
  const row = await scoped(db, 'own_mail_texts', owner).select().select('texts').executeTakeFirst()
  return row?.texts ?? null
}

/** Writes the own texts of a product, which its caller holds. */
export async function writeOwnTexts(db: Writer, owner: Owner, texts: string): Promise<void> {
  const { numUpdatedRows } = await scopedWrite(db, 'own_mail_texts', owner)
    .update()
    .set({ texts })
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    await db.insertInto('own_mail_texts').values({ product_id: owner.productId, texts }).execute()
}
