import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Subject } from './schema.ts'

/** Removes what every product remarked on an entity that is gone. */
export const deleteNotesOf = (db: Writer, { type, id }: Subject) =>
  unscoped(db, 'the entity is gone for every product')
    .deleteFrom('notes')
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .execute()
