import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { trialShop, type TrialShop } from '../../../test/trials.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('trial_on_site')
  shop = await trialShop(app)
})
after(() => app.close())

const eventsOn = async (installId: string) =>
  app.ctx.db
    .selectFrom('events')
    .select(['type', 'data', 'user_id'])
    .where('install_id', '=', Number(installId))
    .where('type', 'like', 'install.trial.%')
    .orderBy('id')
    .execute()

test('a trial of the checkout is told as begun on each site that its license is put on, once', async () => {
  const clients = clientsOf(app)
  const { license_id: licenseId, trial } = await shop.tried()
  const license = await shop.get(`/licenses/${licenseId}.json`)
  const first = await clients.active(license)
  const begun = {
    trial_id: trial.id,
    trial_plan_id: license.plan_id,
    trial_ends: trial.trial_ends_at,
    license_id: license.id,
  }
  const told = async (installId: string) =>
    (await eventsOn(installId)).map(({ type, data }) => [type, JSON.parse(String(data))])
  assert.deepEqual(await told(first.installId), [['install.trial.started', begun]])
  assert.equal((await clients.deactivate(first)).status, 200)
  await clients.active(license, { uid: first.uid })
  assert.deepEqual(await told(first.installId), [['install.trial.started', begun]])
  const second = await clients.active(license)
  assert.deepEqual(await told(second.installId), [['install.trial.started', begun]])
})

test('a trial that is bought at its end is told as a longer license, which no renewal is', async () => {
  const { license_id: licenseId } = await shop.tried()
  await advanceTo(app, shop.inDays(15))
  const { events } = await shop.get('/events.json?type=license.extended&count=50')
  const told = events.filter(({ data }: { data: { license_id: string } }) => data.license_id === licenseId)
  assert.deepEqual(
    told.map(({ data }: { data: object }) => 'is_renewal' in data),
    [false],
  )
})
