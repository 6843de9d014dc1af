import type { Command } from 'commander'
import { checkLedger, type LedgerReport, type UnbookedCharge } from '../sales/ledger/check-ledger.ts'
import type { Cli } from './cli.ts'
import { leftOpenText } from '../sales/charges/left-open.ts'
import { withContext } from './open.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('ledger')
    .description('the double entry of every payment')
    .command('check')
    .description(
      'look whether everything adds up, every payment has its postings, and no charge is left open',
    )
    .option('--json', 'print one JSON object')
    .action(() => withContext(cli, async (ctx) => report(cli, await checkLedger(ctx))))
}

function report(cli: Cli, found: LedgerReport): void {
  cli.hasFailed = !found.ok
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
  cli.result(found, lines.join('\n'))
}

const unbookedText = ({ charge_id: id, key, amount, currency, gateway }: UnbookedCharge) =>
  `charge ${id} (${key}): ${amount.toFixed(2)} ${currency} were paid at ${gateway}, and neither booked nor given back`
