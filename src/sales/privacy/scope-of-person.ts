import { systemScope, type Scope } from '../../access/scope.ts'
import type { Reader } from '../../db/database.ts'
import { sellerOf } from './queries.ts'

/** What the command line does to a person: in the account of the seller; undefined: there is no such person. */
export async function scopeOfPerson(db: Reader, id: number): Promise<Scope | undefined> {
  const developerId = await sellerOf(db, id)
  return developerId === undefined ? undefined : systemScope({ developerId, productId: 0 })
}
