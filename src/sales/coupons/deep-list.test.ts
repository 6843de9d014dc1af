import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asStore } from '../../../test/callers.ts'
import { systemScope } from '../../access/scope.ts'
import { ROWS_OF_MARK } from '../../db/dialect.ts'
import { listStart } from '../../db/list-start.ts'
import { newValues } from './values.ts'

const ALL = ROWS_OF_MARK + 500

let app: TestApp
let ids: number[]
before(async () => {
  app = await startTestApp('coupons_deep')
  const created = app.ctx.clock.now()
  const row = {
    ...newValues({ code: 'MANY', discount: 10, discount_type: 'percentage' }, created),
    product_id: app.seller.product.id,
    store_id: null,
    created,
    updated: null,
  }
  for (let done = 0; done < ALL; done += 500) {
    const rows = Array.from({ length: 500 }, () => row)
    await app.write(({ db }) => db.insertInto('coupons').values(rows).execute())
  }
  const found = await app.ctx.db.selectFrom('coupons').select('id').orderBy('id', 'desc').execute()
  ids = found.map(({ id }) => id)
})
after(() => app.close())

const path = () => `/products/${app.seller.product.id}/coupons`

async function assertPages(): Promise<void> {
  for (const offset of [
    0,
    490,
    ROWS_OF_MARK - 1,
    ROWS_OF_MARK,
    ROWS_OF_MARK + 7,
    ids.length - 2,
    ids.length,
  ]) {
    const { json } = await app.call('GET', `${path()}.json?count=5&offset=${offset}&fields=id`)
    assert.deepEqual(
      json.coupons.map(({ id }: { id: string }) => Number(id)),
      ids.slice(offset, offset + 5),
      `offset ${offset}`,
    )
  }
}

test('a page deep in the coupons of a product is where a walk over all ends, also after some were deleted', async () => {
  await assertPages()
  const gone = ids.filter((_, index) => index % 400 === 3)
  for (const id of gone) {
    assert.equal((await app.call('DELETE', `${path()}/${id}.json`)).status, 204)
    assert.equal((await app.call('DELETE', `${path()}/${id}.json`)).status, 404)
  }
  ids = ids.filter((id) => !gone.includes(id))
  await assertPages()
})

test('on SQLite the coupons of one mark at most are left to skip, on PostgreSQL, which keeps no marks, all', async () => {
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const { offset } = await listStart(app.ctx.db, 'coupons', scope, { offset: ROWS_OF_MARK + 100 })
  assert.equal(offset < ROWS_OF_MARK, app.ctx.database.engine === 'sqlite', String(offset))
})

test('beside coupons of the store, the pages are those of both', async () => {
  const coupon = { code: 'STORE', discount: 5, discount_type: 'percentage' }
  const { status, json } = await asStore(app)('POST', '/coupons.json', coupon)
  assert.equal(status, 201)
  ids = [Number(json.id), ...ids]
  await assertPages()
})
