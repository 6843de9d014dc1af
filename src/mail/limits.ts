import type { Writer } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { fold } from '../lib/fold.ts'
import { addressKey } from '../lib/token-buckets.ts'
import { countMail } from './limit-queries.ts'

/** Mails that strangers can have sent in an hour, all kinds and products together. */
const TO_ONE = 10
const ABOUT_A_PRODUCT = 5
const FOR_AN_INSTALL = 5
const FROM_ONE = 300

/** What a mail is counted by that somebody starts who has not proven to be asked for it. */
export interface Started {
  readonly recipient: string
  readonly installId?: number | null
  /** The product that somebody is asked to connect. */
  readonly productId?: number
  /** Where the caller is; null: nobody called. */
  readonly ip: string | null
}

/**
 * Counts a mail that a stranger starts; false when there were too many in this hour, and then it is not sent. Callers
 * are answered alike, so that nobody learns by it who was written to. Each count is a row that one statement raises or
 * does not, whatever number of processes does so at once. In the order of their names, so that none waits in a circle.
 */
export async function mayMail(
  { db, clock }: { readonly db: Writer; readonly clock: Clock },
  { recipient, installId = null, productId, ip }: Started,
): Promise<boolean> {
  const now = clock.real()
  const address = fold(recipient.trim())
  const counted = [
    ...(productId === undefined ? [] : [{ name: `about:${productId}:${address}`, most: ABOUT_A_PRODUCT }]),
    ...(ip === null ? [] : [{ name: `from:${addressKey(ip)}`, most: FROM_ONE }]),
    ...(installId === null ? [] : [{ name: `install:${installId}`, most: FOR_AN_INSTALL }]),
    { name: `to:${address}`, most: TO_ONE },
  ]
  for (const one of counted) if (!(await countMail(db, one, now))) return false
  return true
}
