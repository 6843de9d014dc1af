import { Type, type Static, type TSchema } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import type { BankAccountsTable } from '../../db/tables/accounts.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, SecretText, Text, Time } from '../../http/wire.ts'

export type BankAccountRow = Omit<Selectable<BankAccountsTable>, 'account_number' | 'developer_id'>

/** The contract's BankAccount; the number is never shown beyond its last four digits. */
export const BankAccount = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    person_id: Type.Integer({ description: 'ID of the developer, as a number.' }),
    person_type: Choice(['developer', 'user']),
    account_last4: Type.String(),
    name: Type.String(),
    phone: Type.String(),
    address_street: Type.String(),
    address_apt: Nullable(Type.String()),
    address_city: Type.String(),
    address_state: Nullable(Type.String()),
    address_zip: Type.String(),
    address_country_code: Type.String(),
    bank_name: Type.String(),
    bank_city_state: Type.String(),
    bank_country_code: Type.String(),
    swift: Type.String(),
    ifsc: Nullable(Type.String()),
    sort_code: Nullable(Type.String()),
    aba_rtn: Nullable(Type.String()),
    wise_account_email: Nullable(Type.String()),
  },
  { title: 'BankAccount' },
)
export type BankAccount = Static<typeof BankAccount>

/** Row → wire. */
export const presentBankAccount = (row: BankAccountRow, developerId: number): BankAccount => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  person_id: developerId,
  person_type: 'developer',
  account_last4: row.account_last4,
  name: row.name,
  phone: row.phone,
  address_street: row.address_street,
  address_apt: row.address_apt,
  address_city: row.address_city,
  address_state: row.address_state,
  address_zip: row.address_zip,
  address_country_code: row.address_country_code.toLowerCase(),
  bank_name: row.bank_name,
  bank_city_state: row.bank_city_state,
  bank_country_code: row.bank_country_code.toLowerCase(),
  swift: row.swift,
  ifsc: row.ifsc,
  sort_code: row.sort_code,
  aba_rtn: row.aba_rtn,
  wise_account_email: row.wise_account_email,
})

export const BankAccountId = Arguments({ bank_account_id: Id('ID of the bank account.') })

const country = () => Text({ min: 2, max: 2, format: 'country-or-empty' })
/** What a bank numbers things by; `checkBankAccount` knows the form of each. */
const Numbered = SecretText
const orNull = <T extends TSchema>(type: T) => Optional(Nullable(type))

const required = {
  account_number: Numbered({
    max: 42,
    description: 'The number or IBAN: 4 to 34 letters and digits, and spaces.',
  }),
  name: Text({ min: 1, description: 'The holder of the account.' }),
  phone: Text({ max: 40 }),
  address_street: Text({ min: 1 }),
  address_city: Text({ min: 1 }),
  address_zip: Text({ max: 20 }),
  address_country_code: country(),
  bank_name: Text({ min: 1 }),
  bank_city_state: Text(),
  bank_country_code: country(),
  swift: Numbered({ max: 11, description: '8 or 11 letters and digits.' }),
}

const optional = {
  address_apt: orNull(Text()),
  address_state: orNull(Text()),
  ifsc: orNull(Numbered({ max: 11, description: 'India: 11 letters and digits.' })),
  sort_code: orNull(Numbered({ max: 8, description: 'United Kingdom: 6 digits.' })),
  aba_rtn: orNull(Numbered({ max: 9, description: 'United States: 9 digits.' })),
  wise_account_email: orNull(Text({ format: 'email', max: 254 })),
}

export const NewBankAccount = Arguments({ ...required, ...optional })
export type NewBankAccount = Static<typeof NewBankAccount>

export const BankAccountChange = Type.Partial(NewBankAccount)
export type BankAccountChange = Static<typeof BankAccountChange>
