import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** Who a mail about a product goes to. */
export async function findRecipient(db: Reader, owner: Owner, userId: number) {
  const [found] = await recipient(db, owner, { recipientId: userId })
  return found
}
const recipient = preparedFor((db, owner, { recipientId }: { recipientId: number }) =>
  scoped(db, 'products', owner)
    .select()
    .innerJoin('users', (join) => join.on('users.id', '=', recipientId))
    .select(['users.id', 'users.email', 'users.first', 'users.last']),
)
