import type { Writer } from '../../db/database.ts'
import { scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { EmailStatus } from '../../mail/deliver.ts'

interface Mailed {
  readonly userId: number
  /** The address that it was about; a person that has another one by now keeps its status. */
  readonly email: string
  readonly status: EmailStatus
}

/** Notes a status where there was none; false when there was one. */
export const setFirstStatus = (db: Writer, owner: Owner, mailed: Mailed, updated: UtcTime) =>
  written(update(db, owner, mailed, updated).where('email_status', 'is', null))

/** Notes another status than the one there was; false when it is the same, or there was none. */
export const setNextStatus = (db: Writer, owner: Owner, mailed: Mailed, updated: UtcTime) =>
  written(update(db, owner, mailed, updated).where('email_status', '<>', mailed.status))

const update = (db: Writer, owner: Owner, { userId, email, status }: Mailed, updated: UtcTime) =>
  scopedWrite(db, 'users', owner)
    .update()
    .set({ email_status: status, updated })
    .where('id', '=', userId)
    .where('email', '=', email)

async function written(query: ReturnType<typeof update>): Promise<boolean> {
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows === 1n
}
