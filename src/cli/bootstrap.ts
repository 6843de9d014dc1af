import { InvalidArgumentError, type Command } from 'commander'
import { transaction, type Context, type TxContext } from '../context.ts'
import type { Reader } from '../db/database.ts'
import { takeTurns } from '../db/take-turns.ts'
import { auditCommand } from '../access/audit-command.ts'
import { createSeller, type CreatedSeller, type NewSeller } from '../catalogue/sellers/create-seller.ts'
import { hasDeveloper } from '../catalogue/sellers/seller-rows.ts'
import { isCleanText, isEmail } from '../lib/formats.ts'
import { hashPassword } from '../lib/password.ts'
import { accessOf, accessText } from './access.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { withContext } from './open.ts'
import { readNewPassword } from './password.ts'
import { addressToCall, runningAddress } from './running-address.ts'

interface Options {
  readonly email: string
  readonly product: string
  readonly name: string
  readonly store: string
  readonly redirectHost: readonly string[]
  readonly password?: string
  readonly another?: true
}

export function register(program: Command, cli: Cli): void {
  program
    .command('bootstrap')
    .description('create the first developer, store, product and token')
    .requiredOption('--email <address>', 'address of the developer', emailArgument)
    .requiredOption('--product <title>', 'title of the product', titleArgument)
    .option('--name <name>', 'name of the developer', titleArgument, '')
    .option('--store <title>', 'title of the store', titleArgument, 'Store')
    .option(
      '--redirect-host <host>',
      'host that links of the product may lead to; repeatable',
      hostArgument,
      [],
    )
    .option('--password <password>', 'better: pipe it to standard input, or be asked')
    .option('--another', 'also when there is a developer already')
    .option('--json', 'print one JSON object')
    .action((options: Options) => withContext(cli, (ctx) => bootstrap(cli, ctx, options)))
}

async function bootstrap(cli: Cli, ctx: Context, options: Options): Promise<void> {
  if (!options.another) await refuseSecond(ctx.db)
  const password = await readNewPassword(cli, options.password)
  const passwordHash = await hashPassword(password, ctx.passwordCost)
  const seller = await transaction(ctx, async (tx) => {
    await takeTurns(tx.db, ctx.database.engine)
    if (!options.another) await refuseSecond(tx.db)
    return createFirst(tx, inputOf(options, passwordHash))
  })
  const access = accessOf({ ...seller, storeId: seller.store.id })
  const hint = (await isServed(ctx))
    ? ''
    : `\n\nStart the server first, on the same data: ${startLine(ctx, cli)}`
  cli.result(
    access,
    `Made. The token is not shown again, so keep it.\n\n${accessText(access, await addressToCall(ctx))}${hint}`,
  )
}

/** Of a server behind an address of its own nothing is known. */
const isServed = async ({ config }: Context): Promise<boolean> =>
  config.baseUrl !== null || (await runningAddress(config)) !== null

function startLine({ config }: Context, { env }: Cli): string {
  const data = env['KEYWRIGHT_DATA'] ? `KEYWRIGHT_DATA='${config.dataDir}' ` : ''
  return `${'url' in config.database ? '' : data}npm start`
}

async function createFirst(tx: TxContext, input: NewSeller): Promise<CreatedSeller> {
  const seller = await createSeller(tx, input)
  const details = { developer: seller.developer.id, store: seller.store.id }
  await auditCommand(tx, { command: 'bootstrap', productId: seller.product.id, details })
  return seller
}

async function refuseSecond(db: Reader): Promise<void> {
  if (!(await hasDeveloper(db))) return
  throw new Failure(
    'already_bootstrapped',
    'There is a developer already: --another adds one more, and KEYWRIGHT_DATA (or DATABASE_URL) takes other data.',
  )
}

function inputOf(options: Options, passwordHash: string): NewSeller {
  const [first = '', ...last] = options.name.split(/\s+/)
  return {
    developer: { email: options.email, first, last: last.join(' '), passwordHash },
    storeTitle: options.store,
    product: { title: options.product, redirectHosts: options.redirectHost, tokenName: 'bootstrap' },
  }
}

function emailArgument(text: string): string {
  if (!isEmail(text.trim())) throw new InvalidArgumentError('It is no address for mail.')
  return text.trim()
}

function titleArgument(text: string): string {
  const title = text.trim()
  if (title === '' || title.length > 200 || !isCleanText(title)) {
    throw new InvalidArgumentError('It must have 1 to 200 characters, in one line.')
  }
  return title
}

function hostArgument(text: string, before: readonly string[]): readonly string[] {
  const host = URL.parse(`http://${text}/`)?.host
  if (host !== text.toLowerCase())
    throw new InvalidArgumentError('It must be a host such as shop.example.com.')
  return [...before, host]
}
