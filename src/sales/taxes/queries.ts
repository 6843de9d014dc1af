import type { Insertable, Updateable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { TaxSettingsTable } from '../../db/tables/invoices.ts'

/** Writes what is given; what is left out stays, or is as in `row` where there is none. */
export const putTaxSettings = (
  db: Writer,
  row: Insertable<TaxSettingsTable>,
  change: Updateable<TaxSettingsTable>,
) =>
  db
    .insertInto('tax_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('developer_id').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow()
