import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signatureOf } from '../../lib/signature.ts'
import { toRfc2822 } from '../../lib/time.ts'
import { startTestApp, type CallOptions, type Method, type TestApp } from '../../../test/app.ts'
import { multipart, png } from '../../../test/pictures.ts'
import { sell } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('reviews')
})
after(() => app.close())

const call = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.product.id}${path}`, options)
const given = { rate: 80, title: 'Good', text: 'It works.\nReally.', name: 'Rae Viewer' }

async function create(more: object = {}) {
  const { status, json, text } = await call('POST', '/reviews.json', { body: { ...given, ...more } })
  assert.equal(status, 200, text)
  return json as Record<string, unknown> & { id: string; picture: string }
}

const asPublic = (path: string) => {
  const { id, publicKey } = app.seller.product
  const date = toRfc2822(app.ctx.clock.real())
  const signed = `/v1/products/${id}${path.split('?')[0]}`
  const parts = { method: 'GET', contentMd5: '', contentType: '', date, path: signed }
  const authorization = `FSP ${id}:${publicKey}:${signatureOf(publicKey, parts)}`
  return call('GET', path, { token: null, headers: { authorization, date } })
}
const version = async () => {
  const row = await app.ctx.db
    .selectFrom('products')
    .select('catalogue_version')
    .where('id', '=', app.seller.product.id)
    .executeTakeFirst()
  return row?.catalogue_version ?? 0
}

test('a review that was written down can be read back, every field present', async () => {
  const review = await create({ company: 'Acme', is_featured: true })
  const { id: _id, ...rest } = review
  assert.deepEqual(rest, {
    ...given,
    created: '2026-01-31 10:00:00',
    updated: null,
    plugin_id: String(app.seller.product.id),
    external_id: '',
    user_id: null,
    license_id: null,
    job_title: '',
    company: 'Acme',
    company_url: '',
    profile_url: '',
    picture: '',
    is_verified: true,
    is_featured: true,
    is_active: true,
  })
  assert.deepEqual((await call('GET', `/reviews/${review.id}.json`)).json, review)
})

test('what is missing is 402, what is malformed 400, and nothing is stored', async () => {
  const before = (await call('GET', '/reviews.json')).json.reviews.length
  const missing = await call('POST', '/reviews.json', { body: {} })
  const fields = ({ json }: typeof missing) => json.error.details.map(({ field }: { field: string }) => field)
  assert.deepEqual([missing.status, fields(missing)], [402, ['rate', 'text', 'name']])
  const body = { ...given, rate: 101, company_url: 'javascript:alert(1)', title: 'a\u0000b\u202e' }
  const malformed = await call('POST', '/reviews.json', { body: { ...body, title: 'a\u202eb' } })
  assert.deepEqual([malformed.status, fields(malformed).toSorted()], [400, ['company_url', 'rate', 'title']])
  assert.equal((await call('GET', '/reviews.json')).json.reviews.length, before)
})

test('the score of a review that a user wrote cannot be changed, the rest can', async () => {
  const { id } = await create()
  await app.write(({ db }) =>
    db.updateTable('reviews').set({ user_id: 7 }).where('id', '=', Number(id)).execute(),
  )
  const refused = await call('PUT', `/reviews/${id}.json`, { body: { rate: 1 } })
  assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'rate'])
  const { status, json } = await call('PUT', `/reviews/${id}.json`, { body: { rate: 80, title: 'Better' } })
  assert.deepEqual([status, json.title, json.rate], [200, 'Better', 80])
})

test('an update that changes nothing records nothing', async () => {
  const review = await create()
  const same = await call('PUT', `/reviews/${review.id}.json`, { body: { title: 'Good' } })
  assert.deepEqual(same.json, review)
  const { json } = await call('GET', '/events.json?type=review.updated')
  const told = json.events.filter(({ data }: { data: { review_id: string } }) => data.review_id === review.id)
  assert.deepEqual(told, [])
})

test('an update tells what it changed, from and to', async () => {
  const { id } = await create()
  await call('PUT', `/reviews/${id}.json`, { body: { title: 'Good', rate: 90, is_active: false } })
  const { json } = await call('GET', '/events.json?type=review.updated')
  const told = json.events.find(({ data }: { data: { review_id: string } }) => data.review_id === id)
  const changed = { from: { rate: 80, is_active: true }, to: { rate: 90, is_active: false } }
  assert.deepEqual(told.data, { review_id: id, ...changed })
})

test('a featured review that the seller wrote down stands in pricing.json; one it hides or does not feature does not', async () => {
  const { id } = await create({ is_featured: true, title: 'On the price page' })
  const others = [await create(), await create({ is_featured: true, is_active: false })]
  const { reviews } = (await asPublic('/pricing.json')).json
  const shown = reviews.map((review: { id: string }) => review.id)
  assert.ok(shown.includes(id))
  assert.ok(!others.some((other) => shown.includes(other.id)))
})

test('with the public key alone only shown reviews are seen, featured ones first', async () => {
  const hidden = await create({ is_active: false })
  const plain = await create({ title: 'plain' })
  const ids = (await asPublic('/reviews.json')).json.reviews.map(({ id }: { id: string }) => id) as string[]
  assert.ok(!ids.includes(hidden.id) && ids.includes(plain.id))
  const featured = (await asPublic('/reviews.json')).json.reviews.map(
    (review: { is_featured: boolean }) => review.is_featured,
  )
  assert.deepEqual(featured, featured.toSorted().toReversed())
  assert.equal((await asPublic(`/reviews/${plain.id}.json`)).status, 401)
})

test('the summary counts shown reviews by score, the count as text', async () => {
  await create({ rate: 33 })
  await create({ rate: 33 })
  await create({ rate: 33, is_active: false })
  const { json } = await asPublic('/reviews/summary.json')
  assert.deepEqual(
    json.reviews.find(({ rate }: { rate: number }) => rate === 33),
    { rate: 33, count: '2' },
  )
  await app.write(({ db }) =>
    db.updateTable('reviews').set({ is_verified: false }).where('rate', '=', 33).execute(),
  )
  const verified = (await call('GET', '/reviews/summary.json?type=verified')).json.reviews
  assert.ok(verified.length > 0 && verified.every(({ rate }: { rate: number }) => rate !== 33))
})

test('a portrait comes as a part of the body, in every style of line end', async () => {
  for (const lineEnd of ['\n', '\r\n']) {
    const { body, headers } = multipart(given, { picture: png(300, 200) }, lineEnd)
    const { status, json, text } = await call('POST', '/reviews.json', { body, headers })
    assert.equal(status, 200, text)
    const path = json.picture.replace('http://keywright.test', '')
    const picture = await fetch(app.address + path)
    assert.equal(picture.headers.get('content-type'), 'image/png')
    assert.ok(Buffer.from(await picture.arrayBuffer()).equals(png(300, 200)))
  }
})

test('a portrait must be a picture by its content, at most 300 by 300 pixels and 200 KB', async () => {
  const wrong = [
    png(301, 1),
    Buffer.from('<svg onload="alert(1)"/>'),
    Buffer.concat([png(9, 9), Buffer.alloc(205_000)]),
  ]
  for (const bytes of wrong) {
    const { body, headers } = multipart(given, { picture: bytes })
    const { status, json } = await call('POST', '/reviews.json', { body, headers })
    assert.deepEqual([status, json.error.details[0].field], [400, 'picture'])
  }
})

test('multipart is authenticated before it is read', async () => {
  const { headers } = multipart(given, {})
  let sent = 0
  const body = new ReadableStream({
    async pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
      if (sent > 50 * 1024 * 1024) controller.close()
    },
  })
  const response = await fetch(`${app.address}/v1/products/${app.seller.product.id}/reviews.json`, {
    method: 'POST',
    headers: { ...headers, authorization: 'Bearer wrong' },
    body,
    duplex: 'half',
  } as RequestInit).catch(() => null)
  if (response) assert.equal(response.status, 401)
  assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes were taken`)
})

