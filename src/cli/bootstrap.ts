import { InvalidArgumentError } from 'commander'
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
import { databaseCommand, type Given } from './command.ts'
import { Failure } from './failure.ts'
import { readNewPassword } from './password.ts'
import { addressToCall, runningAddress } from './running-address.ts'

const options = {
  '--email <address>': { describe: 'address of the developer', parse: emailArgument, required: true },
  '--product <title>': { describe: 'title of the product', parse: titleArgument, required: true },
  '--name <name>': { describe: 'name of the developer', parse: titleArgument, default: '' },
  '--store <title>': { describe: 'title of the store', parse: titleArgument, default: 'Store' },
  '--redirect-host <host>': {
    describe: 'host that links of the product may lead to; repeatable',
    parse: hostArgument,
    many: true,
  },
  '--password <password>': { describe: 'better: pipe it to standard input, or be asked' },
  '--another': { describe: 'add one more account where there is a developer already' },
} as const

export const command = databaseCommand({
  isShowing: true,
  describe: 'create the first developer, store, product and token',
  options,
  handler: async (ctx, given, cli) => {
    if (!given.another) await refuseSecond(ctx.db)
    const password = await readNewPassword(cli, given.password)
    const passwordHash = await hashPassword(password, ctx.passwordCost)
    const seller = await transaction(ctx, async (tx) => {
      await takeTurns(tx.db, ctx.database.engine)
      if (!given.another) await refuseSecond(tx.db)
      return createFirst(tx, inputOf(given, passwordHash))
    })
    const access = accessOf({ ...seller, storeId: seller.store.id })
    const hint = (await isServed(ctx))
      ? ''
      : `\n\nStart the server first, on the same data: ${startLine(ctx, cli)}`
    const address = await addressToCall(ctx)
    return {
      value: access,
      text: `Made. The token is not shown again, so keep it.\n\n${accessText(access, address)}${hint}`,
    }
  },
})

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

function inputOf(given: Given<object, typeof options>, passwordHash: string): NewSeller {
  const { email, name, store, product, redirectHost } = given
  const [first = '', ...last] = name.split(/\s+/)
  return {
    developer: { email, first, last: last.join(' '), passwordHash },
    storeTitle: store,
    product: { title: product, redirectHosts: redirectHost, tokenName: 'bootstrap' },
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

function hostArgument(text: string): string {
  const host = URL.parse(`http://${text}/`)?.host
  if (host !== text.toLowerCase())
    throw new InvalidArgumentError('It must be a host such as shop.example.com.')
  return host
}
