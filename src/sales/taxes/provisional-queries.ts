import { anyToClaim, claim, held, type ClaimOptions } from '../../db/claim.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { DAY } from '../../lib/time.ts'
import type { ProvisionalTaxRow } from './provisional-tax-rows.ts'

const ALL = 'the job that checks again, for every seller'

/** Whether a VAT id is to be checked again that nobody has in hand; `now` is real time in milliseconds. */
export const anyTaxToCheck = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'provisional_taxes', { now, withinMs: DAY })

/** Takes for this holder alone what is to be checked again. */
export const claimTaxes = (
  db: Writer,
  options: Omit<ClaimOptions, 'withinMs'>,
): Promise<ProvisionalTaxRow[]> => claim(db, 'provisional_taxes', { ...options, withinMs: DAY })

/** Changes what was claimed; false when another holder has it now. */
export const updateClaimedTax = (
  db: Writer,
  row: ProvisionalTaxRow,
  change: Partial<Pick<ProvisionalTaxRow, 'state' | 'attempts' | 'due_at' | 'lease_until' | 'updated'>>,
): Promise<boolean> => held(db, 'provisional_taxes', row, change)

/** Whose the product of a payment is. */
export const ownerOfTax = (db: Reader, productId: number) =>
  unscoped(db, ALL)
    .selectFrom('products')
    .select('developer_id')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