test('a signed POST with method=PUT is a PUT when it is multipart, and only then', async () => {
  const { id } = await create()
  const { developer, product } = app.seller
  const path = `/v1/developers/${developer.id}/plugins/${product.id}/reviews/${id}.json`
  const { body, headers } = multipart({ title: 'By PUT' }, {})
  const send = async (type: string, content: Buffer | string) => {
    const date = toRfc2822(app.ctx.clock.real())
    const parts = { method: 'PUT', contentMd5: '', contentType: type, date, path }
    const authorization = `FS ${developer.id}:${developer.publicKey}:${signatureOf(developer.secretKey, parts)}`
    return fetch(`${app.address}${path}?method=PUT`, {
      method: 'POST',
      headers: { 'content-type': type, date, authorization },
      body: content as string,
    })
  }
  assert.equal((await send(headers['content-type'], body)).status, 200)
  assert.equal((await call('GET', `/reviews/${id}.json`)).json.title, 'By PUT')
  assert.equal((await send('application/json', '{}')).status, 405)
})

test('a deleted review is gone; of five deletions at once one deletes', async () => {
  const { id } = await create()
  const replies = await Promise.all(Array.from({ length: 5 }, () => call('DELETE', `/reviews/${id}.json`)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, 404, 404, 404, 404])
  const { json } = await call('GET', '/events.json?type=review.deleted')
  assert.equal(json.events.length, 1)
})

