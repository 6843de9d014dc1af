import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { isInReach } from '../../db/reach.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import type { OwnReach } from '../../db/tables/reach.ts'
import type { UtcTime } from '../../lib/time.ts'

const OF_CALLER = 'the caller has found the install or the pair in its scope'

/** The pair that is handed out to an install. */
export const findPairOfInstall = prepared((db, { installId }: { installId: number }) =>
  unscoped(db, OF_CALLER)
    .selectFrom('user_keys')
    .select(['id', 'user_id', 'reach', 'proof_product_id', 'email_folded', 'public_key', 'secret_key'])
    .where('install_id', '=', installId),
)

/** The pair that is handed out to an install that calls; none where it has other keys by now. */
export const findPairOfCaller = prepared(
  (db, { id, publicKey }: { readonly id: number; readonly publicKey: string }) =>
    unscoped(db, OF_CALLER)
      .selectFrom('user_keys')
      .innerJoin('installs', 'installs.id', 'user_keys.install_id')
      .select([
        'user_keys.id',
        'user_keys.reach',
        'user_keys.email_folded',
        'user_keys.public_key',
        'user_keys.secret_key',
      ])
      .where('user_keys.install_id', '=', id)
      .where('installs.public_key', '=', publicKey),
)

/** Holds an install that calls until the end of the transaction; undefined where it has other keys by now. */
export const holdCaller = (
  db: Writer,
  { id, publicKey }: { readonly id: number; readonly publicKey: string },
) =>
  holding(
    db,
    unscoped(db, OF_CALLER)
      .selectFrom('installs')
      .select('id')
      .where('id', '=', id)
      .where('public_key', '=', publicKey),
  ).executeTakeFirst()

export const findPair = (db: Reader, id: number) =>
  unscoped(db, OF_CALLER)
    .selectFrom('user_keys')
    .select(['id', 'reach', 'email_folded', 'public_key', 'secret_key'])
    .where('id', '=', id)
    .executeTakeFirst()

interface NewPair {
  readonly product_id: number
  readonly user_id: number
  readonly install_id: number
  readonly reach: Reach
  readonly proof_product_id: number | null
  readonly email_folded: string | null
  readonly public_key: string
  readonly secret_key: string
  readonly created: UtcTime
}

/** Adds a pair unless its install has one; none then. */
export const insertPair = prepared((db: Writer, row: NewPair) =>
  db
    .insertInto('user_keys')
    .values({
      product_id: row.product_id,
      user_id: row.user_id,
      install_id: row.install_id,
      reach: row.reach,
      proof_product_id: row.proof_product_id,
      email_folded: row.email_folded,
      public_key: row.public_key,
      secret_key: row.secret_key,
      created: row.created,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** Hands a pair out to its install no more; who has it keeps it. */
export const releasePair = (db: Writer, installId: number) =>
  unscoped(db, OF_CALLER)
    .updateTable('user_keys')
    .set({ install_id: null })
    .where('install_id', '=', installId)
    .execute()

/** Notes the address that the holder of a pair says. */
export const tellPair = (db: Writer, id: number, emailFolded: string) =>
  unscoped(db, OF_CALLER)
    .updateTable('user_keys')
    .set({ email_folded: emailFolded })
    .where('id', '=', id)
    .execute()

/** Notes that an install was made with a pair, which its keys reach as far as. */
export const linkInstall = prepared((db: Writer, row: { user_key_id: number; install_id: number }) =>
  db
    .insertInto('user_key_installs')
    .values({ user_key_id: row.user_key_id, install_id: row.install_id, signs: true })
    .onConflict((conflict) => conflict.columns(['user_key_id', 'install_id']).doUpdateSet({ signs: true })),
)

/** Notes that an install which another one made was made with the pairs of that one. */
export const linkAlike = (db: Writer, fromId: number, toId: number) =>
  db
    .insertInto('user_key_installs')
    .columns(['user_key_id', 'install_id', 'signs'])
    .expression(({ selectFrom, lit }) =>
      selectFrom('user_key_installs as known')
        .select(['known.user_key_id', lit(toId).as('install_id'), 'known.signs'])
        .where('known.install_id', '=', fromId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Whether an install was made with a pair. */
export const isMadeByPair = async (db: Reader, pairId: number, installId: number): Promise<boolean> => {
  const found = await unscoped(db, OF_CALLER)
    .selectFrom('user_key_installs')
    .select('install_id')
    .where('user_key_id', '=', pairId)
    .where('install_id', '=', installId)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether two installs were made with the same pair. */
export const areMadeAlike = async (db: Reader, oneId: number, otherId: number): Promise<boolean> => {
  const found = await unscoped(db, OF_CALLER)
    .selectFrom('user_key_installs as one')
    .innerJoin('user_key_installs as other', 'other.user_key_id', 'one.user_key_id')
    .select('one.user_key_id')
    .where('one.install_id', '=', oneId)
    .where('one.signs', '=', true)
    .where('other.install_id', '=', otherId)
    .executeTakeFirst()
  return found !== undefined
}

/** The keys of installs reach as far as one pair alone from now on. */
export const signOnlyWith = (db: Writer, pairId: number, installIds: readonly number[]) =>
  unscoped(db, OF_CALLER)
    .updateTable('user_key_installs')
    .set({ signs: false })
    .where('install_id', 'in', inList(installIds))
    .where('user_key_id', '<>', pairId)
    .where('signs', '=', true)
    .execute()

/** No pair of the owner before reaches an install any more. */
export const unlinkInstall = (db: Writer, installId: number) =>
  unscoped(db, OF_CALLER).deleteFrom('user_key_installs').where('install_id', '=', installId).execute()

export const setKeysOfInstall = (
  db: Writer,
  id: number,
  keys: { readonly public_key: string; readonly secret_key: string },
) => unscoped(db, OF_CALLER).updateTable('installs').set(keys).where('id', '=', id).execute()

/** Ends every token of an install. */
export const deleteInstallTokens = (db: Writer, installId: number) =>
  unscoped(db, OF_CALLER).deleteFrom('install_tokens').where('install_id', '=', installId).execute()

/** Whether a reach has one of some licenses. */
export const reachesOneOf = async (
  db: Reader,
  reach: OwnReach,
  licenseIds: readonly number[],
): Promise<boolean> => {
  if (licenseIds.length === 0) return false
  const found = await unscoped(db, OF_CALLER)
    .selectFrom('licenses')
    .select('licenses.id')
    .where('licenses.id', 'in', inList(licenseIds))
    .where(isInReach('licenses', reach))
    .executeTakeFirst()
  return found !== undefined
}

export const setReachOfInstalls = (db: Writer, installIds: readonly number[], reach: Reach) =>
  unscoped(db, OF_CALLER)
    .updateTable('installs')
    .set({ reach })
    .where('id', 'in', inList(installIds))
    .where('reach', '<>', reach)
    .execute()

/** Brings a license into the reach of a pair. */
export const showLicense = prepared((db: Writer, row: { user_key_id: number; license_id: number }) =>
  db
    .insertInto('user_key_licenses')
    .values({ user_key_id: row.user_key_id, license_id: row.license_id })
    .onConflict((conflict) => conflict.doNothing()),
)
