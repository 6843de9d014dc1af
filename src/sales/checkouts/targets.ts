import type { ReadContext } from '../../context.ts'
import { checkoutBase } from './address.ts'
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

/** Where a buyer comes back to from a confirmation whose call names no page: one that says so, beside the checkout. */
export const usualReturn = (ctx: Pick<ReadContext, 'config' | 'baseUrl'>): string =>
  `${checkoutBase(ctx)}/checkout/confirmed/`

/** Such an address is of the product, of this server, or of the pages of its checkout. 400 with the field. */
export function requireReturn(
  ctx: ReadContext,
  { sold: { product } }: Pick<CheckoutState, 'sold'>,
  target: string | undefined,
): void {
  const own = [ctx.baseUrl, checkoutBase(ctx)].map((address) => new URL(address).origin)
  if (target === undefined || own.includes(new URL(target).origin)) return
  requireTarget(ctx, product ?? NOWHERE, { field: 'return_url', target })
}
