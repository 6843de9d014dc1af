import type { Command } from 'commander'
import { transaction, type Context, type TxContext } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { findProductOwner } from '../access/credential-rows.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { ApiError } from '../lib/errors.ts'
import { Failure } from './failure.ts'
import { idArgument } from './id-argument.ts'

/** Whose listeners a command is about. */
export interface Place {
  readonly product: number
}

/** A command about one listener. */
export const about = (webhook: Command, name: string, description: string): Command =>
  webhook
    .command(name)
    .description(description)
    .argument('<id>', 'id of the listener', idArgument)
    .requiredOption('--product <id>', 'product whose listener it is', idArgument)
    .option('--json', 'print one JSON object')

interface Written<T> extends Place {
  readonly command: string
  /** The listener, or where it is found in what was done. */
  readonly id: number | ((done: T) => number)
}

/** In one transaction with its row in the audit log, which names the listener (`docs/security-checks.md` S40). */
export async function write<T>(
  ctx: Context,
  { command, product, id }: Written<T>,
  work: (tx: TxContext, scope: Scope) => Promise<T>,
): Promise<T> {
  const scope = await scopeOf(ctx, product)
  try {
    return await transaction(ctx, async (tx) => {
      const done = await work(tx, scope)
      const webhook = typeof id === 'function' ? id(done) : id
      await auditCommand(tx, { command, productId: product, details: { webhook } })
      return done
    })
  } catch (error) {
    throw error instanceof ApiError ? new Failure(error.code, error.message) : error
  }
}

/** Of a product; fails when there is none. */
export async function scopeOf(ctx: Context, productId: number): Promise<Scope> {
  const [product] = await findProductOwner(ctx.db, { id: productId })
  if (!product) throw new Failure('not_found', `There is no product ${productId}.`)
  return systemScope({ developerId: product.developer_id, productId })
}
