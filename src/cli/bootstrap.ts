import { InvalidArgumentError } from 'commander'
import { transaction, type Context, type TxContext } from '../context.ts'
import type { Reader } from '../db/database.ts'
import { takeTurns } from '../db/take-turns.ts'
import { auditCommand } from '../access/audit-command.ts'
import { issueSignInLink } from '../accounts/sessions/mailed-sign-in.ts'
import {
  createAccount,
  createSeller,
  type CreatedAccount,
  type NewAccount,
  type SellerProduct,
} from '../catalogue/sellers/create-seller.ts'
import { hasDeveloper } from '../catalogue/sellers/seller-rows.ts'
import { isCleanText, isEmail } from '../lib/formats.ts'
import { hashPassword } from '../lib/password.ts'
import { accessOf, accessText, accountAccessOf, dashboardText } from './access.ts'
import type { Cli } from './cli.ts'
import { databaseCommand, type Answer, type Given } from './command.ts'
import { Failure } from './failure.ts'
import { readNewPassword } from './password.ts'
import { addressToCall, runningAddress } from './running-address.ts'
import { fields } from './text.ts'

const options = {
  '--email <address>': { describe: 'address of the developer', parse: emailArgument, required: true },
  '--product <title>': {
    describe: 'title of the first product, which gets a token; else it is created in the dashboard',
    parse: titleArgument,
  },
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
  describe: 'create the first developer and store, with a product and token where one is named',
  options,
  handler: async (ctx, given, cli) => {
    if (!given.another) await refuseSecond(ctx.db)
    const password = await readNewPassword(cli, given.password)
    const passwordHash = await hashPassword(password, ctx.passwordCost)
    const made = await transaction(ctx, async (tx) => {
      await takeTurns(tx.db, ctx.database.engine)
      if (!given.another) await refuseSecond(tx.db)
      return createFirst(tx, given, passwordHash)
    })
    const address = await addressToCall(ctx)
    const link = (await issueSignInLink(ctx, made.developer.id, address)) ?? ''
    const hint = (await isServed(ctx))
      ? ''
      : `\n\nStart the server first, on the same data: ${startLine(ctx, cli)}`
    return shown(made, link, address, hint)
  },
})

/** What was made, for programs and for people. */
function shown(made: Made, link: string, address: string, hint: string): Answer {
  const { product, ...account } = made
  const seller = { ...account, storeId: account.store.id }
  const dashboard = dashboardText(link)
  if (product === null) {
    const access = accountAccessOf(seller)
    const text = `Made.\n\n${dashboard}\n\n${fields({ ...access })}${hint}`
    return { value: { ...access, sign_in_link: link }, text }
  }
  const access = accessOf({ ...seller, product })
  return {
    value: { ...access, sign_in_link: link },
    text: `Made. The token is not shown again, so keep it.\n\n${dashboard}\n\n${accessText(access, address)}${hint}`,
  }
}

/** Of a server behind an address of its own nothing is known. */
const isServed = async ({ config }: Context): Promise<boolean> =>
  config.baseUrl !== null || (await runningAddress(config)) !== null

function startLine({ config }: Context, { env }: Cli): string {
  const data = env['KEYWRIGHT_DATA'] ? `KEYWRIGHT_DATA='${config.dataDir}' ` : ''
  return `${'url' in config.database ? '' : data}npm start`
}

/** The product is null where none was named. */
type Made = CreatedAccount & { readonly product: SellerProduct | null }

async function createFirst(
  tx: TxContext,
  given: Given<object, typeof options>,
  passwordHash: string,
): Promise<Made> {
  const { product, redirectHost } = given
  const input = accountOf(given, passwordHash)
  const made =
    product === undefined
      ? { ...(await createAccount(tx, input)), product: null }
      : await createSeller(tx, {
          ...input,
          product: { title: product, redirectHosts: redirectHost, tokenName: 'bootstrap' },
        })
  const details = { developer: made.developer.id, store: made.store.id }
  await auditCommand(tx, { command: 'bootstrap', productId: made.product?.id ?? null, details })
  return made
}

async function refuseSecond(db: Reader): Promise<void> {
  if (!(await hasDeveloper(db))) return
  throw new Failure(
    'already_bootstrapped',
    'There is a developer already: --another adds one more, and KEYWRIGHT_DATA (or DATABASE_URL) takes other data.',
  )
}

function accountOf({ email, name, store }: Given<object, typeof options>, passwordHash: string): NewAccount {
  const [first = '', ...last] = name.split(/\s+/)
  return { developer: { email, first, last: last.join(' '), passwordHash }, storeTitle: store }
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
