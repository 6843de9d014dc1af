import { sql, type RawBuilder } from 'kysely'
import type { OwnReach } from './tables/reach.ts'

/** Who reads: a user, or anybody else. */
interface Caller {
  readonly userId: number | null
  readonly reach?: OwnReach | undefined
}

type Condition = (reach: OwnReach) => RawBuilder<boolean>

/** The licenses whose key was shown, or that are on the install that calls. */
const shown = ({ of, id }: OwnReach) =>
  of === 'pair'
    ? sql`select license_id from user_key_licenses where user_key_id = ${id}`
    : sql`select user_key_licenses.license_id from user_key_licenses
        join user_key_installs on user_key_installs.user_key_id = user_key_licenses.user_key_id
        where user_key_installs.install_id = ${id} and user_key_installs.signs = 1
        union all select installs.license_id from installs where installs.id = ${id} and installs.license_id is not null`

/** The licenses that are shown, with what they opened in the products of a bundle. */
const licensesIn = (reach: OwnReach) =>
  sql`${shown(reach)} union all select opened.id from licenses as opened
    where opened.parent_license_id in (${shown(reach)})`

const installsIn = ({ of, id }: OwnReach) =>
  of === 'pair'
    ? sql`select install_id from user_key_installs where user_key_id = ${id}`
    : sql`select installs.id from installs where installs.id = ${id}`

const byLicense =
  (table: string): Condition =>
  (reach) =>
    sql<boolean>`${sql.ref(`${table}.license_id`)} in (${licensesIn(reach)})`

const byInstall =
  (column: string): Condition =>
  (reach) =>
    sql<boolean>`${sql.ref(column)} in (${installsIn(reach)})`

const ALL: Condition = () => sql<boolean>`1 = 1`
const NONE: Condition = () => sql<boolean>`1 = 0`

/** Which rows of a table that has users are in an own reach; of a table that is not here none is. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  licenses: (reach) => sql<boolean>`licenses.id in (${licensesIn(reach)})`,
  installs: byInstall('installs.id'),
  payments: byLicense('payments'),
  subscriptions: byLicense('subscriptions'),
  reviews: byLicense('reviews'),
  trials: (reach) =>
    sql<boolean>`(trials.install_id in (${installsIn(reach)}) or trials.license_id in (${licensesIn(reach)}))`,
  events: byInstall('events.install_id'),
  // The person itself; what of it is told, `shownUser` decides.
  users: ALL,
  product_users: ALL,
  // Who was offered a version, and which mails were sent: nobody is told of them.
  deployment_users: ALL,
  email_confirmations: ALL,
  pending_activations: ALL,
}

/** That who calls may be told the address and title of an install: a user of those that are its own alone. */
export const isOwnSite = ({ userId, reach }: Caller): RawBuilder<boolean> => {
  if (reach) return isInReach('installs', reach)
  return userId === null ? sql<boolean>`1 = 1` : sql<boolean>`installs.user_id = ${userId}`
}

/** That an install is in an own reach, or is of the network whose pair an install signs with. */
export const isOfNetwork = ({ of, id }: OwnReach): RawBuilder<boolean> =>
  of === 'pair'
    ? isInReach('installs', { of, id })
    : sql<boolean>`(installs.id = ${id} or installs.id in (select other.install_id from user_key_installs as other
        join user_key_installs as own on own.user_key_id = other.user_key_id
        where own.install_id = ${id} and own.signs = 1))`

/** That a row of a table with users is in an own reach. */
export const isInReach = (table: string, reach: OwnReach): RawBuilder<boolean> =>
  (CONDITIONS[table] ?? NONE)(reach)
