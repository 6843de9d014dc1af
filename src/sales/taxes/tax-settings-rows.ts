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
export async function findTaxSettingsOf(db: Reader, developerId: number) {
  const [found] = await ofDeveloper(db, { developerId })
  return found
}
