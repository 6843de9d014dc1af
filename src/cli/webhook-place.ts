import { transaction, type Context, type TxContext } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import type { Scope } from '../access/scope.ts'
import { idArgument } from './arguments.ts'
import { scopeOf } from './product-scope.ts'

/** Of a command about one listener. */
export const LISTENER = { '<id>': { describe: 'id of the listener', parse: idArgument } } as const
/** Whose listener it is. */
export const OF_PRODUCT = {
  '--product <id>': { describe: 'product whose listener it is', parse: idArgument, required: true },
} as const

interface Written<T> {
  readonly command: string
  readonly product: number
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
  return transaction(ctx, async (tx) => {
    const done = await work(tx, scope)
    const webhook = typeof id === 'function' ? id(done) : id
    await auditCommand(tx, { command, productId: product, details: { webhook } })
    return done
  })
}
