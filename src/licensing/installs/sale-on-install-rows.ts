import { sql } from 'kysely'
import { batched, inOrder } from '../../db/batched.ts'
import { preparedList } from '../../db/prepared-list.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { prepared } from '../../db/prepared.ts'
import { isSandbox } from '../../lib/environment.ts'
import type { UtcTime } from '../../lib/time.ts'

const HELD = 'of a license that the caller holds'

const findSubscription = prepared((db, { id }: { id: number }) =>
  unscoped(db, HELD)
    .selectFrom('subscriptions')
    .select('id')
    .where('license_id', '=', id)
    .orderBy(sql`case when canceled_at is null then 0 else 1 end`)
    .orderBy('id', 'desc')
    .limit(1),
)

/** The subscription that renews a license, or else its latest one; null: it has none. */
export const subscriptionFor = async (db: Reader, licenseId: number): Promise<number | null> =>
  (await findSubscription(db, { id: licenseId }))[0]?.id ?? null

interface Put {
  readonly licenseId: number
  readonly installId: number
}

const takingPayments = prepared((db: Writer, { licenseId, installId }: Put) =>
  unscoped(db, HELD)
    .updateTable('payments')
    .set({ install_id: installId })
    .where('license_id', '=', licenseId)
    .where('install_id', 'is', null)
    .returning(['gross', 'environment']),
)

/** Says of the payments for a license that are of no install that they are of this one; their sum in production. */
export async function takePayments(db: Writer, put: Put): Promise<number> {
  const taken = await takingPayments(db, put)
  return taken.reduce((sum, { gross, environment }) => (!isSandbox(environment) ? sum + gross : sum), 0)
}

/** Gives an install the subscriptions of a license that are of none, or of one on which the license is not. */
export const takeSubscriptions = (db: Writer, { licenseId, installId }: Put): Promise<unknown> =>
  unscoped(db, HELD)
    .updateTable('subscriptions')
    .set({ install_id: installId })
    .where('license_id', '=', licenseId)
    .where((is) => is.or([is('install_id', 'is', null), isElsewhere]))
    .execute()

const isElsewhere = sql<boolean>`not exists (select 1 from installs
  where installs.id = subscriptions.install_id and installs.license_id = subscriptions.license_id)`

/** Gives the subscriptions of a license that were of an install to another one that has the license, else to none. */
export const passSubscriptions = (db: Writer, { licenseId, installId }: Put): Promise<unknown> =>
  unscoped(db, HELD)
    .updateTable('subscriptions')
    .set({
      install_id: sql<
        number | null
      >`(select min(installs.id) from installs where installs.license_id = ${licenseId})`,
    })
    .where('license_id', '=', licenseId)
    .where('install_id', '=', installId)
    .execute()

const findInstalls = preparedList((db, ids) =>
  unscoped(db, HELD)
    .selectFrom('licenses')
    .select(({ selectFrom }) => [
      'licenses.id',
      selectFrom('subscriptions')
        .select('install_id')
        .whereRef('license_id', '=', 'licenses.id')
        .where('install_id', 'is not', null)
        .orderBy('subscriptions.id', 'desc')
        .limit(1)
        .as('subscribed'),
      selectFrom('installs')
        .select(({ fn }) => fn.min('installs.id').as('id'))
        .whereRef('license_id', '=', 'licenses.id')
        .as('first'),
    ])
    .where('licenses.id', 'in', ids),
)

/** The install that what is paid for a license is of: that of its subscription, else the first; null: it is on none. */
export const installOfLicense = batched({
  async many(db: Reader, ids: readonly number[]): Promise<(number | null)[]> {
    const found = inOrder(await findInstalls(db, ids), ids, ({ id }) => id)
    return found.map((one) => one?.subscribed ?? one?.first ?? null)
  },
})

/** Notes on the installs of a license which subscription renews it. */
export const setSubscriptionOn = (db: Writer, licenseId: number, subscriptionId: number) =>
  settingOn(db, { licenseId, subscriptionId })
const settingOn = prepared((db: Writer, held: { licenseId: number; subscriptionId: number }) =>
  unscoped(db, HELD)
    .updateTable('installs')
    .set({ subscription_id: held.subscriptionId })
    .where('license_id', '=', held.licenseId),
)

/** Puts the installs of a license on its plan; those that were on another one, as they were. */
export async function setPlanOfInstalls(
  db: Writer,
  licenseId: number,
  { planId, updated }: { readonly planId: number; readonly updated: UtcTime },
) {
  const before = await unscoped(db, HELD)
    .selectFrom('installs')
    .select(['id', 'user_id', 'plan_id'])
    .where('license_id', '=', licenseId)
    .where((or) => or.or([or('plan_id', '<>', planId), or('plan_id', 'is', null)]))
    .orderBy('id')
    .execute()
  if (before.length === 0) return before
  await unscoped(db, HELD)
    .updateTable('installs')
    .set({ plan_id: planId, updated })
    .where('license_id', '=', licenseId)
    .where((or) => or.or([or('plan_id', '<>', planId), or('plan_id', 'is', null)]))
    .execute()
  return before
}
