import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { changeNote, createNote, getNote, removeNote } from '../../people/notes/service.ts'
import type { Note, NoteText, Subject } from '../../people/notes/schema.ts'
import { getPayment } from '../payments/service.ts'
import { getSubscription } from '../subscriptions/service.ts'
import { updateProductUser } from '../../people/users/user-rows.ts'
import { getUser } from '../../people/users/service.ts'

/** Entities of a product that have a note like coupons (`docs/interface.md` 6.3). */
const FOUND_BY = {
  user: getUser,
  license: getLicense,
  payment: getPayment,
  subscription: getSubscription,
} as const

export type NotedEntity = keyof typeof FOUND_BY

/** What a note is about; the scope's product must have it. */
export interface Noted extends Subject {
  readonly type: NotedEntity
}

/** The note on an entity; 404 when the product has no such entity, or it has none. */
export async function noteOf(ctx: ReadContext, scope: Scope, noted: Noted): Promise<Note> {
  await FOUND_BY[noted.type](ctx, scope, noted.id)
  return getNote(ctx, scope, noted)
}

/** 400 `note_exists` where the entity has one. */
export async function addNote(ctx: TxContext, scope: Scope, noted: Noted, text: NoteText): Promise<Note> {
  await FOUND_BY[noted.type](ctx, scope, noted.id)
  return kept(ctx, scope, noted, await createNote(ctx, scope, noted, text))
}

export async function rewriteNote(ctx: TxContext, scope: Scope, noted: Noted, text: NoteText): Promise<Note> {
  await FOUND_BY[noted.type](ctx, scope, noted.id)
  return kept(ctx, scope, noted, await changeNote(ctx, scope, noted, text))
}

export async function endNote(ctx: TxContext, scope: Scope, noted: Noted): Promise<void> {
  await FOUND_BY[noted.type](ctx, scope, noted.id)
  await removeNote(ctx, scope, noted)
  if (noted.type === 'user') await updateProductUser(ctx.db, scope, noted.id, { note: '' })
}

/** A user shows its note itself, to the seller (`docs/interface.md` 6.1). */
async function kept(ctx: TxContext, scope: Scope, { type, id }: Noted, note: Note): Promise<Note> {
  if (type === 'user') await updateProductUser(ctx.db, scope, id, { note: note.note })
  return note
}
