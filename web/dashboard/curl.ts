import { pathOf, type Query } from '../ui/server.ts'

/** A call that makes something, as a program sends it. */
export interface Making {
  /** Below `/v1`. */
  readonly path: string
  readonly body?: object
  /** A file that it takes; what is said beside it is `body`. */
  readonly file?: string
  /** Whether it needs no credential, as what a client sends from a machine. */
  readonly isOpen?: boolean
}

/** In place of the session of the page. */
const TOKEN = '-H "Authorization: Bearer $KEYWRIGHT_TOKEN"'

/** How something is read with a token of the account. */
export const curlOfReading = (path: string, query: Query): string =>
  `curl ${TOKEN} \\\n  '${location.origin}${pathOf(path, query)}'`

/** How something is made with one. */
export const curlOfMaking = ({ path, body, file, isOpen = false }: Making): string =>
  [
    `curl -X POST '${location.origin}${pathOf(path)}'`,
    ...(isOpen ? [] : [TOKEN]),
    ...(file === undefined ? [] : [`-F file=@${file}`]),
    ...(body === undefined ? [] : sentIn(body, file !== undefined)),
  ].join(' \\\n  ')

/** In double quotes, so that a shell puts in what begins with `$`. */
const sentIn = (body: object, isForm: boolean): readonly string[] => {
  const json = JSON.stringify(body).replaceAll('"', '\\"')
  return isForm ? [`-F "data=${json}"`] : [`-H 'Content-Type: application/json'`, `-d "${json}"`]
}

/** What a client sends from a machine to activate a license. */
export const activationOf = (product: string): Making => ({
  path: `/products/${product}/licenses/activate.json`,
  body: { license_key: '$LICENSE_KEY', uid: '$MACHINE', url: 'https://shop.example.com' },
  isOpen: true,
})

/** What opens a checkout, in which a buyer pays. */
export const checkoutOf = (product: string): Making => ({
  path: '/checkout/sessions.json',
  body: { product_id: product, pricing_id: '$PRICING', user_email: 'ada@example.com' },
  isOpen: true,
})
