import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Environment } from '../../db/tables/licenses.ts'

const FOUND = 'by a price that its product was found to have'

interface Priced {
  readonly pricingId: number
  readonly environment: Environment
}

/** How many subscriptions at a price are not cancelled. */
export async function countSubscriptionsAt(db: Reader, { pricingId, environment }: Priced): Promise<number> {
  const found = unscoped(db, FOUND)
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('subscriptions.pricing_id', '=', pricingId)
    .where('subscriptions.canceled_at', 'is', null)
  const { count } = await whereEqual(found, 'subscriptions', { environment }).executeTakeFirstOrThrow()
  return Number(count)
}

/** How many licenses at a price end and had never a subscription, so that they are renewed at what the price is. */
export async function countLicensesAt(db: Reader, { pricingId, environment }: Priced): Promise<number> {
  const found = unscoped(db, FOUND)
    .selectFrom('licenses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('licenses.pricing_id', '=', pricingId)
    .where('licenses.expiration', 'is not', null)
    .where('licenses.is_cancelled', '=', false)
    .where('licenses.is_trial', '=', false)
    .where(
      sql<boolean>`not exists (select 1 from subscriptions where subscriptions.license_id = licenses.id)`,
    )
  const { count } = await whereEqual(found, 'licenses', { environment }).executeTakeFirstOrThrow()
  return Number(count)
}
