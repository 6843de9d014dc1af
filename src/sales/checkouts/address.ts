/** Where the pages of the checkout are. */
const CHECKOUT_PATH = '/checkout/'

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
