import type { ReadContext } from '../../context.ts'
import { isRedirectTarget } from './signatures.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { SoldProduct } from './queries.ts'
import type { CheckoutState } from './state.ts'

interface Target {
  readonly field: 'redirect_url' | 'return_url'
  readonly target: string | undefined
}

/** 400 with the field for an address that the product does not lead to (`docs/decisions.md` 3.10). */
export function requireTarget(
  ctx: Pick<ReadContext, 'config'>,
  product: Pick<SoldProduct, 'redirect_hosts'>,
  { field, target }: Target,
): void {
  const hosts = JSON.parse(product.redirect_hosts) as string[]
  const isDevelopment = ctx.config.mode === 'development'
  if (target === undefined || isRedirectTarget(target, hosts, { isDevelopment })) return
  throw invalidFields([{ field, message: 'must be https, and lead to a host on the list of the product' }])
}

/** A buyer comes back from a confirmation to an address of the product, or to this server. 400 with the field. */
export function requireReturn(
  ctx: ReadContext,
  { sold: { product } }: Pick<CheckoutState, 'sold'>,
  target: string | undefined,
): void {
  if (target === undefined || new URL(target).origin === new URL(ctx.baseUrl).origin) return
  requireTarget(ctx, product ?? { redirect_hosts: '[]' }, { field: 'return_url', target })
}
