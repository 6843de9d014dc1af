import { addNoteToCoupon, changeNoteOfCoupon, noteOfCoupon, removeNoteOfCoupon } from './coupon-notes.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Id } from '../../http/wire.ts'
import { Note, NoteText } from '../../people/notes/schema.ts'

const scopes = ['product', 'developer', 'store'] as const
const CouponId = Arguments({ coupon_id: Id('ID of the coupon.') })

export const noteOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'coupons/retrieve-note',
    summary: 'Retrieve the note on a coupon',
    method: 'GET',
    path: '/coupons/{coupon_id}/note.json',
    scopes,
    access: 'notes.read',
    params: CouponId,
    status: 200,
    response: Note,
    handle: (ctx, { scope, params }) => noteOfCoupon(ctx, scope, params.coupon_id),
  }),
  writeOperation({
    id: 'coupons/create-note',
    summary: 'Write a note on a coupon that has none',
    method: 'POST',
    path: '/coupons/{coupon_id}/note.json',
    scopes,
    access: 'notes.write',
    params: CouponId,
    body: NoteText,
    status: 201,
    response: Note,
    emits: [],
    refuses: ['note_exists'],
    handle: (ctx, { scope, params, body }) => addNoteToCoupon(ctx, scope, params.coupon_id, body),
  }),
  writeOperation({
    id: 'coupons/update-note',
    summary: 'Change the note on a coupon',
    method: 'PUT',
    path: '/coupons/{coupon_id}/note.json',
    scopes,
    access: 'notes.write',
    params: CouponId,
    body: NoteText,
    status: 200,
    response: Note,
    emits: [],
    handle: (ctx, { scope, params, body }) => changeNoteOfCoupon(ctx, scope, params.coupon_id, body),
  }),
  writeOperation({
    id: 'coupons/delete-note',
    summary: 'Delete the note on a coupon',
    method: 'DELETE',
    path: '/coupons/{coupon_id}/note.json',
    scopes,
    access: 'notes.write',
    params: CouponId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => removeNoteOfCoupon(ctx, scope, params.coupon_id),
  }),
]
