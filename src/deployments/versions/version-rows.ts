import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import { COLUMNS } from './schema.ts'

/** The latest upload first. */
export const listDeployments = (db: Reader, owner: Owner, page: { count: number; offset: number }) =>
  scoped(db, 'deployments', owner)
    .select()
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(page.count)
    .offset(page.offset)
    .execute()

export const findDeployment = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'deployments', owner).select().select(COLUMNS).where('id', '=', id),
)

/** The versions after the one with this key, the highest first. */
export const listLater = preparedFor((db, owner, { after }: { after: string }) =>
  scoped(db, 'deployments', owner)
    .select()
    .select(COLUMNS)
    .where('version_key', '>', after)
    .orderBy('version_key', 'desc'),
)

export const findReadme = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'deployments', owner).select().select('readme').where('id', '=', id).executeTakeFirst()

/** The readmes of versions, as they are stored, by their ids. */
export async function listReadmes(db: Reader, owner: Owner, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string | null>()
  const rows = await scoped(db, 'deployments', owner)
    .select()
    .select(['id', 'readme'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, readme }) => [id, readme]))
}

/** Which of these versions a user has the offer of. */
export const listOffers = (db: Reader, owner: Owner, userId: number, ids: readonly number[]) =>
  scoped(db, 'deployment_users', { ...owner, userId })
    .select()
    .select('deployment_id')
    .where('is_offered', '=', true)
    .where('deployment_id', 'in', ids)
    .execute()

/** Whether there is any version of any product. */
export const findAnyDeployment = (db: Reader) =>
  unscoped(db, 'a database without versions knows no files')
    .selectFrom('deployments')
    .select('id')
    .limit(1)
    .executeTakeFirst()

/** Which files versions have, and how large they are, in pages of ids. */
export const listFiles = (db: Reader, after: number, limit: number) =>
  unscoped(db, 'files are checked for all products at once')
    .selectFrom('deployments')
    .select(['id', 'version', 'free_file', 'free_size', 'premium_file', 'premium_size'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

const OF_ALL = 'files are kept by what is in them, for all products at once'

/** Which of these files a version of any product has. */
export async function filesInUse(db: Reader, files: readonly string[]): Promise<ReadonlySet<string>> {
  const free = await unscoped(db, OF_ALL)
    .selectFrom('deployments')
    .select('free_file as file')
    .where('free_file', 'in', files)
    .execute()
  const premium = await unscoped(db, OF_ALL)
    .selectFrom('deployments')
    .select('premium_file as file')
    .where('premium_file', 'in', files)
    .execute()
  return new Set([...free, ...premium].flatMap(({ file }) => file ?? []))
}
