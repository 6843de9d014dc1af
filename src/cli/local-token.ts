import { hostname } from 'node:os'
import { withoutEndSlashes } from '../lib/formats.ts'
import { auditCommand } from '../access/audit-command.ts'
import { findDeveloper } from '../accounts/sessions/session-rows.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { firstSellers } from '../catalogue/sellers/seller-rows.ts'
import { transaction, type Context } from '../context.ts'
import type { Cli } from './cli.ts'
import { isServer } from '../health/is-server.ts'
import { unreachable } from './client/call.ts'
import { Failure } from './failure.ts'
import { withContext } from './open.ts'
import { addressToCall } from './running-address.ts'

/** Makes a token of an account of the configured database: where its server answers, and the token. */
export const localToken = (cli: Cli, named: number | undefined): Promise<{ url: string; token: string }> =>
  withContext(cli, async (ctx) => {
    const url = withoutEndSlashes(await addressToCall(ctx))
    // A token that nobody is told would be left in the database.
    if (!(await isServer(url))) throw unreachable(url)
    const developerId = await accountOf(ctx, named)
    const { token } = await transaction(ctx, async (tx) => {
      const name = `keywright login on ${hostname().replaceAll(/[^\w.-]/g, '')}`.slice(0, 100)
      const issued = await issueApiToken(tx, {
        developerId,
        productIds: null,
        rights: null,
        name,
        expiresAt: null,
      })
      const details = { token: issued.id }
      await auditCommand(tx, { command: 'token-create', productId: null, developerId, details })
      return issued
    })
    return { url, token }
  })

async function accountOf(ctx: Context, named: number | undefined): Promise<number> {
  if (named !== undefined) {
    if (await findDeveloper(ctx.db, named)) return named
    throw new Failure('not_found', `There is no account ${named}.`)
  }
  const [first, second] = await firstSellers(ctx.db)
  if (!first) throw new Failure('nobody', 'Nobody sells here yet: keywright bootstrap makes an account.')
  if (second) throw new Failure('several_accounts', 'There are several accounts: name one with --account.')
  return first.developer_id
}
