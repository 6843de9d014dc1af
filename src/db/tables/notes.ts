import type { Entity } from './columns.ts'

export const NOTE_ENTITIES = ['coupon', 'user', 'payment', 'subscription', 'license'] as const
export type NoteEntity = (typeof NOTE_ENTITIES)[number]

/** What the seller of a product remarks on an entity: one note each. */
export interface NotesTable extends Entity {
  product_id: number
  entity_type: NoteEntity
  entity_id: number
  note: string
}
