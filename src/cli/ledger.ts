import { checkLedger, type LedgerReport, type UnbookedCharge } from '../sales/ledger/check-ledger.ts'
import { leftOpenText } from '../sales/charges/left-open.ts'
import { databaseCommand, type Group } from './command.ts'

const check = databaseCommand({
  describe: 'look whether everything adds up, every payment has its postings, and no charge is left open',
  docs: 'docs/ledger.md',
  handler: async (ctx) => {
    const found = await checkLedger(ctx)
    return { value: found, text: textOf(found), hasFailed: !found.ok }
  },
})

function textOf(found: LedgerReport): string {
  const sums = found.currencies.map(
    ({ currency, environment, sum }) => `${currency} ${environment}: ${sum.toFixed(2)}`,
  )
  const faults = found.faults.map(({ payment_id: id, message }) => `payment ${id} ${message}`)
  const more = found.fault_count - found.faults.length
  const lines = [
    `${found.payments} payments, ${found.fault_count} of them wrong; ${found.ok ? 'everything adds up' : 'NOT everything adds up'}`,
    ...sums,
    ...faults,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...found.unbooked_charges.map(unbookedText),
    ...found.open_charges.map(leftOpenText),
  ]
  return lines.join('\n')
}

const unbookedText = ({ charge_id: id, key, amount, currency, gateway }: UnbookedCharge) =>
  `charge ${id} (${key}): ${amount.toFixed(2)} ${currency} were paid at ${gateway}, and neither booked nor given back`

export const command: Group = { describe: 'the double entry of every payment', commands: { check } }
