import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { NotesTable } from '../../db/tables/notes.ts'
import type { Subject } from './schema.ts'

export const findNote = (db: Reader, owner: Owner, { type, id }: Subject) =>
  scoped(db, 'notes', owner)
    .select()
    .selectAll()
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .executeTakeFirst()

/** Adds a note unless the entity has one; undefined then. */
export const insertNote = (db: Writer, row: Insertable<NotesTable>) =>
  db
    .insertInto('notes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['product_id', 'entity_type', 'entity_id']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateNote = (db: Writer, owner: Owner, { type, id }: Subject, change: Updateable<NotesTable>) =>
  scopedWrite(db, 'notes', owner)
    .update()
    .set(change)
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** False when the entity has no note. */
export async function deleteNote(db: Writer, owner: Owner, { type, id }: Subject): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'notes', owner)
    .delete()
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
