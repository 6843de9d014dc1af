import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, eventsOf, expectOk } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('trials_sandbox')
})
after(() => app.close())

test('how long a trial of the sandbox has run is told by the clock of the sandbox', async () => {
  const offer = await offerFor(app, 5, { plan: { trial_period: 14 } })
  const { id } = await createInstallOf(app, await createOwner(app))
  await app.ctx.database.transaction((db) =>
    db.updateTable('installs').set({ environment: 1 }).where('id', '=', Number(id)).execute(),
  )
  const path = `/products/${app.seller.product.id}/installs/${id}`
  app.ctx.clock.setSandboxAhead(100 * DAY)
  const started = expectOk(await app.call('POST', `${path}/plans/${offer.planId}/trials.json`, { body: {} }))
  assert.equal(started.json.trial.environment, 1)
  app.ctx.clock.setSandboxAhead(104 * DAY)
  expectOk(await app.call('DELETE', `${path}/trials.json`))
  const cancelled = (await eventsOf(app, id)).find(({ type }) => type === 'install.trial.cancelled')
  assert.equal(cancelled?.data['days_after'], 4)
})
