import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext } from '../../../test/app.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { transaction, type TxContext } from '../../context.ts'
import { startServer } from '../../start.ts'

const ROWS = 1_010
const CREATED = '2026-01-31 10:00:00' as never

let seller: Seller
let address: string
const closing: (() => Promise<void>)[] = []

/** Long reads go to another database, which is empty: that is how a page tells where it was read. */
before(async () => {
  const { ctx, drop } = await testContext('deep_pages')
  const empty = await createTestDatabase('deep_pages_background')
  const database = { ...ctx.database, background: empty.database.background }
  seller = await transaction(ctx, async (tx) => {
    const made = await createSeller(tx)
    await insertRows(tx, made)
    return made
  })
  const running = await startServer({ ...ctx, database })
  address = running.address
  closing.push(running.stop, empty.drop, drop)
})
after(async () => {
  for (const close of closing) await close()
})

async function insertRows({ db, keys }: TxContext, { developer, product }: Seller): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
  const developer_id = developer.id
  const product_id = product.id
  const person = {
    first: 'A',
    last: '',
    picture: '',
    ip: null,
    is_verified: false,
    password_hash: null,
  } as const
  const rest = { auth: 'password', last_login_at: null, email_status: null } as const
  const times = { created: CREATED, updated: null }
  const people = numbers.map((id) => {
    const email = `u${id}@example.com`
    return { id, developer_id, email, email_folded: email, ...person, ...rest, ...times }
  })
  const secret_key = keys.seal('sk_deep', 'product_users.secret_key')
  const place = {
    note: '',
    is_marketing_allowed: null,
    is_beta: false,
    gross: 0,
    is_paying: false,
    source: 0,
  } as const
  const links = people.map(({ id: user_id, email_folded }) => ({
    product_id,
    user_id,
    public_key: `pk_${user_id}`,
    secret_key,
    email_folded,
    name_folded: 'a',
    ...place,
    ...times,
  }))
  const events = numbers.map(() => ({
    developer_id,
    product_id,
    user_id: 1,
    install_id: null,
    data: null,
    process_time: null,
    type: 'user.created',
    event_trigger: 'system' as const,
    state: 'canceled' as const,
    ...times,
  }))
  await db.insertInto('users').values(people).execute()
  await db.insertInto('product_users').values(links).execute()
  await db.insertInto('events').values(events).execute()
}

async function page(path: string, offset: number): Promise<unknown[]> {
  const response = await fetch(`${address}/v1/products/${seller.product.id}/${path}offset=${offset}`, {
    headers: { authorization: `Bearer ${seller.product.token}` },
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const [items] = Object.values(JSON.parse(text) as Record<string, unknown[]>)
  return items ?? []
}

for (const path of [
  'events.json?type=user.created&',
  'events.json?state=canceled&',
  'users/1/events.json?',
  'users.json?filter=never_paid&',
]) {
  test(`pages of ${path} that skip more than 1,000 rows are read in the background, earlier ones are not`, async () => {
    assert.ok((await page(path, 1_000)).length >= 10)
    assert.equal((await page(path, 1_001)).length, 0)
  })
}
