import { InvalidArgumentError } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { productsOfAccount } from '../access/credential-rows.ts'
import { parseRights, rightsIn } from '../access/rights.ts'
import type { Access } from '../access/roles.ts'
import { systemScope } from '../access/scope.ts'
import { isCleanText } from '../lib/formats.ts'
import { parseIdList } from '../lib/id-list.ts'
import { DAY, toUtcTime, type UtcTime } from '../lib/time.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { revokeWhatItMade } from '../accounts/tokens/revoke-token.ts'
import { findDeveloper } from '../accounts/sessions/session-rows.ts'
import { listApiTokens, revokeApiToken } from '../accounts/developers/developer-rows.ts'
import { idArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'
import { scopeOf } from './product-scope.ts'
import { table } from './text.ts'

const OF_PRODUCT = { describe: 'product that it opens', parse: idArgument, conflicts: ['account'] }
const WHOSE = [['account', 'product']] as const
const OF_ACCOUNT = { describe: 'account (of a developer) that it opens', parse: idArgument }

const create = databaseCommand({
  describe: 'issue a token of a product or of an account, which is shown once',
  options: {
    '--product <id>': { ...OF_PRODUCT, conflicts: ['account', 'products', 'rights'] },
    '--account <id>': OF_ACCOUNT,
    '--name <text>': { describe: 'what it is for', parse: nameArgument, required: true },
    '--products <ids>': {
      describe: 'products of the account that it is narrowed to, such as 3,5',
      parse: idsArgument,
    },
    '--rights <list>': {
      describe: 'what it is narrowed to, such as licenses.write,sales.read',
      parse: rightsArgument,
    },
    '--expires <day>': {
      describe: 'last day on which it works, in UTC, such as 2027-01-31',
      parse: dayArgument,
    },
  },
  needs: WHOSE,
  examples: [
    'keywright token create --account 1 --name laptop',
    'keywright token create --product 7 --name "build server"',
    'keywright token create --account 1 --rights licenses.write,sales.read --name support',
  ],
  handler: async (ctx, { name, expires, products = null, rights = null, ...whose }) => {
    const { productId, developerId, value, text } = await ownerOf(ctx, whose)
    const end = expires === undefined ? null : expires + DAY - 1
    if (end !== null && end < ctx.clock.real()) throw new Failure('expired', 'That day is over already.')
    const expiresAt = end === null ? null : toUtcTime(end)
    if (products !== null) await requireProducts(ctx, developerId, products)
    const of = productId === null ? { developerId, productIds: products, rights } : { productId }
    const { id, token } = await transaction(ctx, async (tx) => {
      const issued = await issueApiToken(tx, { ...of, name, expiresAt })
      await auditCommand(tx, {
        command: 'token-create',
        productId,
        developerId,
        details: { token: issued.id },
      })
      return issued
    })
    const narrowed = productId === null ? { product_ids: products?.map(String) ?? null, rights } : {}
    return {
      value: { id: String(id), ...value, name, ...narrowed, expires_at: expiresAt, api_token: token },
      text: `Token ${id} for ${text}; it is not shown again:\n\n  ${token}`,
    }
  },
})

const list = databaseCommand({
  describe: 'show the tokens of a product, or of an account with all its products',
  options: {
    '--product <id>': { ...OF_PRODUCT, describe: 'product that they open' },
    '--account <id>': { ...OF_ACCOUNT, describe: 'account (of a developer) that they open' },
  },
  needs: WHOSE,
  handler: async (ctx, whose) => {
    const { productId, developerId, text } = await ownerOf(ctx, whose)
    const rows = await listApiTokens(
      ctx.db,
      productId === null ? ['developer_id', developerId] : ['product_id', productId],
    )
    const now = ctx.clock.now()
    const tokens = rows.map((row) => ({
      id: String(row.id),
      name: row.name,
      hint: `…${row.hint}`,
      state: stateOf(row, now),
      ...(productId === null && { opens: opensOf(row), rights: rightsIn(row.rights) }),
      created: row.created,
      last_used_at: row.last_used_at,
      expires_at: row.expires_at,
      revoked_at: row.revoked_at,
    }))
    const heading = ['id', 'name', 'ends in', 'state', 'created', 'last used', 'expires']
    const lines = tokens.map((token) => [
      token.id,
      token.name,
      token.hint,
      token.state,
      token.created,
      token.last_used_at ?? 'never',
      token.expires_at ?? 'never',
      ...(token.opens === undefined ? [] : [token.opens, token.rights?.join(', ') ?? 'all']),
    ])
    if (productId === null) heading.push('opens', 'rights')
    return {
      value: { tokens },
      text: tokens.length > 0 ? table(heading, lines) : `${capital(text)} has no token.`,
    }
  },
})

const revoke = databaseCommand({
  describe: 'end a token at once',
  arguments: { '<id>': { describe: 'id of the token', parse: idArgument } },
  handler: async (ctx, { id }) => {
    const { product_id: product, developer_id: account } = await transaction(ctx, async (tx) => {
      const row = await revokeApiToken(tx.db, id, tx.clock.now())
      if (!row) throw new Failure('not_found', `There is no active token ${id}.`)
      await revokeWhatItMade(tx, id)
      await auditCommand(tx, {
        command: 'token-revoke',
        productId: row.product_id,
        developerId: row.developer_id,
        details: { token: id },
      })
      return row
    })
    return {
      value: {
        id: String(id),
        ...(product === null ? { account_id: String(account) } : { product_id: String(product) }),
        revoked: true,
      },
      text: `Token ${id} of ${product === null ? `account ${account}` : `product ${product}`} no longer works.`,
    }
  },
})

export const command: Group = {
  describe: 'bearer tokens of a product or an account',
  commands: { create, list, revoke },
}

interface Whose {
  readonly product?: number
  readonly account?: number
}

/** Whose tokens are meant; fails when there is no such product or account. */
async function ownerOf(ctx: Context, { product, account }: Whose) {
  if (product !== undefined) {
    const { developerId } = await scopeOf(ctx, product)
    return {
      productId: product,
      developerId,
      value: { product_id: String(product) },
      text: `product ${product}`,
    }
  }
  if (account === undefined) throw new Error('A command names whose tokens it is about.')
  if (!(await findDeveloper(ctx.db, account)))
    throw new Failure('not_found', `There is no account ${account}.`)
  const value = { account_id: String(account) }
  return { productId: null, developerId: account, value, text: `account ${account}` }
}

async function requireProducts(ctx: Context, developerId: number, ids: readonly number[]): Promise<void> {
  const own = await productsOfAccount(ctx.db, systemScope({ developerId, productId: 0 }))
  const foreign = ids.find((id) => !own.includes(id))
  if (foreign !== undefined)
    throw new Failure('not_found', `Account ${developerId} has no product ${foreign}.`)
}

/** What a token of an account opens. */
const opensOf = (row: {
  readonly product_id: number | null
  readonly product_ids: string | null
}): string => {
  if (row.product_id !== null) return `product ${row.product_id}`
  return row.product_ids === null ? 'account' : `products ${row.product_ids}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function stateOf(token: { revoked_at: UtcTime | null; expires_at: UtcTime | null }, now: UtcTime): string {
  if (token.revoked_at !== null) return 'revoked'
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'active'
}

function nameArgument(text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= 100 && isCleanText(name)) return name
  throw new InvalidArgumentError('It must have 1 to 100 characters, in one line.')
}

function idsArgument(text: string): readonly number[] {
  const ids = parseIdList(text)
  if (ids !== null && ids.length > 0) return ids
  throw new InvalidArgumentError('It must be ids with commas between them, each once, such as 3,5.')
}

function rightsArgument(text: string): readonly Access[] {
  const rights = parseRights(text)
  if (rights !== null) return rights
  throw new InvalidArgumentError(
    'It must be rights with commas between them, such as licenses.write,sales.read.',
  )
}

function dayArgument(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(ms) && toUtcTime(ms).startsWith(text)) return ms
  throw new InvalidArgumentError('It must be a day, such as 2027-01-31.')
}
