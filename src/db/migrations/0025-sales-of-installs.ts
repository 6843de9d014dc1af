import { sql } from 'kysely'
import type { Writer } from '../database.ts'

const FIRST = sql`(select min(i.id) from installs i where i.license_id = sold.license_id)`
const IS_ON_ONE = sql`exists (select 1 from installs i where i.license_id = sold.license_id)`

/** What was sold with a license is of the first install that has it, and its installs are paid by its subscription. */
const statements = [
  sql`update installs set gross = gross + coalesce((
      select sum(p.gross) from payments p
      where p.license_id = installs.license_id and p.install_id is null and p.environment = 0), 0)
    where license_id is not null
      and id = (select min(i.id) from installs i where i.license_id = installs.license_id)`,
  sql`update payments as sold set install_id = ${FIRST}
    where install_id is null and license_id is not null and ${IS_ON_ONE}`,
  sql`update subscriptions as sold set install_id = ${FIRST}
    where install_id is null and license_id is not null and ${IS_ON_ONE}`,
  sql`update installs set subscription_id = (
      select s.id from subscriptions s where s.license_id = installs.license_id
      order by case when s.canceled_at is null then 0 else 1 end, s.id desc limit 1)
    where subscription_id is null and license_id is not null`,
]

export async function up(db: Writer): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}
