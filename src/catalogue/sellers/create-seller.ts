import type { ReadContext, TxContext } from '../../context.ts'
import { findDeveloperKeys, findProductKeys, findStoreKeys } from '../../access/credential-rows.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import { createDeveloper, type NewDeveloper } from '../../accounts/developers/service.ts'
import { createProduct } from '../products/service.ts'
import { createStore } from '../stores/service.ts'

export interface NewSellerProduct {
  readonly title: string
  /** Host names that links of the product may lead to (`docs/decisions.md` 3.10). */
  readonly redirectHosts: readonly string[]
  readonly tokenName: string
  /** Default: true. */
  readonly confirmsOptIn?: boolean
}

export interface NewAccount {
  readonly developer: NewDeveloper
  readonly storeTitle: string
}

export interface NewSeller extends NewAccount {
  readonly product: NewSellerProduct
}

export interface Keys {
  readonly id: number
  readonly publicKey: string
  readonly secretKey: string
}

export interface SellerProduct extends Keys {
  /** Shown once; only its hash is kept. */
  readonly token: string
}

export interface CreatedAccount {
  readonly developer: Keys
  readonly store: Keys
}

export interface CreatedSeller extends CreatedAccount {
  readonly product: SellerProduct
}

/** Opens a seller's account with its first store. 400 `developer_email_taken` when the address has an account. */
export async function createAccount(
  tx: TxContext,
  { developer, storeTitle }: NewAccount,
): Promise<CreatedAccount> {
  const developerId = await createDeveloper(tx, developer)
  const storeId = await createStore(tx, { developerId, title: storeTitle })
  return { developer: await developerKeys(tx, developerId), store: await storeKeys(tx, storeId) }
}

/** `createAccount` with its first product and a token for that. */
export async function createSeller(tx: TxContext, input: NewSeller): Promise<CreatedSeller> {
  const account = await createAccount(tx, input)
  const owner = { developerId: account.developer.id, storeId: account.store.id }
  return { ...account, product: await addProduct(tx, owner, input.product) }
}

/** Adds a product to a store, with a token for it. */
export async function addProduct(
  tx: TxContext,
  owner: { readonly developerId: number; readonly storeId: number },
  { title, redirectHosts, tokenName, confirmsOptIn }: NewSellerProduct,
): Promise<SellerProduct> {
  const productId = await createProduct(tx, { ...owner, title, redirectHosts, confirmsOptIn })
  const { token } = await issueApiToken(tx, { productId, name: tokenName, expiresAt: null })
  return { ...(await productKeys(tx, productId)), token }
}

export async function developerKeys({ db, keys }: ReadContext, id: number): Promise<Keys> {
  const [row] = await findDeveloperKeys(db, { id })
  return opened(keys, row, 'developers.secret_key')
}

async function storeKeys({ db, keys }: ReadContext, id: number): Promise<Keys> {
  const [row] = await findStoreKeys(db, { id })
  return opened(keys, row, 'stores.secret_key')
}

export async function productKeys({ db, keys }: ReadContext, id: number): Promise<Keys> {
  const [row] = await findProductKeys(db, { id })
  return opened(keys, row, 'products.secret_key')
}

type KeyRow = { readonly id: number; readonly public_key: string; readonly secret_key: string }

function opened(keys: Keyring, row: KeyRow | undefined, place: string): Keys {
  if (!row) throw new Error(`There is no row for ${place}.`)
  return { id: row.id, publicKey: row.public_key, secretKey: keys.open(row.secret_key, place) }
}
