import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, type TestContext } from '../../test/app.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { listUsers } from '../people/users/queries.ts'
import type { UtcTime } from '../lib/time.ts'
import type { Writer } from './database.ts'
import { ROWS_OF_MARK } from './dialect.ts'
import { listStart } from './list-start.ts'
import type { Owner } from './scoped.ts'

const PEOPLE = 3 * ROWS_OF_MARK
const ROWS = 1_000
const created = '2026-01-31 10:00:00' as UtcTime

let ctx: TestContext
let drop: () => Promise<void>
let seller: Seller

before(async () => {
  ;({ ctx, drop } = await testContext('list_start'))
  seller = await transaction(ctx, (tx) => createSeller(tx))
  for (let first = 1; first <= PEOPLE; first += ROWS) {
    await transaction(ctx, ({ db }) => insertPeople(db, first))
  }
})
after(() => drop())

const ownerOf = (productId: number): Owner => ({
  developerId: seller.developer.id,
  productId,
  userId: null,
  installId: null,
})

async function insertPeople(db: Writer, first: number): Promise<void> {
  const people = Array.from({ length: ROWS }, (_, index) => first + index).map((id) => ({
    id,
    developer_id: seller.developer.id,
    email: `${id}@example.com`,
    email_folded: `${id}@example.com`,
    first: '',
    last: '',
    picture: '',
    ip: null,
    is_verified: false,
    password_hash: null,
    auth: 'password' as const,
    last_login_at: null,
    email_status: null,
    created,
    updated: null,
  }))
  await db.insertInto('users').values(people).execute()
}

async function link(productId: number, ids: readonly number[]): Promise<void> {
  for (let done = 0; done < ids.length; done += ROWS) {
    const rows = ids.slice(done, done + ROWS).map((id) => ({
      product_id: productId,
      user_id: id,
      public_key: `pk_${productId}_${id}`,
      secret_key: '',
      note: '',
      is_marketing_allowed: null,
      is_beta: false,
      gross: 0,
      is_paying: false,
      source: 0,
      email_folded: `${id}@example.com`,
      name_folded: '',
      created,
      updated: null,
    }))
    await transaction(ctx, ({ db }) => db.insertInto('product_users').values(rows).execute())
  }
}

const unlink = (productId: number, ids: readonly number[]) =>
  transaction(ctx, ({ db }) =>
    db.deleteFrom('product_users').where('product_id', '=', productId).where('user_id', 'in', ids).execute(),
  )

/** Every page that begins at one of these offsets is what a walk over all ids says. */
async function assertPages(productId: number, ids: readonly number[]): Promise<void> {
  const newestFirst = ids.toSorted((a, b) => b - a)
  const middle = ROWS_OF_MARK + 7
  for (const offset of [
    0,
    1,
    ROWS_OF_MARK - 1,
    ROWS_OF_MARK,
    middle,
    ids.length - 3,
    ids.length,
    ids.length + 9,
  ]) {
    const rows = await listUsers(ctx.db, ownerOf(productId), { filter: 'all', count: 5, offset })
    assert.deepEqual(
      rows.map(({ id }) => id),
      newestFirst.slice(offset, offset + 5),
      `offset ${offset}`,
    )
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

test('a page deep in a list is where a walk over all rows ends, whatever was added and removed before', async () => {
  const { id } = seller.product
  const late = (n: number) => n % 5 === 0 || n <= 40
  await link(
    id,
    upTo(PEOPLE).filter((n) => !late(n)),
  )
  await link(id, upTo(PEOPLE).filter(late).toReversed())
  await assertPages(id, upTo(PEOPLE))
  const gone = upTo(PEOPLE).filter((n) => n > PEOPLE - ROWS_OF_MARK && n % 7 === 0)
  await unlink(id, gone)
  await assertPages(
    id,
    upTo(PEOPLE).filter((n) => !gone.includes(n)),
  )
})

test("another product's rows are not passed over", async () => {
  await link(seller.other.id, upTo(ROWS_OF_MARK + 500))
  await assertPages(seller.other.id, upTo(ROWS_OF_MARK + 500))
})

test('on SQLite the rows of one mark at most are left to skip, on PostgreSQL, which keeps no marks, all', async () => {
  const hasMarks = ctx.database.engine === 'sqlite'
  const owner = ownerOf(seller.other.id)
  const { offset } = await listStart(ctx.db, 'product_users', owner, { offset: ROWS_OF_MARK + 100 })
  assert.equal(offset < ROWS_OF_MARK, hasMarks, String(offset))
  const marks = ctx.db.selectFrom('list_marks').select('row_count').where('list', '=', 'product_users')
  const rows = await marks.where('product_id', '=', owner.productId).orderBy('from_id').execute()
  assert.deepEqual(
    rows.map(({ row_count }) => row_count),
    hasMarks ? [ROWS_OF_MARK, 500] : [],
  )
})

test('who sees one user only is not led by the marks of all', async () => {
  const owner = { ...ownerOf(seller.other.id), userId: 3 }
  assert.deepEqual(await listUsers(ctx.db, owner, { filter: 'all', count: 5, offset: ROWS_OF_MARK }), [])
  assert.deepEqual(await listStart(ctx.db, 'product_users', owner, { offset: ROWS_OF_MARK }), {
    upTo: Number.MAX_SAFE_INTEGER,
    offset: ROWS_OF_MARK,
  })
})
