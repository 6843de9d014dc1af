import { addProduct } from '../../src/catalogue/sellers/create-seller.ts'
import type { TestApp } from '../app.ts'
import { offerFor, userOf } from '../licenses.ts'
import type { Board } from './play.ts'

/** Offers by domain and by subdomain in the first product, and one of a bundle that opens it. */
export async function setUp(app: TestApp): Promise<Board> {
  const { developer, store, product } = app.seller
  const offers: Board['offers'][number][] = []
  const add = async (
    owner: { id: number; token: string },
    licenses: number | null,
    type: 0 | 1,
    isBundle = false,
  ) => {
    const { planId, pricingId } = await offerFor(app, licenses, {
      product: owner,
      plan: { license_type: type },
    })
    const path = `/products/${owner.id}/plans/${planId}/pricing/${pricingId}/licenses.json`
    offers.push({ path, token: owner.token, type, isBundle })
  }
  for (const licenses of [1, 3, null]) {
    await add(product, licenses, 0)
    await add(product, licenses, 1)
  }
  const bundle = await app.write(async (tx) => {
    const added = await addProduct(
      tx,
      { developerId: developer.id, storeId: store.id },
      { title: 'Bundle', redirectHosts: [], tokenName: 'test' },
    )
    await tx.db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', added.id).execute()
    await tx.db.insertInto('bundle_members').values({ bundle_id: added.id, product_id: product.id }).execute()
    return added
  })
  await add(bundle, 2, 1, true)
  await nameAlike(app, offers)
  const emails = ['ann@example.com', 'bob@example.com', 'cleo@example.com']
  const users: Board['users'][number][] = []
  for (const email of emails) {
    const id = await userOf(app, email, product)
    await userOf(app, email, bundle)
    users.push({ id, email })
  }
  return { offers, users }
}

/** What a bundle opens in its product is on the plan of the same name. */
async function nameAlike(app: TestApp, offers: Board['offers']): Promise<void> {
  const planOf = ({ path }: Board['offers'][number]) => Number(path.split('/')[4])
  const [first] = offers
  const last = offers.at(-1)
  if (!first || !last) throw new Error('There are offers.')
  await app.write(async ({ db }) => {
    const { name } = await db
      .selectFrom('plans')
      .select('name')
      .where('id', '=', planOf(first))
      .executeTakeFirstOrThrow()
    await db.updateTable('plans').set({ name }).where('id', '=', planOf(last)).execute()
  })
}
