import { migrate } from '../src/db/migrate.ts'
import { connect } from '../src/db/connect.ts'
import { Keyring } from '../src/lib/keyring.ts'
import { settleKeys } from '../src/people/users/settle-keys.ts'
import { startServer } from '../src/start.ts'
import { testContext } from './app.ts'
import { createEmptyDatabase, type TestDatabase } from './database.ts'
import { formerPairs, formerRows } from './former-rows.ts'
import { TEST_SECRET } from './secret.ts'

/** The last schema in which a user had one pair a product. */
const FORMER = 29

export const formerKeys = Keyring.of(TEST_SECRET)

/** The products of a former shop: the add-on is of the first, which is in the bundle; the last has the add-on alone. */
export const [MAIN, ADDON, BUNDLE, UNRELATED, OUTER] = [1, 2, 3, 4, 5] as const

/** A database of an earlier schema: a seller with products, a plan of the first, and a site. The caller closes it. */
export async function formerShop(name: string, schema = FORMER) {
  const former = await createEmptyDatabase(name)
  await migrate(former.database, schema)
  const add = await formerRows(former.database)
  const { pairs, pairOf } = formerPairs(formerKeys)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  for (const id of [MAIN, ADDON, BUNDLE, UNRELATED, OUTER]) {
    const parent_plugin_id = id === ADDON ? MAIN : null
    const pair = pairOf(`product ${id}`, 'products.secret_key')
    await add('products', { id, developer_id: 1, store_id: 1, parent_plugin_id, ...pair })
  }
  await add('bundle_members', { bundle_id: BUNDLE, product_id: MAIN })
  await add('bundle_members', { bundle_id: OUTER, product_id: ADDON })
  await add('plans', { id: 1, product_id: MAIN })
  await add('sites', { id: 1, developer_id: 1 })
  return { former, add, pairs, pairOf }
}

/** Brings a database that is closed to a schema, the latest where none is given, and settles its keys. */
export async function settledAt({ options }: TestDatabase, schema?: number) {
  const database = connect(options)
  await migrate(database, schema)
  await settleKeys(database, formerKeys)
  return database
}

/** Starts a server on a former database that is closed, at the latest schema. */
export async function startUpgraded(former: TestDatabase, name: string) {
  const database = await settledAt(former)
  const opened = await testContext(`${name}_context`)
  const ctx = Object.assign(opened.ctx, { db: database.reader, database })
  const running = await startServer(ctx)
  return {
    ctx,
    at: { address: running.address, now: ctx.clock.real() },
    async close(): Promise<void> {
      await running.stop()
      await opened.drop()
      await former.remove()
    },
  }
}
