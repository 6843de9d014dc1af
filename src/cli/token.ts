import { InvalidArgumentError, type Command } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { findProductOwner } from '../access/credential-rows.ts'
import { isCleanText } from '../lib/formats.ts'
import { DAY, toUtcTime, type UtcTime } from '../lib/time.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { listApiTokens, revokeApiToken } from '../accounts/developers/developer-rows.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'
import { table } from './text.ts'

interface NewToken {
  readonly product: number
  readonly name: string
  /** The last day it works, as milliseconds of its beginning in UTC. */
  readonly expires?: number
}

export function register(program: Command, cli: Cli): void {
  const token = program.command('token').description('bearer tokens of a product')
  token
    .command('create')
    .description('issue a token, which is shown once')
    .requiredOption('--product <id>', 'product that it opens', idArgument)
    .requiredOption('--name <text>', 'what it is for', nameArgument)
    .option('--expires <day>', 'last day on which it works, in UTC, such as 2027-01-31', dayArgument)
    .option('--json', 'print one JSON object')
    .action((options: NewToken) => withContext(cli, (ctx) => create(cli, ctx, options)))
  token
    .command('list')
    .description('show the tokens of a product')
    .requiredOption('--product <id>', 'product that they open', idArgument)
    .option('--json', 'print one JSON object')
    .action(({ product }: { product: number }) => withContext(cli, (ctx) => list(cli, ctx, product)))
  token
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'id of the token', idArgument)
    .option('--json', 'print one JSON object')
    .action((id: number) => withContext(cli, (ctx) => revoke(cli, ctx, id)))
}

async function create(cli: Cli, ctx: Context, { product, name, expires }: NewToken): Promise<void> {
  await requireProduct(ctx, product)
  const end = expires === undefined ? null : expires + DAY - 1
  if (end !== null && end < ctx.clock.real()) throw new Failure('expired', 'That day is over already.')
  const expiresAt = end === null ? null : toUtcTime(end)
  const { id, token } = await transaction(ctx, async (tx) => {
    const issued = await issueApiToken(tx, { productId: product, name, expiresAt })
    await auditCommand(tx, { command: 'token-create', productId: product, details: { token: issued.id } })
    return issued
  })
  const value = { id: String(id), product_id: String(product), name, expires_at: expiresAt, api_token: token }
  cli.result(value, `Token ${id} for product ${product}; it is not shown again:\n\n  ${token}`)
}

async function list(cli: Cli, ctx: Context, product: number): Promise<void> {
  await requireProduct(ctx, product)
  const rows = await listApiTokens(ctx.db, product)
  const now = toUtcTime(ctx.clock.real())
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
  const lines = tokens.map((token) => [
    token.id,
    token.name,
    token.hint,
    token.state,
    token.created,
    token.last_used_at ?? 'never',
    token.expires_at ?? 'never',
  ])
  cli.result({ tokens }, tokens.length > 0 ? table(heading, lines) : `Product ${product} has no token.`)
}

function stateOf(token: { revoked_at: UtcTime | null; expires_at: UtcTime | null }, now: UtcTime): string {
  if (token.revoked_at !== null) return 'revoked'
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'active'
}

async function revoke(cli: Cli, ctx: Context, id: number): Promise<void> {
  const revoked = await transaction(ctx, async (tx) => {
    const row = await revokeApiToken(tx.db, id, toUtcTime(tx.clock.real()))
    if (!row) throw new Failure('not_found', `There is no active token ${id}.`)
    await auditCommand(tx, { command: 'token-revoke', productId: row.product_id, details: { token: id } })
    return row
  })
  const value = { id: String(id), product_id: String(revoked.product_id), revoked: true }
  cli.result(value, `Token ${id} of product ${revoked.product_id} no longer works.`)
}

async function requireProduct(ctx: Context, id: number): Promise<void> {
  const [product] = await findProductOwner(ctx.db, { id })
  if (!product) throw new Failure('not_found', `There is no product ${id}.`)
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
