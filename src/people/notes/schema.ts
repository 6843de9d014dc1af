import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { NOTE_ENTITIES, type NoteEntity, type NotesTable } from '../../db/tables/notes.ts'
import { Arguments, Choice, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type NoteRow = Selectable<NotesTable>

/** A note; the ids of the scope and the entity are numbers (`docs/interface.md` 1.2). */
export const Note = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    scope_entity_id: Type.Integer({ minimum: 1 }),
    scope_entity_type: Choice(['plugin', 'store']),
    entity_id: Type.Integer({ minimum: 1 }),
    entity_type: Choice(NOTE_ENTITIES),
    note: Type.String(),
  },
  { title: 'Note' },
)
export type Note = Static<typeof Note>

/** What is written of a note (`docs/interface.md` 6.3). */
export const NoteText = Arguments({
  note: Optional(Text({ max: 10_000, format: 'text', description: 'Absent: empty, or as it is.' })),
})
export type NoteText = Static<typeof NoteText>

/** What a note is about. */
export interface Subject {
  readonly type: NoteEntity
  readonly id: number
}

/** Row → wire. */
export const presentNote = (row: NoteRow): Note => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  scope_entity_id: row.product_id,
  scope_entity_type: 'plugin',
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  note: row.note,
})
