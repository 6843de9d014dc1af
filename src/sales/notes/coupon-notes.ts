import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { getCoupon } from '../coupons/service.ts'
import type { Note, NoteText, Subject } from '../../people/notes/schema.ts'
import { changeNote, createNote, getNote, removeNote } from '../../people/notes/service.ts'

/** Notes on a coupon that the product has or reads (`docs/interface.md` 6.3); 404 when it has no such coupon. */
async function couponOf(ctx: ReadContext, scope: Scope, id: number): Promise<Subject> {
  await getCoupon(ctx, scope, id)
  return { type: 'coupon', id }
}

export const noteOfCoupon = async (ctx: ReadContext, scope: Scope, id: number): Promise<Note> =>
  getNote(ctx, scope, await couponOf(ctx, scope, id))

export const addNoteToCoupon = async (
  ctx: TxContext,
  scope: Scope,
  id: number,
  text: NoteText,
): Promise<Note> => createNote(ctx, scope, await couponOf(ctx, scope, id), text)

export const changeNoteOfCoupon = async (
  ctx: TxContext,
  scope: Scope,
  id: number,
  text: NoteText,
): Promise<Note> => changeNote(ctx, scope, await couponOf(ctx, scope, id), text)

export const removeNoteOfCoupon = async (ctx: TxContext, scope: Scope, id: number): Promise<void> =>
  removeNote(ctx, scope, await couponOf(ctx, scope, id))
