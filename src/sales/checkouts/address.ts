import type { ReadContext } from '../../context.ts'

/** Where the pages of the checkout are. */
const CHECKOUT_PATH = '/checkout/'

/** The origin of the pages of the checkout, or a folder of it. */
export const checkoutBase = ({ config, baseUrl }: Pick<ReadContext, 'config' | 'baseUrl'>): string =>
  config.checkoutUrl ?? baseUrl

interface Place {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly productId: number
  readonly planId: number | null
  /** Null: unlimited; undefined: whatever the checkout chooses. */
  readonly licenses?: number | null
}

/** The address of a checkout with its options in the query (`docs/interface.md` 8.1). */
export function checkoutAddress(
  { baseUrl, productId, planId, licenses }: Place,
  options: Readonly<Record<string, string>>,
): string {
  const plan = planId === null ? '' : `plan/${planId}/`
  const quota = licenses === undefined ? '' : `licenses/${licenses ?? 'unlimited'}/`
  const query = new URLSearchParams(options).toString()
  return `${baseUrl}${CHECKOUT_PATH}product/${productId}/${plan}${quota}${query === '' ? '' : `?${query}`}`
}

interface Shop {
  readonly id: number
  readonly publicKey: string
}

/** How long the client keeps what a link about a cart opens, which its own token bounds. */
const YEAR_SECONDS = 31_536_000

/**
 * The page of a shop that opens its checkout with what is in a cart, as the overlay client reads such links
 * (`docs/interface.md` 10.2).
 */
export const cartAddress = (
  page: string,
  { id, publicKey }: Shop,
  { token, now }: { readonly token: string; readonly now: string },
): string =>
  added(page, {
    __fs_authorization: `FSE ${id}:${token}`,
    __fs_auth_date: now,
    __fs_expires_in: String(YEAR_SECONDS),
    __fs_plugin_id: String(id),
    __fs_plugin_public_key: publicKey,
  })

interface Method {
  readonly productId: number
  readonly planId: number
  readonly licenseId: number
  readonly authorization: string
}

/** The page of a shop that opens its checkout to replace the method of payment of a license. */
export const dunningAddress = (page: string, of: Method): string =>
  added(page, {
    _fs_dunning: '1',
    _fs_product_id: String(of.productId),
    _fs_is_payment_method_update: '1',
    _fs_license_id: String(of.licenseId),
    _fs_authorization: of.authorization,
    _fs_plan_id: String(of.planId),
  })

function added(page: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(page)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}
