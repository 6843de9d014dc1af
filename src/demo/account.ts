import type { TxContext } from '../context.ts'
import { systemScope } from '../access/scope.ts'
import { DAY } from '../lib/time.ts'
import { createBankAccount, getBankAccounts } from '../accounts/developers/bank-accounts.ts'
import { insertMember } from '../accounts/team/member-rows.ts'
import { createDeveloper } from '../accounts/developers/service.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'

const AGE_MS = 530 * DAY

const scopeOf = ({ developerId }: Demo) => systemScope({ developerId, productId: 0 })

/** Who works with the seller; nobody is invited by mail. */
const TEAM = [
  { email: 'mira.helper@example.com', first: 'Mira', last: 'Helper', role: 'support', can_refund: true },
  { email: 'theo.builder@example.com', first: 'Theo', last: 'Builder', role: 'developer', can_refund: false },
] as const

/** The team, and the bank account that the seller is paid out to; its number is the example of the IBAN registry. */
export const demoAccount: DemoPart = {
  async examples(ctx, demo) {
    const [account] = await getBankAccounts(ctx, scopeOf(demo), { count: 1, offset: 0 })
    return account ? { bank_account_id: account.id } : null
  },
  async fill(tx, demo) {
    const then = asOf(tx, tx.clock.real() - AGE_MS)
    for (const one of TEAM) await join(then, demo, one)
    await createBankAccount(then, scopeOf(demo), {
      account_number: 'DE89370400440532013000',
      name: 'Dana Demo',
      phone: '+49 30 5550123',
      address_street: 'Ackerstrasse 12',
      address_city: 'Berlin',
      address_zip: '10115',
      address_country_code: 'de',
      bank_name: 'Example Bank',
      bank_city_state: 'Berlin',
      bank_country_code: 'de',
      swift: 'COBADEFFXXX',
    })
  },
}

async function join(
  tx: TxContext,
  { developerId }: Demo,
  { email, first, last, role, can_refund }: (typeof TEAM)[number],
): Promise<void> {
  const created = tx.clock.now()
  await insertMember(tx.db, {
    developer_id: developerId,
    person_id: await createDeveloper(tx, { email, first, last, passwordHash: null }),
    role,
    can_refund,
    invited_email: email,
    invited_first: first,
    invited_last: last,
    accepted_at: created,
    created,
    updated: null,
  })
}
