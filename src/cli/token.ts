import { InvalidArgumentError } from 'commander'
import { transaction } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { isCleanText } from '../lib/formats.ts'
import { DAY, toUtcTime, type UtcTime } from '../lib/time.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { listApiTokens, revokeApiToken } from '../accounts/developers/developer-rows.ts'
import { idArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'
import { scopeOf } from './product-scope.ts'
import { table } from './text.ts'

const create = databaseCommand({
  describe: 'issue a token, which is shown once',
  options: {
    '--product <id>': { describe: 'product that it opens', parse: idArgument, required: true },
    '--name <text>': { describe: 'what it is for', parse: nameArgument, required: true },
    '--expires <day>': {
      describe: 'last day on which it works, in UTC, such as 2027-01-31',
      parse: dayArgument,
    },
  },
  handler: async (ctx, { product, name, expires }) => {
    await scopeOf(ctx, product)
    const end = expires === undefined ? null : expires + DAY - 1
    if (end !== null && end < ctx.clock.real()) throw new Failure('expired', 'That day is over already.')
    const expiresAt = end === null ? null : toUtcTime(end)
    const { id, token } = await transaction(ctx, async (tx) => {
      const issued = await issueApiToken(tx, { productId: product, name, expiresAt })
      await auditCommand(tx, { command: 'token-create', productId: product, details: { token: issued.id } })
      return issued
    })
    return {
      value: { id: String(id), product_id: String(product), name, expires_at: expiresAt, api_token: token },
      text: `Token ${id} for product ${product}; it is not shown again:\n\n  ${token}`,
    }
  },
})

const list = databaseCommand({
  describe: 'show the tokens of a product',
  options: {
    '--product <id>': { describe: 'product that they open', parse: idArgument, required: true },
  },
  handler: async (ctx, { product }) => {
    await scopeOf(ctx, product)
    const rows = await listApiTokens(ctx.db, product)
    const now = ctx.clock.now()
    const tokens = rows.map((row) => ({
      id: String(row.id),
      name: row.name,
      hint: `…${row.hint}`,
      state: stateOf(row, now),
      created: row.created,
      last_used_at: row.last_used_at,
      expires_at: row.expires_at,
      revoked_at: row.revoked_at,
    }))
    const heading = ['id', 'name', 'ends in', 'state', 'created', 'last used', 'expires']
    const lines = tokens.map(({ last_used_at: used, expires_at: expires, ...token }) => [
      token.id,
      token.name,
      token.hint,
      token.state,
      token.created,
      used ?? 'never',
      expires ?? 'never',
    ])
    return {
      value: { tokens },
      text: tokens.length > 0 ? table(heading, lines) : `Product ${product} has no token.`,
    }
  },
})

const revoke = databaseCommand({
  describe: 'end a token at once',
  arguments: { '<id>': { describe: 'id of the token', parse: idArgument } },
  handler: async (ctx, { id }) => {
    const { product_id: product } = await transaction(ctx, async (tx) => {
      const row = await revokeApiToken(tx.db, id, tx.clock.now())
      if (!row) throw new Failure('not_found', `There is no active token ${id}.`)
      await auditCommand(tx, { command: 'token-revoke', productId: row.product_id, details: { token: id } })
      return row
    })
    return {
      value: { id: String(id), product_id: String(product), revoked: true },
      text: `Token ${id} of product ${product} no longer works.`,
    }
  },
})

export const command: Group = {
  describe: 'bearer tokens of a product',
  commands: { create, list, revoke },
}

function stateOf(token: { revoked_at: UtcTime | null; expires_at: UtcTime | null }, now: UtcTime): string {
  if (token.revoked_at !== null) return 'revoked'
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'active'
}

function nameArgument(text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= 100 && isCleanText(name)) return name
  throw new InvalidArgumentError('It must have 1 to 100 characters, in one line.')
}

function dayArgument(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(ms) && toUtcTime(ms).startsWith(text)) return ms
  throw new InvalidArgumentError('It must be a day, such as 2027-01-31.')
}
