import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoContext } from '../../../test/demo.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { decode, Problems } from '../../http/decode.ts'
import { LIST_FILTERS } from '../../../test/list-filters.ts'
import { columnsOf, EXPORT_KINDS, listOf } from './kinds.ts'
import { readWhole } from './read-whole.ts'

let opened: Awaited<ReturnType<typeof demoContext>>
let scope: Scope
let productId: number
before(async () => {
  opened = await demoContext('exports_of_demo')
  const { db } = opened.ctx
  const most = await db
    .selectFrom('payments')
    .innerJoin('products', 'products.id', 'payments.product_id')
    .select(['product_id', 'developer_id'])
    .groupBy(['product_id', 'developer_id'])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .executeTakeFirstOrThrow()
  productId = most.product_id
  scope = systemScope({ developerId: most.developer_id, productId: 0 })
})
after(() => opened.drop())

const PAGE = 50
/** Pages of it are compared, and as many rows. */
const MOST = 150

interface Listing {
  readonly [name: string]: readonly { readonly id: string }[]
}

for (const kind of EXPORT_KINDS) {
  for (const filter of LIST_FILTERS[kind]) {
    test(`an export of ${kind} narrowed by ${JSON.stringify(filter)} has what the pages of its list have`, async () => {
      const { ctx } = opened
      const list = listOf(ctx, kind, true)
      const query = decode(list.op.query ?? assert.fail(), filter, 'text', new Problems())
      const paged: string[] = []
      for (let offset = 0; offset < MOST; offset += PAGE) {
        const place = { ...scope, productId: list.isOfProducts ? productId : 0 }
        const before = kind === 'audit' ? { before: Number(paged.at(-1) ?? Number.MAX_SAFE_INTEGER) } : {}
        const request = { scope: place, query: { ...query, ...list.more, count: PAGE, offset, ...before } }
        const reply = (await list.op.handle(ctx as never, request as never, undefined as never)) as Listing
        paged.push(...(reply[list.op.items ?? ''] ?? []).map(({ id }) => id))
      }
      const whole: string[] = []
      const names = columnsOf(list, scope).map(({ name }) => name)
      const wanted = { scope, query: query as never, productIds: [productId], batch: 7 }
      for await (const { items } of readWhole(ctx, list, wanted)) {
        for (const item of items) {
          const strange = Object.keys(item).filter((name) => !names.includes(name))
          assert.deepEqual(strange, [], 'a field that is no column')
          whole.push(String(item['id']))
        }
        if (whole.length >= MOST + 7) break
      }
      // By code is an order, not a filter.
      const inOrder = (ids: string[]) => ids.toSorted((a, b) => Number(b) - Number(a))
      assert.deepEqual(inOrder(whole).slice(0, MOST), inOrder(paged).slice(0, MOST))
      assert.equal(new Set(whole).size, whole.length)
    })
  }
}
