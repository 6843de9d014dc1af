import { fields } from './text.ts'

/** An account without a product, by the names that `bootstrap` prints. */
export interface AccountAccess {
  readonly developer_id: string
  readonly developer_public_key: string
  readonly developer_secret_key: string
  readonly store_id: string
}

/** What a call needs, by the names that `bootstrap` and `demo` print. */
export interface Access extends AccountAccess {
  readonly product_id: string
  readonly product_public_key: string
  readonly product_secret_key: string
  readonly api_token: string
}

interface Keys {
  readonly id: number
  readonly publicKey: string
  readonly secretKey: string
}

interface Account {
  readonly developer: Keys
  readonly storeId: number
}

export const accountAccessOf = ({ developer, storeId }: Account): AccountAccess => ({
  developer_id: String(developer.id),
  developer_public_key: developer.publicKey,
  developer_secret_key: developer.secretKey,
  store_id: String(storeId),
})

export const accessOf = (
  seller: Account & { readonly product: Keys & { readonly token: string } },
): Access => ({
  ...accountAccessOf(seller),
  product_id: String(seller.product.id),
  product_public_key: seller.product.publicKey,
  product_secret_key: seller.product.secretKey,
  api_token: seller.product.token,
})

/** The address that lets a person into the dashboard. */
export const dashboardText = (link: string): string =>
  `The dashboard, signed in, once within an hour:\n  ${link}`

/** The fields, and a first call to copy. */
export function accessText(access: Access, address: string): string {
  const { api_token: token, product_id: product } = access
  return `${fields({ ...access })}

Try it:
  curl -H 'Authorization: Bearer ${token}' '${address}/v1/products/${product}/users.json?count=3'
or, in another terminal, in this folder, as commands:
  npm run -s keywright -- login --local --product ${product}
  npm run -s keywright -- customer find`
}
