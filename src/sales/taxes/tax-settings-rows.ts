import type { Selectable } from 'kysely'
import { batched } from '../../db/batched.ts'
import type { TaxSettingsTable } from '../../db/tables/invoices.ts'
import type { Reader } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

const ofDeveloper = prepared((db: Reader, { developerId }: { developerId: number }) =>
  unscoped(db, 'the account itself is what is asked for')
    .selectFrom('tax_settings')
    .selectAll()
    .where('developer_id', '=', developerId),
)

/** What an account says of taxes; undefined: nothing. */
export const findTaxSettingsOf = batched({
  alike: String,
  async many(
    db: Reader,
    developerIds: readonly number[],
  ): Promise<(Selectable<TaxSettingsTable> | undefined)[]> {
    const [found] = await ofDeveloper(db, { developerId: developerIds[0] ?? 0 })
    return developerIds.map(() => found)
  },
})
