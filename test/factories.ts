import type { TxContext } from '../src/context.ts'
import { issueApiToken } from '../src/resources/developers/api-tokens.ts'
import { createDeveloper } from '../src/resources/developers/service.ts'
import { createProduct } from '../src/resources/products/service.ts'
import { createStore } from '../src/resources/stores/service.ts'

export interface Keys {
  readonly id: number
  readonly publicKey: string
  readonly secretKey: string
}

export interface TestProduct extends Keys {
  readonly token: string
}

export interface Seller {
  readonly developer: Keys
  readonly store: Keys
  readonly product: TestProduct
  /** A second product of the same store. */
  readonly other: TestProduct
}

/** A developer with a store and two products, each with a bearer token; every call makes another one. */
export async function createSeller(tx: TxContext, email = 'seller@example.com'): Promise<Seller> {
  const developerId = await createDeveloper(tx, { email, first: 'Sam', last: 'Seller', passwordHash: null })
  const storeId = await createStore(tx, { developerId, title: 'Store' })
  const product = async (title: string): Promise<TestProduct> => {
    const id = await createProduct(tx, { developerId, storeId, title, redirectHosts: ['shop.example.com'] })
    const { token } = await issueApiToken(tx, { productId: id, name: 'test', expiresAt: null })
    return { ...(await keysOf(tx, 'products', id)), token }
  }
  return {
    developer: await keysOf(tx, 'developers', developerId),
    store: await keysOf(tx, 'stores', storeId),
    product: await product('First product'),
    other: await product('Second product'),
  }
}

async function keysOf(tx: TxContext, table: 'developers' | 'stores' | 'products', id: number): Promise<Keys> {
  const row = await tx.db
    .selectFrom(table)
    .select(['id', 'public_key', 'secret_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, publicKey: row.public_key, secretKey: tx.keys.open(row.secret_key, `${table}.secret_key`) }
}
