import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { TaxSettingsTable } from '../../db/tables/invoices.ts'

const ofDeveloper = prepared((db: Reader, { developerId }: { developerId: number }) =>
  unscoped(db, 'the account itself is what is asked for')
    .selectFrom('tax_settings')
    .selectAll()
    .where('developer_id', '=', developerId),
)

/** What an account says of taxes; undefined: nothing. */
export async function findTaxSettingsOf(db: Reader, developerId: number) {
  const [found] = await ofDeveloper(db, { developerId })
  return found
}

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
