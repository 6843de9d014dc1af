import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

export const cards = (db: Reader, owner: Owner) =>
  scoped(db, 'payment_methods', owner)
    .select()
    .select([
      'payment_methods.id',
      'payment_methods.created',
      'payment_methods.updated',
      'payment_methods.user_id',
      'payment_methods.product_id',
      'payment_methods.gateway',
      'payment_methods.kind',
      'payment_methods.brand',
      'payment_methods.last4',
      'payment_methods.expiry_month',
      'payment_methods.expiry_year',
      'payment_methods.environment',
    ])

export const findCards = (db: Reader, owner: Owner, ids: readonly number[]) =>
  cards(db, owner).where('payment_methods.id', 'in', inList(ids)).execute()
