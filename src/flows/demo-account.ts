import { systemScope } from '../http/scope.ts'
import { DAY } from '../lib/time.ts'
import { createBankAccount, getBankAccounts } from '../resources/developers/bank-accounts.ts'
import { asOf, type Demo, type DemoPart } from './demo-part.ts'

const AGE_MS = 530 * DAY

const scopeOf = ({ developerId }: Demo) => systemScope({ developerId, productId: 0 })

/** The bank account that the seller is paid out to; its number is the example of the IBAN registry. */
export const demoAccount: DemoPart = {
  async examples(ctx, demo) {
    const [account] = await getBankAccounts(ctx, scopeOf(demo), { count: 1, offset: 0 })
    return account ? { bank_account_id: account.id } : null
  },
  async fill(tx, demo) {
    await createBankAccount(asOf(tx, tx.clock.real() - AGE_MS), scopeOf(demo), {
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
