import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { pageOfCoupons, type CouponFilter } from './list-queries.ts'

let app: TestApp
const ids: string[] = []

async function create(body: object, { id, token } = app.seller.product): Promise<string> {
  const reply = await app.call('POST', `/products/${id}/coupons.json`, {
    body: { discount: 10, discount_type: 'percentage', ...body },
    token,
  })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.id
}

before(async () => {
  app = await startTestApp('coupons_list')
  for (let n = 1; n <= 60; n++) ids.push(await create({ code: `SPRING-${String(n).padStart(2, '0')}` }))
  for (const code of ['100%OFF', 'under_score', 'Straße', 'ÉTÉ', 'back\\slash']) await create({ code })
  await create({ code: 'SUM', discount: 20, discount_type: 'dollar', discounts: { gbp: 15 } })
  await create({ code: 'SPRING-OTHER' }, app.seller.other)
})
after(() => app.close())

async function list(query: string) {
  const { status, json, text } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/coupons.json${query}`,
  )
  assert.equal(status, 200, text)
  return json.coupons as { id: string; code: string; discounts?: object }[]
}
const codes = async (query: string) => (await list(query)).map(({ code }) => code)
const encoded = encodeURIComponent

test('a page holds 25 coupons unless count says otherwise, newest first', async () => {
  assert.equal((await list('')).length, 25)
  const all = [...(await list('?count=50')), ...(await list('?count=50&offset=50'))]
  const order = all.map(({ id }) => Number(id))
  assert.equal(all.length, 66)
  assert.deepEqual(
    order,
    order.toSorted((a, b) => b - a),
  )
  assert.deepEqual(await list('?offset=1000000'), [])
})

test('count and offset beyond their bounds are 400', async () => {
  for (const query of ['?count=0', '?count=51', '?offset=-1', '?count=x', '?is_enriched=perhaps']) {
    const reply = await app.call('GET', `/products/${app.seller.product.id}/coupons.json${query}`)
    assert.equal(reply.status, 400, query)
  }
})

test('code is the whole code, whatever its case or composition', async () => {
  assert.deepEqual(await codes('?code=sPring-07'), ['SPRING-07'])
  assert.deepEqual(await codes('?code=spring'), [])
  assert.deepEqual(await codes(`?code=${encoded('e\u0301te\u0301')}`), ['ÉTÉ'])
  assert.deepEqual(await codes(`?code=${encoded('Ｓｐｒｉｎｇ-08')}`), ['SPRING-08'])
  assert.deepEqual(await codes('?code=STRASSE'), [])
  assert.deepEqual(await codes(`?code=${encoded('ЅPRING-07')}`), [])
})

test('prefix is the beginning of the code, in the order of codes', async () => {
  assert.deepEqual(await codes('?prefix=spring-0&count=3'), ['SPRING-01', 'SPRING-02', 'SPRING-03'])
  assert.deepEqual(await codes('?prefix=spring-0&count=3&offset=7'), ['SPRING-08', 'SPRING-09'])
  assert.deepEqual(await codes('?prefix=pring'), [])
  assert.deepEqual(await codes(`?prefix=${encoded('stra')}`), ['Straße'])
})

test('search finds a part of the code or an ID, newest first', async () => {
  assert.deepEqual(await codes('?search=ring-1&count=2'), ['SPRING-19', 'SPRING-18'])
  const byId = await list(`?search=${ids[11]}&count=50`)
  assert.ok(byId.some(({ id }) => id === ids[11]))
  assert.ok(byId.every(({ id, code }) => id === ids[11] || code.includes(ids[11] ?? '')))
  assert.deepEqual(await codes('?search=spring&prefix=spring-6'), ['SPRING-60'])
})

test('%, _ and \\ are taken literally', async () => {
  for (const filter of ['search', 'prefix', 'code']) {
    assert.deepEqual(await codes(`?${filter}=${encoded('100%')}`), filter === 'code' ? [] : ['100%OFF'])
    assert.deepEqual(await codes(`?${filter}=${encoded('%')}`), filter === 'search' ? ['100%OFF'] : [])
    assert.deepEqual(await codes(`?${filter}=${encoded('SPRING_01')}`), [])
  }
  assert.deepEqual(await codes('?search=r_s'), ['under_score'])
  assert.deepEqual(await codes(`?search=${encoded('\\')}`), ['back\\slash'])
})

test('an empty filter is none', async () => {
  assert.deepEqual(await codes('?code=&prefix=&search=+&count=1'), ['SUM'])
})

test('enriched coupons have the amount of every currency, and a percentage none', async () => {
  const [sum, percentage] = await list('?is_enriched=true&count=2')
  assert.deepEqual(sum?.discounts, { usd: 20, eur: 20, gbp: 15 })
  assert.deepEqual(percentage?.discounts, {})
  assert.ok(!('discounts' in ((await list(''))[0] ?? {})))
})

test('is_enriched is ignored with code, prefix or search', async () => {
  for (const filter of ['code', 'prefix', 'search']) {
    const [sum] = await list(`?is_enriched=true&${filter}=sum`)
    assert.equal(sum?.code, 'SUM')
    assert.ok(!('discounts' in sum), filter)
  }
})

test("another product's coupon is in no list", async () => {
  for (const filter of ['code', 'prefix', 'search']) {
    assert.deepEqual(await codes(`?${filter}=spring-other`), [])
  }
  const { json } = await app.call('GET', `/products/${app.seller.other.id}/coupons.json`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(
    json.coupons.map(({ code }: { code: string }) => code),
    ['SPRING-OTHER'],
  )
})

test('a page is read through the indexes, without sorting what was found', async () => {
  if (app.ctx.database.engine !== 'sqlite') return
  const owner = { developerId: 1, productId: app.seller.product.id, userId: null, installId: null }
  const nothing = { code: undefined, prefix: undefined, part: undefined, id: undefined, count: 50, offset: 0 }
  const planOf = async (filter: Partial<CouponFilter>, isAlone: boolean) => {
    const query = pageOfCoupons(app.ctx.db, owner, { ...nothing, ...filter, isAlone }).compile()
    return stepsOf(app.ctx.db, query)
  }
  const expected = [
    [{}, 'coupons_of_product (product_id=?)', 'coupons_of_store (store_id=?)'],
    [
      { prefix: 'spring' },
      'coupons_of_product_by_code (product_id=? AND code_folded>? AND code_folded<?)',
      'coupons_of_store_by_code (store_id=? AND code_folded>? AND code_folded<?)',
    ],
    [
      { code: 'spring' },
      'coupons_of_product_by_code (product_id=? AND code_folded=?)',
      'coupons_of_store_by_code (store_id=? AND code_folded=?)',
    ],
  ] as const
  for (const [filter, ofProduct, ofStore] of expected) {
    const alone = await planOf(filter, true)
    assert.ok(
      alone.some((detail) => detail.endsWith(ofProduct)),
      alone.join(' | '),
    )
    const both = await planOf(filter, false)
    for (const index of [ofProduct, ofStore]) {
      assert.ok(
        both.some((detail) => detail.endsWith(index)),
        both.join(' | '),
      )
    }
    // Only the page, and the first rows of each, may be sorted.
    const sorted = (plan: readonly string[]) => plan.filter((detail) => detail.includes('TEMP B-TREE')).length
    assert.ok(sorted(alone) <= 1 && sorted(both) <= 3, [...alone, ...both].join(' | '))
  }
})
