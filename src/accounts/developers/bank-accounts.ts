import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { isState, STATE_MESSAGE } from '../../lib/countries.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import {
  findBankAccount,
  insertBankAccount,
  listBankAccounts,
  updateBankAccount,
} from './bank-account-queries.ts'
import {
  type BankAccount,
  type BankAccountChange,
  type BankAccountRow,
  type NewBankAccount,
  presentBankAccount,
} from './bank-account-schema.ts'

const PLACE = 'bank_accounts.account_number'

const FORMS = {
  account_number: [/^[A-Z0-9]{4,34}$/, 'must have 4 to 34 letters and digits, and end in four digits'],
  swift: [/^[A-Z0-9]{8}([A-Z0-9]{3})?$/, 'must have 8 or 11 letters and digits'],
  ifsc: [/^[A-Z]{4}0[A-Z0-9]{6}$/, 'must be four letters, 0, and six letters or digits'],
  sort_code: [/^[0-9]{6}$/, 'must have 6 digits'],
  aba_rtn: [/^[0-9]{9}$/, 'must have 9 digits'],
} as const

/** What banks number things by, without the spaces and hyphens it is written with. */
const bare = (text: string) => text.replaceAll(/[\s-]/g, '').toUpperCase()

/** Each number must have the form of its kind. */
export async function checkBankAccount(input: BankAccountChange, problems: Problems): Promise<void> {
  for (const [field, [form, message]] of Object.entries(FORMS)) {
    const value = input[field as keyof typeof FORMS]
    if (value === undefined || value === null || problems.has(field)) continue
    const endsInDigits = field !== 'account_number' || /[0-9]{4}$/.test(bare(value))
    if (!form.test(bare(value)) || !endsInDigits) problems.malformed.push({ field, message })
  }
}

export async function getBankAccount({ db }: ReadContext, scope: Scope, id: number): Promise<BankAccount> {
  const row = await findBankAccount(db, scope, id)
  if (!row) throw notFound('bank account')
  return presentBankAccount(row, scope.developerId)
}

export const getBankAccounts = async (
  { db }: ReadContext,
  scope: Scope,
  page: { readonly count: number; readonly offset: number },
): Promise<BankAccount[]> =>
  (await listBankAccounts(db, scope, page)).map((row) => presentBankAccount(row, scope.developerId))

/** 400 for a holder in a state that the country does not have. */
function requireState({ address_state: state, address_country_code: country }: BankAccountRow): void {
  if (state !== null && !isState(country, state))
    throw invalidFields([{ field: 'address_state', message: STATE_MESSAGE }])
}

/** Keeps a bank account; its number is sealed and never answered beyond its last four digits. */
export async function createBankAccount(
  ctx: TxContext,
  scope: Scope,
  input: NewBankAccount,
): Promise<BankAccount> {
  const row = await insertBankAccount(ctx.db, {
    developer_id: scope.developerId,
    address_apt: null,
    address_state: null,
    ifsc: null,
    sort_code: null,
    aba_rtn: null,
    wise_account_email: null,
    ...input,
    ...numbersOf(input),
    ...sealedNumber(ctx, input.account_number),
    created: ctx.clock.now(),
    updated: null,
  })
  requireState(row)
  return presentBankAccount(row, scope.developerId)
}

/** Writes what was given; 404 when the account has no such bank account. */
export async function changeBankAccount(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: BankAccountChange,
): Promise<BankAccount> {
  const { account_number: number, ...others } = input
  if (Object.keys(input).length === 0) return getBankAccount(ctx, scope, id)
  const row = await updateBankAccount(ctx.db, scope, id, {
    ...others,
    ...numbersOf(input),
    ...(number !== undefined && sealedNumber(ctx, number)),
    updated: ctx.clock.now(),
  })
  if (!row) throw notFound('bank account')
  requireState(row)
  return presentBankAccount(row, scope.developerId)
}

const sealedNumber = ({ keys }: TxContext, number: string) => ({
  account_number: keys.seal(bare(number), PLACE),
  account_last4: bare(number).slice(-4),
})

/** The numbers of a bank in their bare form, where they were given. */
function numbersOf(
  input: BankAccountChange,
): Pick<BankAccountChange, 'swift' | 'ifsc' | 'sort_code' | 'aba_rtn'> {
  const given = (['swift', 'ifsc', 'sort_code', 'aba_rtn'] as const).flatMap((field) => {
    const value = input[field]
    return typeof value === 'string' ? [[field, bare(value)] as const] : []
  })
  return Object.fromEntries(given)
}
