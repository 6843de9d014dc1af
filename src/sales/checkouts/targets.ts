import type { ReadContext } from '../../context.ts'
import { isRedirectTarget } from './signatures.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { SoldProduct } from './queries.ts'
import type { CheckoutState } from './state.ts'

interface Target {
  readonly field: 'redirect_url' | 'return_url'
  readonly target: string | undefined
}

type Listing = Pick<SoldProduct, 'redirect_hosts' | 'checkout_redirect_url'>

/** The page to which a checkout that names none leads its buyer lists its own host. */
function leadsTo({ config }: Pick<ReadContext, 'config'>, product: Listing, target: string): boolean {
  const listed = JSON.parse(product.redirect_hosts) as string[]
  const { host } = URL.parse(product.checkout_redirect_url ?? '') ?? {}
  const hosts = host === undefined ? listed : [...listed, host]
  return isRedirectTarget(target, hosts, { isDevelopment: config.mode === 'development' })
}

/** Where the product leads a buyer whose checkout names no page; null: nowhere. */
export function usualTarget(ctx: Pick<ReadContext, 'config'>, product: Listing): string | null {
  const { checkout_redirect_url: target } = product
  return target !== null && leadsTo(ctx, product, target) ? target : null
}

/** 400 with the field for an address that the product does not lead to (`docs/decisions.md` 3.10). */
export function requireTarget(
  ctx: Pick<ReadContext, 'config'>,
  product: Listing,
  { field, target }: Target,
): void {
  if (target === undefined || leadsTo(ctx, product, target)) return
  throw invalidFields([{ field, message: 'must be https, and lead to a host on the list of the product' }])
}

const NOWHERE: Listing = { redirect_hosts: '[]', checkout_redirect_url: null }

/** A buyer comes back from a confirmation to an address of the product, or to this server. 400 with the field. */
export function requireReturn(
  ctx: ReadContext,
  { sold: { product } }: Pick<CheckoutState, 'sold'>,
  target: string | undefined,
): void {
  if (target === undefined || new URL(target).origin === new URL(ctx.baseUrl).origin) return
  requireTarget(ctx, product ?? NOWHERE, { field: 'return_url', target })
}
