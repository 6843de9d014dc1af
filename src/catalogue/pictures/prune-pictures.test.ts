import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { multipart, png } from '../../../test/pictures.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('prune_pictures')
})
after(() => app.close())

const product = () => `/products/${app.seller.product.id}`
const setIcon = async (width: number): Promise<string> => {
  const { status, json, text } = await app.call(
    'PUT',
    `${product()}.json`,
    multipart(null, { icon: png(width, 9) }),
  )
  assert.equal(status, 200, text)
  return json.icon
}
async function review(width: number): Promise<{ id: string; picture: string }> {
  const given = { rate: 80, text: 'It works.', name: 'Rae Viewer' }
  const body = multipart(given, { picture: png(width, 9) })
  const { status, json, text } = await app.call('POST', `${product()}/reviews.json`, body)
  assert.equal(status, 200, text)
  return json
}
const statusOf = async (url: string) => (await fetch(app.address + url.slice(app.ctx.baseUrl.length))).status

async function later(ms: number): Promise<void> {
  app.ctx.clock.advance(ms)
  await runDue(app.ctx, [prune])
}

test('a picture that nothing shows any more is removed a day after it was uploaded; what is shown stays', async () => {
  const replaced = await setIcon(10)
  const icon = await setIcon(20)
  const kept = await review(30)
  const gone = await review(40)
  await app.call('DELETE', `${product()}/reviews/${gone.id}.json`)
  const all = () => Promise.all([replaced, gone.picture, icon, kept.picture].map(statusOf))
  await later(DAY - HOUR)
  assert.deepEqual(await all(), [200, 200, 200, 200])
  await later(HOUR + 1000)
  assert.deepEqual(await all(), [404, 404, 200, 200])
  assert.equal((await app.call('GET', `${product()}.json`)).json.icon, icon)
})

test('a picture that is uploaded again counts from then on', async () => {
  const first = await setIcon(50)
  await setIcon(60)
  app.ctx.clock.advance(DAY)
  assert.equal(await setIcon(50), first)
  await setIcon(60)
  await later(DAY - HOUR)
  assert.equal(await statusOf(first), 200)
  await later(HOUR + 1000)
  assert.equal(await statusOf(first), 404)
})

test('the same picture in two products is kept where it is shown', async () => {
  const icon = await setIcon(70)
  const { id, token } = app.seller.other
  const there = await app.call('PUT', `/products/${id}.json`, {
    ...multipart(null, { icon: png(70, 9) }),
    token,
  })
  await setIcon(80)
  await later(DAY + HOUR)
  assert.deepEqual([await statusOf(icon), await statusOf(there.json.icon)], [404, 200])
})
