import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { countInstalls } from '../../licensing/installs/count-installs-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('status')
})
after(() => app.close())

const write = (data: object, token = app.seller.product.token, id = app.seller.product.id) =>
  app.call('PUT', `/products/${id}/settings.json`, {
    token,
    body: { setting_type: 5, data: JSON.stringify(data) },
  })

const limit = async (updated_sites_limit: unknown) => {
  const { status, text } = await write({ updated_sites_limit })
  assert.equal(status, 200, text)
}

/** What a client is told: whether a new site may begin, and one that used the product before, in both ways. */
async function told(product = app.seller.product) {
  const open = asPublic(app, product)
  const active = async (query: string) => (await open('GET', `/is_active.json${query}`)).json.is_active
  const pong = (await open('GET', '/ping.json?is_update=true')).json.is_active
  const both = [await active('?is_update=true'), pong]
  assert.equal(await active(''), await active('?is_update=false'))
  return [await active(''), ...both]
}

const count = () => {
  app.ctx.clock.advance(DAY)
  return runDue(app.ctx, [countInstalls])
}

test('is_update: sites that used the product before begin up to a limit of installs, new ones always', async () => {
  assert.deepEqual(await told(), [true, true, true])
  await limit(0)
  assert.deepEqual(await told(), [true, false, false], '0: new sites alone')
  assert.deepEqual(await told(app.seller.other), [true, true, true])
  await limit(2)
  assert.deepEqual(await told(), [true, true, true])
  const owner = await createOwner(app)
  await createInstallOf(app, owner)
  await createInstallOf(app, await createOwner(app, undefined, app.seller.other), {}, app.seller.other)
  await count()
  assert.deepEqual(await told(), [true, true, true], 'one of two')
  await createInstallOf(app, owner)
  await count()
  assert.deepEqual(await told(), [true, false, false], 'two of two')
  await limit(null)
  assert.deepEqual(await told(), [true, true, true])
})

test('an archived product is active for nobody, and a limit is null or a whole number from 0', async () => {
  await write({ is_active: false, updated_sites_limit: 100 })
  assert.deepEqual(await told(), [false, false, false])
  await write({ is_active: true })
  for (const bad of [-1, 1.5, 'x', true]) {
    const { status, json } = await write({ updated_sites_limit: bad })
    assert.deepEqual([status, json.error.details[0].field], [400, 'data.updated_sites_limit'])
  }
  const { settings } = (await app.call('GET', `/products/${app.seller.product.id}/settings.json`)).json
  const { id, data } = settings.find((one: { setting_type: number }) => one.setting_type === 5)
  assert.equal(JSON.parse(data).updated_sites_limit, 100)
  await app.call('DELETE', `/products/${app.seller.product.id}/settings/${id}.json`)
  await limit(0)
  assert.deepEqual(await told(), [true, false, false])
})
