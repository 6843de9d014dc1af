import { addNote, endNote, noteOf, rewriteNote, type Noted, type NotedEntity } from './entity-notes.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Id } from '../../http/wire.ts'
import { Note, NoteText } from '../../people/notes/schema.ts'

const scopes = ['product', 'developer', 'store'] as const

/** The four operations on the note of a kind of entity, as coupons have them (`docs/interface.md` 6.3). */
function operationsOf(type: NotedEntity, group: 'notes' | 'sales'): readonly AnyOperation[] {
  const name = `${type}_id`
  const about = {
    path: `/${type}s/{${name}}/note.json`,
    scopes,
    params: Arguments({ [name]: Id(`ID of the ${type}.`) }),
  }
  const notedIn = (params: Readonly<Record<string, number>>): Noted => ({ type, id: params[name] ?? 0 })
  return [
    readOperation({
      ...about,
      id: `keywright/retrieve-note-of-${type}`,
      summary: `Retrieve the note on a ${type}`,
      method: 'GET',
      access: `${group}.read`,
      status: 200,
      response: Note,
      handle: (ctx, { scope, params }) => noteOf(ctx, scope, notedIn(params)),
    }),
    writeOperation({
      ...about,
      id: `keywright/create-note-of-${type}`,
      summary: `Write a note on a ${type} that has none`,
      method: 'POST',
      access: `${group}.write`,
      body: NoteText,
      status: 201,
      response: Note,
      emits: [],
      refuses: ['note_exists'],
      handle: (ctx, { scope, params, body }) => addNote(ctx, scope, notedIn(params), body),
    }),
    writeOperation({
      ...about,
      id: `keywright/update-note-of-${type}`,
      summary: `Change the note on a ${type}`,
      method: 'PUT',
      access: `${group}.write`,
      body: NoteText,
      status: 200,
      response: Note,
      emits: [],
      handle: (ctx, { scope, params, body }) => rewriteNote(ctx, scope, notedIn(params), body),
    }),
    writeOperation({
      ...about,
      id: `keywright/delete-note-of-${type}`,
      summary: `Delete the note on a ${type}`,
      method: 'DELETE',
      access: `${group}.write`,
      status: 204,
      emits: [],
      handle: (ctx, { scope, params }) => endNote(ctx, scope, notedIn(params)),
    }),
  ]
}

export const entityNoteOperations: readonly AnyOperation[] = [
  ...operationsOf('user', 'notes'),
  ...operationsOf('license', 'notes'),
  ...operationsOf('payment', 'sales'),
  ...operationsOf('subscription', 'sales'),
]
