import { fields } from './text.ts'

/** What a call needs, by the names that `bootstrap` and `demo` print. */
export interface Access {
  readonly developer_id: string
  readonly developer_public_key: string
  readonly developer_secret_key: string
  readonly store_id: string
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

export const accessOf = (seller: {
  readonly developer: Keys
  readonly storeId: number
  readonly product: Keys & { readonly token: string }
}): Access => ({
  developer_id: String(seller.developer.id),
  developer_public_key: seller.developer.publicKey,
  developer_secret_key: seller.developer.secretKey,
  store_id: String(seller.storeId),
  product_id: String(seller.product.id),
  product_public_key: seller.product.publicKey,
  product_secret_key: seller.product.secretKey,
  api_token: seller.product.token,
})

/** The fields, and a first call to copy. */
export function accessText(access: Access, address: string): string {
  const { api_token: token, product_id: product } = access
  return `${fields({ ...access })}

Try it:
  curl -H 'Authorization: Bearer ${token}' '${address}/v1/products/${product}/users.json?count=3'`
}