test('every write that changes something raises the version of the catalogue', async () => {
  const start = await version()
  const { id } = await create()
  await call('PUT', `/reviews/${id}.json`, { body: { title: 'Other' } })
  await call('PUT', `/reviews/${id}.json`, { body: { title: 'Other' } })
  await call('DELETE', `/reviews/${id}.json`)
  assert.equal(await version(), start + 3)
})

test("another product's review is not found", async () => {
  const { id } = await create()
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const options = { token: app.seller.other.token, ...(method === 'PUT' && { body: { title: 'x' } }) }
    const { status } = await app.call(method, `/products/${app.seller.other.id}/reviews/${id}.json`, options)
    assert.equal(status, 404)
  }
})

test('the seller says whether a review is verified and what it was called elsewhere; the summary heeds it', async () => {
  const summary = async (type: string) =>
    (await call('GET', `/reviews/summary.json?type=${type}`)).json.reviews as {
      rate: number
      count: string
    }[]
  const review = await create({ rate: 3, is_verified: false, external_id: 'shop-17' })
  assert.deepEqual([review['is_verified'], review['external_id']], [false, 'shop-17'])
  const scores = async (type: string) => (await summary(type)).filter(({ rate }) => rate === 3)
  assert.deepEqual([await scores('all'), await scores('verified')], [[{ rate: 3, count: '1' }], []])
  const path = `/reviews/${review.id}.json`
  const { json } = await call('PUT', path, { body: { is_verified: true, external_id: 'shop-18' } })
  assert.deepEqual([json.is_verified, json.external_id], [true, 'shop-18'])
  assert.deepEqual(await scores('verified'), [{ rate: 3, count: '1' }])
})

test('strangers read a review without its user and license, the seller with them', async () => {
  const { license, owner } = await sell(app)
  const { id } = await create()
  const by = { user_id: owner.id, license_id: Number(license.id) }
  await app.write(({ db }) => db.updateTable('reviews').set(by).where('id', '=', Number(id)).execute())
  const told = ({ json }: { json: { reviews: { id: string; user_id: string; license_id: string }[] } }) =>
    json.reviews.filter((one) => one.id === id).map((one) => [one.user_id, one.license_id])
  assert.deepEqual(told(await asPublic('/reviews.json')), [[null, null]])
  assert.deepEqual(told(await call('GET', '/reviews.json')), [[String(owner.id), license.id]])
})

test('the seller lists what is shown, hidden or featured; a public key alone is shown the same whatever it asks for', async () => {
  const hidden = await create({ is_active: false })
  const featured = await create({ is_featured: true })
  const plain = await create()
  const listed = async (filter: string, list = call('GET', `/reviews.json?filter=${filter}`)) =>
    (await list).json.reviews.map(({ id }: { id: string }) => id) as string[]
  assert.deepEqual((await listed('shown')).slice(0, 2), [plain.id, featured.id])
  assert.equal((await listed('hidden'))[0], hidden.id)
  assert.ok(!(await listed('hidden')).includes(plain.id))
  assert.equal((await listed('featured'))[0], featured.id)
  assert.ok(!(await listed('featured')).includes(plain.id))
  assert.equal((await call('GET', '/reviews.json?filter=new')).status, 400)
  for (const filter of ['hidden', 'featured'])
    assert.ok((await listed(filter, asPublic(`/reviews.json?filter=${filter}`))).includes(plain.id))
})

test('the seller lists what one user has written, or what was under one license; a public key learns nothing by it', async () => {
  const [ada, bea] = [await sell(app), await sell(app)]
  const written: Record<string, string>[] = []
  for (const { owner, license } of [ada, bea]) {
    const { id } = await create()
    const by = { user_id: owner.id, license_id: Number(license.id) }
    await app.write(({ db }) => db.updateTable('reviews').set(by).where('id', '=', Number(id)).execute())
    written.push({ id, user_id: String(owner.id), license_id: license.id })
  }
  const listed = async (query: string, list = call('GET', `/reviews.json?${query}`)) =>
    (await list).json.reviews.map(({ id }: { id: string }) => id) as string[]
  for (const { id, user_id, license_id } of written) {
    for (const query of [`user_id=${user_id}`, `license_id=${license_id}`]) {
      assert.deepEqual(await listed(query), [id], query)
      assert.deepEqual(await listed(`${query}&filter=shown`), [id], query)
      assert.deepEqual(await listed(`${query}&filter=hidden`), [], query)
      assert.deepEqual(
        await listed('', asPublic(`/reviews.json?${query}`)),
        await listed('', asPublic('/reviews.json')),
      )
    }
  }
  assert.deepEqual(await listed(`user_id=${ada.owner.id}&license_id=${bea.license.id}`), [])
})
