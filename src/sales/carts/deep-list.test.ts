import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { ROWS_OF_MARK } from '../../db/dialect.ts'

const ALL = ROWS_OF_MARK + 500

let app: TestApp
let carts: number[]
before(async () => {
  app = await startTestApp('carts_deep')
  const { id: _id, ...row } = await visit(app)
  const firing = {
    product_id: row.product_id,
    at: row.visited,
    what: 'mailed',
    type: 'cart.abandoned',
    data: '{}',
  } as const
  for (let done = 0; done < ALL; done += 250) {
    await app.write(async ({ db }) => {
      await db.insertInto('carts').values(Array(250).fill(row)).execute()
      await db.insertInto('sandbox_timeline').values(Array(250).fill(firing)).execute()
    })
  }
  carts = await idsOf('carts')
})
after(() => app.close())

async function idsOf(table: 'carts' | 'sandbox_timeline'): Promise<number[]> {
  const rows = await app.ctx.db.selectFrom(table).select('id').orderBy('id', 'desc').execute()
  return rows.map(({ id }) => id)
}

const OFFSETS = [0, 490, ROWS_OF_MARK - 1, ROWS_OF_MARK, ROWS_OF_MARK + 7, ALL - 2, ALL + 1]

async function assertPages(path: string, ids: readonly number[]): Promise<void> {
  const list = path.split('/').at(-1) ?? ''
  for (const offset of OFFSETS) {
    const address = `/products/${app.seller.product.id}/${path}.json?count=5&offset=${offset}&fields=id`
    const { json } = await app.call('GET', address)
    const found = json[list].map(({ id }: { id: string }) => Number(id))
    assert.deepEqual(found, ids.slice(offset, offset + 5), `offset ${offset}`)
  }
}

test('a page deep in the carts of a product is where a walk over all ends, also after some were deleted', async () => {
  await assertPages('carts', carts)
  const gone = carts.filter((_, index) => index % 400 === 3)
  for (const id of gone) {
    await app.call('DELETE', `/products/${app.seller.product.id}/carts/${id}.json`)
  }
  await assertPages(
    'carts',
    carts.filter((id) => !gone.includes(id)),
  )
})

test('a page deep in the live carts of a product is where a walk over these ends', async () => {
  const left = await idsOf('carts')
  const ofSandbox = new Set(left.slice(0, 100))
  await app.write(({ db }) =>
    db
      .updateTable('carts')
      .set({ environment: 1 })
      .where('id', '>=', left[99] ?? 0)
      .execute(),
  )
  const live = left.filter((id) => !ofSandbox.has(id))
  const offset = live.length - 3
  const address = `/products/${app.seller.product.id}/carts.json?environment=0&count=5&offset=${offset}`
  const { json } = await app.call('GET', address)
  assert.deepEqual(
    json.carts.map(({ id }: { id: string }) => Number(id)),
    live.slice(offset),
  )
})

test('a page deep in the timeline of a sandbox is where a walk over all ends', async () => {
  await assertPages('sandbox/timeline', await idsOf('sandbox_timeline'))
})
