import type { TxContext } from '../src/context.ts'
import {
  addProduct,
  createSeller as createOne,
  type Keys,
  type SellerProduct,
} from '../src/catalogue/sellers/create-seller.ts'

export type TestProduct = SellerProduct

export interface Seller {
  readonly developer: Keys
  readonly store: Keys
  readonly product: TestProduct
  /** A second product of the same store. */
  readonly other: TestProduct
}

/**
 * A developer with a store and two products, each with a bearer token; every call makes another one. Who opts in to
 * them is connected at once (`confirmed-opt-in.test.ts` has one that asks for a confirmation).
 */
export async function createSeller(tx: TxContext, email = 'seller@example.com'): Promise<Seller> {
  const more = { redirectHosts: ['shop.example.com'], tokenName: 'test', confirmsOptIn: false }
  const { developer, store, product } = await createOne(tx, {
    developer: { email, first: 'Sam', last: 'Seller', passwordHash: null },
    storeTitle: 'Store',
    product: { title: 'First product', ...more },
  })
  const owner = { developerId: developer.id, storeId: store.id }
  return {
    developer,
    store,
    product,
    other: await addProduct(tx, owner, { title: 'Second product', ...more }),
  }
}
