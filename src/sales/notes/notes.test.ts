import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('notes')
})
after(() => app.close())

const call = (method: Method, path: string, body?: object) =>
  app.call(method, `/products/${app.seller.product.id}/coupons${path}`, body ? { body } : {})

async function coupon(): Promise<string> {
  const body = { code: 'NOTED', discount: 20, discount_type: 'percentage' }
  return (await call('POST', '.json', body)).json.id
}
const note = (id: string, method: Method, body?: object) => call(method, `/${id}/note.json`, body)

test('a note is created with 201, read, changed and deleted with 204', async () => {
  const id = await coupon()
  const created = await note(id, 'POST', { note: 'For the spring sale.\nAsk Ada.' })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(created.json, {
    id: created.json.id,
    created: '2026-01-31 10:00:00',
    updated: null,
    scope_entity_id: app.seller.product.id,
    scope_entity_type: 'plugin',
    entity_id: Number(id),
    entity_type: 'coupon',
    note: 'For the spring sale.\nAsk Ada.',
  })
  assert.deepEqual((await note(id, 'GET')).json, created.json)
  app.ctx.clock.advance(1_000)
  const changed = await note(id, 'PUT', { note: 'Over.' })
  app.ctx.clock.advance(-1_000)
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.json, { ...created.json, note: 'Over.', updated: '2026-01-31 10:00:01' })
  assert.equal((await note(id, 'DELETE')).status, 204)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal((await note(id, method, method === 'PUT' ? { note: 'x' } : undefined)).status, 404, method)
  }
})

test('a coupon has one note: a second is 400 note_exists and leaves the first', async () => {
  const id = await coupon()
  await note(id, 'POST', { note: 'first' })
  const second = await note(id, 'POST', { note: 'second' })
  assert.deepEqual([second.status, second.json.error.code], [400, 'note_exists'])
  assert.equal((await note(id, 'GET')).json.note, 'first')
})

test('ten notes on one coupon at once: one is written', async () => {
  const id = await coupon()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => note(id, 'POST', { note: `${n}` })))
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal(replies.filter(({ status }) => status === 400).length, 9)
})

test('a body without a note is an empty one, and in a change leaves it', async () => {
  const id = await coupon()
  assert.equal((await note(id, 'POST')).json.note, '')
  await note(id, 'PUT', { note: 'kept' })
  const { json } = await note(id, 'PUT')
  assert.deepEqual([json.note, json.updated], ['kept', '2026-01-31 10:00:00'])
})

test('what is no text is 400', async () => {
  const id = await coupon()
  for (const text of [5, null, ['a'], 'x'.repeat(10_001), 'a\u0007b', 'a\u202eb']) {
    assert.equal((await note(id, 'POST', { note: text })).status, 400)
  }
  assert.equal((await note(id, 'GET')).status, 404)
})

test("another product's coupon has no note to read or write", async () => {
  const id = await coupon()
  await note(id, 'POST', { note: 'ours' })
  const { id: other, token } = app.seller.other
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    const reply = await app.call(method, `/products/${other}/coupons/${id}/note.json`, {
      token,
      ...(method !== 'GET' && { body: { note: 'theirs' } }),
    })
    assert.equal(reply.status, 404, method)
  }
  assert.equal((await note(id, 'GET')).json.note, 'ours')
})

test('a deleted coupon takes its note with it', async () => {
  const id = await coupon()
  await note(id, 'POST', { note: 'gone' })
  await call('DELETE', `/${id}.json`)
  const rows = await app.ctx.db.selectFrom('notes').selectAll().where('entity_id', '=', Number(id)).execute()
  assert.deepEqual(rows, [])
})
