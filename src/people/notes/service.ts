import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { deleteNote, findNote, insertNote, updateNote } from './queries.ts'
import { presentNote, type Note, type NoteText, type Subject } from './schema.ts'

/** What the product remarks on an entity, of which the caller has shown that the product has it; 404 without. */
export async function getNote(ctx: ReadContext, scope: Scope, subject: Subject): Promise<Note> {
  const note = await findNote(ctx.db, scope, subject)
  if (!note) throw notFound('note')
  return presentNote(note)
}

/** An entity has one note: 400 `note_exists` when it has it already, so that nobody's is overwritten unseen. */
export async function createNote(
  ctx: TxContext,
  scope: Scope,
  subject: Subject,
  { note = '' }: NoteText,
): Promise<Note> {
  const created = await insertNote(ctx.db, {
    product_id: scope.productId,
    entity_type: subject.type,
    entity_id: subject.id,
    note,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!created) throw invalid('note_exists', 'There is a note already; update it.')
  return presentNote(created)
}

/** 404 when there is no note to change. */
export async function changeNote(
  ctx: TxContext,
  scope: Scope,
  subject: Subject,
  { note }: NoteText,
): Promise<Note> {
  if (note === undefined) return getNote(ctx, scope, subject)
  const changed = await updateNote(ctx.db, scope, subject, {
    note,
    updated: ctx.clock.now(),
  })
  if (!changed) throw notFound('note')
  return presentNote(changed)
}

/** 404 when there is no note. */
export async function removeNote(ctx: TxContext, scope: Scope, subject: Subject): Promise<void> {
  if (!(await deleteNote(ctx.db, scope, subject))) throw notFound('note')
}
