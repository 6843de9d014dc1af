import { Option, type Command } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { ApiError } from '../lib/errors.ts'
import { OVERLAP_HOURS, type KeyHolder } from '../catalogue/keys/schema.ts'
import { renewKeys } from '../catalogue/keys/service.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { hoursArgument } from './hours-argument.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'

interface Renewed {
  readonly developer?: number
  readonly store?: number
  readonly product?: number
  readonly overlapHours: number
}

export function register(program: Command, cli: Cli): void {
  const whose = (name: string, others: string[]) =>
    new Option(`--${name} <id>`, `${name} whose secret key it is`).argParser(idArgument).conflicts(others)
  program
    .command('keys')
    .description('the keys of developers, stores and products')
    .command('renew')
    .description('replace a secret key; the one so far goes on for some hours')
    .addOption(whose('developer', ['store', 'product']))
    .addOption(whose('store', ['developer', 'product']))
    .addOption(whose('product', ['developer', 'store']))
    .option(
      '--overlap-hours <hours>',
      'how long the one so far goes on; 0 ends it at once, and all earlier ones',
      hoursArgument(OVERLAP_HOURS.most),
      OVERLAP_HOURS.usual,
    )
    .option('--json', 'print one JSON object')
    .action((options: Renewed) => withContext(cli, (ctx) => renew(cli, ctx, options)))
}

async function renew(cli: Cli, ctx: Context, { overlapHours, ...whose }: Renewed): Promise<void> {
  const [holder, name] = holderOf(whose)
  const renewed = await transaction(ctx, async (tx) => {
    const done = await renewKeys(tx, holder, overlapHours)
    const productId = whose.product ?? null
    const details = { [name]: holder.id, overlap_hours: overlapHours }
    await auditCommand(tx, { command: 'keys-renew', productId, details })
    return done
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new Failure(error.code, error.message) : error
  })
  const { secret_key: secret, former_until: until } = renewed
  const end = until === null ? 'has ended' : `goes on until ${until}`
  cli.result({ ...renewed }, `The secret key of ${name} ${holder.id}; the one so far ${end}:\n\n  ${secret}`)
}

function holderOf({ developer, store, product }: Omit<Renewed, 'overlapHours'>): [KeyHolder, string] {
  const developerId = null
  if (developer !== undefined) return [{ owner: 'developers', id: developer, developerId }, 'developer']
  if (store !== undefined) return [{ owner: 'stores', id: store, developerId }, 'store']
  if (product !== undefined) return [{ owner: 'products', id: product, developerId }, 'product']
  throw new Failure('missing_option', 'Say whose: --developer, --store or --product.')
}
