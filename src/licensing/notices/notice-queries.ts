import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import type { DuePlace } from '../../db/waiting.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Armed } from './notices.ts'

const ALL = 'the job tells of the ends of every seller, or of one sandbox'
const FOUND = 'a row that the job has found'

/** Licenses of which something is to be told by now, those that wait longest first. */
export function licensesToNotice(db: Reader, place: DuePlace) {
  const query = unscoped(db, ALL)
    .selectFrom('licenses')
    .innerJoin('products', 'products.id', 'licenses.product_id')
    .innerJoin('plans', 'plans.id', 'licenses.plan_id')
    .leftJoin('users', 'users.id', 'licenses.user_id')
    .select([
      'licenses.id',
      'licenses.product_id',
      'licenses.plan_id',
      'licenses.pricing_id',
      'licenses.quota',
      'licenses.environment',
      'licenses.user_id',
      'licenses.parent_license_id',
      'licenses.expiration',
      'licenses.is_cancelled',
      'licenses.is_trial',
      'licenses.notice',
      'licenses.notice_at',
      'products.developer_id',
      'plans.title as plan',
      'users.email',
      'users.first',
      'users.last',
    ])
    .where('licenses.notice_at', '<=', place.now)
    .where(notLeftAlone('end-licenses', place.real))
    .where((is) => is('licenses.environment', '=', is.lit(place.environment)))
    .orderBy('licenses.notice_at')
    .orderBy('licenses.id')
    .limit(place.limit)
  return (
    place.environment === 0 ? query : query.where('licenses.product_id', '=', place.productId)
  ).execute()
}
export type LicenseToNotice = Awaited<ReturnType<typeof licensesToNotice>>[number]

/** Trials of which something is to be told by now, those that wait longest first. */
export function trialsToNotice(db: Reader, place: DuePlace) {
  const query = unscoped(db, ALL)
    .selectFrom('trials')
    .innerJoin('products', 'products.id', 'trials.product_id')
    .innerJoin('plans', 'plans.id', 'trials.plan_id')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'trials.subscription_id')
    .leftJoin('licenses', 'licenses.id', 'trials.license_id')
    .selectAll('trials')
    .select([
      'subscriptions.initial_amount',
      'subscriptions.currency',
      'licenses.is_cancelled',
      'products.developer_id',
      'plans.title as plan',
      'users.email',
      'users.first',
      'users.last',
    ])
    .where('trials.notice_at', '<=', place.now)
    .where(notLeftAlone('end-trials', place.real))
    .where((is) => is('trials.environment', '=', is.lit(place.environment)))
    .orderBy('trials.notice_at')
    .orderBy('trials.id')
    .limit(place.limit)
  return (place.environment === 0 ? query : query.where('trials.product_id', '=', place.productId)).execute()
}
export type TrialToNotice = Awaited<ReturnType<typeof trialsToNotice>>[number]

/**
 * Takes what is to be told of a license for this caller alone; false when somebody else did, or the license has
 * changed since it was read.
 */
export async function takeLicenseNotice(db: Writer, read: LicenseToNotice, after: Armed): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, FOUND)
    .updateTable('licenses')
    .set({ ...after })
    .where('id', '=', read.id)
    .where('notice', '=', read.notice)
    .where('notice_at', '=', read.notice_at)
    .where(sql<boolean>`expiration is not distinct from ${read.expiration}`)
    .where('is_cancelled', '=', read.is_cancelled)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Takes what is to be told of a trial for this caller alone, as `takeLicenseNotice`. */
export async function takeTrialNotice(db: Writer, read: TrialToNotice, after: Armed): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, FOUND)
    .updateTable('trials')
    .set({ ...after })
    .where('id', '=', read.id)
    .where('notice', '=', read.notice)
    .where('notice_at', '=', read.notice_at)
    .where('trial_ends_at', '=', read.trial_ends_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
