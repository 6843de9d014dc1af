import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import type { GoingOn } from '../../db/list-start.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { inList } from '../../db/in-list.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { TrialRow, TrialState } from './schema.ts'

/** The trial that an install has or has had. */
export const findTrialOf = (db: Reader, owner: Owner, installId: number) =>
  scoped(db, 'trials', owner)
    .select()
    .selectAll()
    .where('trials.install_id', '=', installId)
    .executeTakeFirst()

type Change = Partial<
  Pick<TrialRow, 'canceled_at' | 'converted_at' | 'trial_ends_at' | 'notice' | 'notice_at' | 'updated'>
>

/** Changes a trial while it runs; false when it was cancelled, bought or over. One statement, so that it ends once. */
async function changeRunning(db: Writer, owner: Owner, id: number, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'trials', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .where('canceled_at', 'is', null)
    .where('converted_at', 'is', null)
    .where('notice_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

interface Ending {
  readonly id: number
  readonly now: UtcTime
  readonly updated: UtcTime
}

/** Cancels a trial that runs; false when it does not. */
export const cancelRunning = (db: Writer, owner: Owner, { id, now, updated }: Ending): Promise<boolean> =>
  changeRunning(db, owner, id, { canceled_at: now, notice_at: null, updated })

/** Notes that what a trial tried was bought while it ran; false when it does not run. */
export const convertRunning = (db: Writer, owner: Owner, { id, now, updated }: Ending): Promise<boolean> =>
  changeRunning(db, owner, id, { converted_at: now, notice_at: null, updated })

/** Moves the end of a trial that runs; false when it does not. */
export const moveRunning = (
  db: Writer,
  owner: Owner,
  id: number,
  to: Pick<TrialRow, 'trial_ends_at' | 'notice' | 'notice_at' | 'updated'>,
): Promise<boolean> => changeRunning(db, owner, id, to)

export const findTrial = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'trials', owner).select().selectAll().where('trials.id', '=', id).executeTakeFirst()

export interface TrialFilter extends GoingOn {
  readonly state: TrialState | undefined
  readonly made: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  /** What their columns must have. */
  readonly equal: Partial<Pick<TrialRow, 'user_id' | 'license_id'>>
  readonly environment: Environment | undefined
  readonly count: number
  readonly offset: number
}

/** One page, newest first. */
export const listTrials = (db: Reader, owner: Owner, filter: TrialFilter) =>
  pageOfTrials(db, owner, filter).execute()

export function pageOfTrials(db: Reader, owner: Owner, filter: TrialFilter) {
  const reading = readingOf(filter)
  const page = narrowed(db, owner, filter).limit(filter.count).offset(filter.offset)
  const all = scoped(db, 'trials', owner).select().selectAll()
  return NEWEST.rows(all.where('trials.id', 'in', NEWEST.ids(page, reading)), reading)
}

const readingOf = ({ made, sort, below, equal }: TrialFilter) => ({
  span: made,
  sort,
  below,
  isOfFew: (equal.user_id ?? equal.license_id) !== undefined,
})

const NEWEST = newestBy('trials.id', 'trials.created')

/** How many trials there are, counted no further than `filter.count`. */
export const countTrials = (db: Reader, owner: Owner, filter: TrialFilter) =>
  countRows(db, narrowed(db, owner, filter), filter.count)

function narrowed(db: Reader, owner: Owner, filter: TrialFilter): Trials {
  const { state, environment, equal } = filter
  const all = allTrials(db, owner)
  let page = whereEqual(state === undefined ? all : narrow[state](all), 'trials', equal)
  page = NEWEST.between(page, readingOf(filter))
  if (environment !== undefined) page = whereEqual(page, 'trials', { environment })
  return filter.below === undefined ? page : page.where('trials.id', '<', filter.below)
}

const allTrials = (db: Reader, owner: Owner) => scoped(db, 'trials', owner).select().select('trials.id')
type Trials = ReturnType<typeof allTrials>

/** As the indexes say it. */
const narrow: Readonly<Record<TrialState, (query: Trials) => Trials>> = {
  running: (query) => query.where('trials.notice_at', 'is not', null),
  converted: (query) => query.where('trials.converted_at', 'is not', null),
  cancelled: (query) => query.where('trials.canceled_at', 'is not', null),
  ended: (query) =>
    query
      .where('trials.notice_at', 'is', null)
      .where('trials.converted_at', 'is', null)
      .where('trials.canceled_at', 'is', null),
}

/** The addresses of who tries, by user. */
export const addressesOf = (db: Reader, userIds: readonly number[]) =>
  unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', inList(userIds))
    .execute()
