import type { Writer } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { fold } from '../lib/fold.ts'
import { networkKey } from '../lib/token-buckets.ts'
import { countMail } from './limit-queries.ts'

/** Mails that strangers can have sent in an hour, all kinds and products together. */
const TO_ONE = 10
/** Of those to one address: from one caller, and how many are for callers who have started none. */
const FROM_ONE_TO_ONE = 3
const FIRST_ONES = 4
const FOR_AN_INSTALL = 5
const FROM_ONE = 300
/** Of those that the team of one account invites. */
const FROM_ACCOUNT = 100

/** What a mail is counted by that somebody starts who has not proven to be asked for it. */
export interface Started {
  readonly recipient: string
  readonly installId?: number | null
  /** Where the caller is; null: nobody called. */
  readonly ip: string | null
  /** Whose team invites, wherever it calls from. */
  readonly accountId?: number
}

/**
 * Counts a mail that a stranger starts; false when there were too many in this hour, and then it is not sent. Callers
 * are answered alike, so that nobody learns by it who was written to. No caller uses up what may be sent to an address:
 * the last ones are for those who have started none, such as its owner. All of a /48 of IPv6 are one caller. Each
 * count is a row that one statement raises or does not, whatever number of processes does so at once; all in the same
 * order, so that none waits in a circle.
 */
export async function mayMail(
  { db, clock }: { readonly db: Writer; readonly clock: Clock },
  { recipient, installId = null, ip, accountId }: Started,
): Promise<boolean> {
  const now = clock.real()
  const to = `to:${fold(recipient.trim())}`
  const count = (name: string, most: number) => countMail(db, { name, most }, now)
  if (installId !== null && (await count(`install:${installId}`, FOR_AN_INSTALL)) === null) return false
  if (ip === null && accountId === undefined) return (await count(to, TO_ONE)) !== null
  const [from, most] =
    accountId === undefined
      ? [`from:${networkKey(ip ?? '')}`, FROM_ONE]
      : [`account:${accountId}`, FROM_ACCOUNT]
  const nth = await count(`${from} ${to}`, FROM_ONE_TO_ONE)
  if (nth === null || (await count(from, most)) === null) return false
  return (await count(to, nth === 1 ? TO_ONE : TO_ONE - FIRST_ONES)) !== null
}

/** What support is written in an hour: of one product by one caller, and by all together. */
const CONTACTS_FROM_ONE = 5
const CONTACTS = 100

/** Counts what somebody writes to the support of a product; false when there was too much in this hour. */
export async function mayContact(
  { db, clock }: { readonly db: Writer; readonly clock: Clock },
  { productId, ip }: { readonly productId: number; readonly ip: string | null },
): Promise<boolean> {
  const now = clock.real()
  const name = `contact:${productId}`
  const from = `${name} from:${networkKey(ip ?? '')}`
  if ((await countMail(db, { name: from, most: CONTACTS_FROM_ONE }, now)) === null) return false
  return (await countMail(db, { name, most: CONTACTS }, now)) !== null
}

/** Examples that the team of one account mails to itself in an hour. */
const TESTS = 30

/** Counts an example that somebody of an account is mailed; false when there were too many in this hour. */
export const mayTest = async (
  { db, clock }: { readonly db: Writer; readonly clock: Clock },
  accountId: number,
): Promise<boolean> =>
  (await countMail(db, { name: `test:${accountId}`, most: TESTS }, clock.real())) !== null
