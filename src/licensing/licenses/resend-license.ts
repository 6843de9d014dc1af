import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { getLicense } from './service.ts'
import { mailLicense } from './mail-licenses.ts'

/**
 * Mails the owner of a license what it was mailed when it was bought: key and links, and the receipt of what it paid for
 * it last, with the invoice. 404 when the owner has no such license, 400 `no_user` when it has none.
 */
export async function resendLicense(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const license = await getLicense(ctx, scope, id)
  await mailLicense(ctx, scope, license)
  await ctx.hooks.sales.mailLastReceipt(ctx, scope, license)
}
