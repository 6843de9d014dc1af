import { sql, type RawBuilder } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { scopedWrite, type Owner } from '../../db/scoped.ts'

export const raiseCatalogueVersion = (db: Writer, owner: Owner) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({ catalogue_version: eb('catalogue_version', '+', 1) }))
    .execute()

type List = 'plans' | 'features'

/** Puts an id at the end of an order list; the first plan becomes the default one. */
export const appendTo = (db: Writer, owner: Owner, list: List, id: number) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({
      [list]: appended(list, String(id)),
      ...(list === 'plans' && { default_plan_id: eb.fn.coalesce('default_plan_id', eb.val(id)) }),
    }))
    .execute()

/** Writes an order list. */
export const writeOrder = (db: Writer, owner: Owner, list: List, ids: readonly number[]) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set({ [list]: ids.join(',') })
    .execute()

/** Takes the id of what was deleted out of an order list; where it was the default plan, the oldest one left is. */
export const removeFrom = (db: Writer, owner: Owner, list: List, id: number) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({
      [list]: removed(list, String(id)),
      ...(list === 'plans' && {
        default_plan_id: eb
          .case()
          .when('default_plan_id', '=', id)
          .then(
            eb
              .selectFrom('plans as others')
              .select((other) => other.fn.min('others.id').as('id'))
              .whereRef('others.product_id', '=', 'products.id'),
          )
          .else(eb.ref('default_plan_id'))
          .end(),
      }),
    }))
    .execute()

const appended = (list: List, id: string): RawBuilder<string> => {
  const column = sql.ref<string>(list)
  return sql`case when ${column} = '' then ${id} else ${column} || ',' || ${id} end`
}

/** Between commas at both ends, so that 5 is not found in 15. */
const removed = (list: List, id: string): RawBuilder<string> =>
  sql`trim(replace(',' || ${sql.ref(list)} || ',', ',' || ${id} || ',', ','), ',')`
