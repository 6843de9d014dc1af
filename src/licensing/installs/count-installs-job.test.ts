import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { MINUTE } from '../../lib/time.ts'
import { countInstalls } from './count-installs-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('count_installs')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

async function counts() {
  const { json } = await app.call('GET', path('.json'))
  const table = await app.call('GET', path('/pricing.json'))
  return [json.installs_count, json.active_installs_count, table.json.active_installs]
}

test('a product says how many installs it has and how many are in use, and is not updated by that', async () => {
  const owner = await createOwner(app)
  const installs = await Promise.all([1, 2, 3, 4].map(() => createInstallOf(app, owner)))
  const [quiet, gone] = installs.map(({ id }) => path(`/installs/${id}.json`))
  await app.call('PUT', quiet ?? '', { body: { is_active: false } })
  await app.call('PUT', gone ?? '', { body: { is_uninstalled: true, reason_id: '1' } })
  await runDue(app.ctx, [countInstalls])
  app.ctx.clock.advance(5 * MINUTE)
  await runDue(app.ctx, [countInstalls])
  assert.deepEqual(await counts(), [3, 2, 2])
  assert.equal((await app.call('GET', path('.json'))).json.updated, null)

  await app.call('PUT', quiet ?? '', { body: { is_active: true } })
  app.ctx.clock.advance(5 * MINUTE)
  await runDue(app.ctx, [countInstalls])
  assert.deepEqual(await counts(), [3, 3, 3])
})
