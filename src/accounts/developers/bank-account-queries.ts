import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { type Owner, scoped, scopedWrite } from '../../db/scoped.ts'
import type { BankAccountsTable } from '../../db/tables/accounts.ts'

const COLUMNS = [
  'id',
  'created',
  'updated',
  'account_last4',
  'name',
  'phone',
  'address_street',
  'address_apt',
  'address_city',
  'address_state',
  'address_zip',
  'address_country_code',
  'bank_name',
  'bank_city_state',
  'bank_country_code',
  'swift',
  'ifsc',
  'sort_code',
  'aba_rtn',
  'wise_account_email',
] as const

/** Never the number. */
export const findBankAccount = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'bank_accounts', owner).select().select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const listBankAccounts = (
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) =>
  scoped(db, 'bank_accounts', owner)
    .select()
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const insertBankAccount = (db: Writer, row: Insertable<BankAccountsTable>) =>
  db.insertInto('bank_accounts').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

/** Undefined when the account has no such bank account. */
export const updateBankAccount = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<BankAccountsTable>,
) =>
  scopedWrite(db, 'bank_accounts', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
