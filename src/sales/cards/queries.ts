import type { Reader } from '../../db/database.ts'
import type { Owner } from '../../db/scoped.ts'
import { cards } from './card-rows.ts'

/** A page of the cards of a user, newest first. */
export const listCards = (
  db: Reader,
  owner: Owner,
  { userId, count, offset }: { readonly userId: number; readonly count: number; readonly offset: number },
) =>
  cards(db, owner)
    .where('payment_methods.user_id', '=', userId)
    .orderBy('payment_methods.id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()
