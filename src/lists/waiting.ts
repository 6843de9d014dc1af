import type { TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import { hold } from '../db/hold.ts'
import { invalid } from '../lib/errors.ts'
import { countWaiting } from './waiting-queries.ts'

/** How many exports, and as many actions on many rows, of an account wait at a time. */
const MOST = 10

/** 400 `too_many_waiting` while 10 of the account wait in the table; `noun`: what those are, more than one. */
export async function requireRoom(
  { db }: TxContext,
  { developerId }: Pick<Scope, 'developerId'>,
  table: 'bulks' | 'exports',
  noun: string,
): Promise<void> {
  // So that no two that are asked for at once are both the last.
  await hold(db, 'developers', 'the account is that of the scope', developerId)
  if ((await countWaiting(db, table, developerId)) < MOST) return
  throw invalid('too_many_waiting', `${MOST} ${noun} wait; ask again when one of them is done.`)
}
