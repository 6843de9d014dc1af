import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, eventsOf, expectOk } from '../../../test/installs.ts'
import { eventsOfLicense, licenseOf, licenseOn, offerFor } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { expire } from '../notices/expire-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let clients: Clients
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('bought_trial')
  clients = clientsOf(app)
  offer = await offerFor(app, 5, { plan: { trial_period: 14 } })
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const END = START + 14 * DAY
const trialRow = (id: string) =>
  app.ctx.db.selectFrom('trials').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
const licenseRow = (id: string) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

/** An install that tries a plan, and a license that its owner bought. */
async function trying() {
  const owner = await createOwner(app)
  const uid = newUid()
  const url = 'https://tries.example.com'
  const install = await createInstallOf(app, owner, { uid, url })
  const path = clients.path(`/installs/${install.id}/plans/${offer.planId}/trials.json`)
  const { trial } = expectOk(await app.call('POST', path)).json
  const bought = await licenseOf(app, 1, { body: { email: owner.email } })
  return { owner, install, uid, url, trial, bought }
}

/** What is true once a license was bought for an install on trial. */
async function isBought({ install, trial, bought }: Awaited<ReturnType<typeof trying>>): Promise<void> {
  const row = await clients.installRow(install.id)
  assert.deepEqual(
    [row.license_id, row.plan_id, row.trial_plan_id, row.trial_ends],
    [Number(bought.id), Number(bought.plan_id), null, null],
  )
  const { converted_at, canceled_at, notice_at } = await trialRow(trial.id)
  assert.deepEqual([converted_at, canceled_at, notice_at], [app.ctx.clock.now(), null, null])
  const { is_cancelled, activated, activated_local } = await licenseRow(trial.license_id)
  assert.deepEqual([is_cancelled, activated, activated_local], [true, 0, 0])
  assert.deepEqual(await clients.counts(bought), [1, 0])
}

test("a bought license ends the trial of the install that it is put on, and the trial's license", async () => {
  const by = {
    'activation by uid and key': ({ uid, url, bought }) =>
      clients.activate({ uid, url, license_key: bought.secret_key }),
    'update with its key': ({ install, bought }) =>
      app.call('PUT', clients.path(`/installs/${install.id}.json`), {
        body: { license_key: bought.secret_key },
      }),
    'activation on the install': ({ install, bought }) =>
      app.call('PUT', clients.path(`/installs/${install.id}/licenses/${bought.id}.json`), {
        body: { license_key: bought.secret_key },
      }),
  } satisfies Record<string, (on: Awaited<ReturnType<typeof trying>>) => ReturnType<TestApp['call']>>
  for (const [name, put] of Object.entries(by)) {
    app.ctx.clock.set(START)
    const on = await trying()
    app.ctx.clock.advance(3 * DAY)
    const { status, text } = await put(on)
    assert.equal(status, 200, `${name}: ${text}`)
    await isBought(on)
  }
})

test('a license that the seller issues on an install ends its trial', async () => {
  const on = await trying()
  const sold = await offerFor(app, 1)
  const path = `/installs/${on.install.id}/plans/${sold.planId}/pricing/${sold.pricingId}/licenses.json`
  const { json } = expectOk(await app.call('POST', clients.path(path), { body: { period: 12 } }))
  await isBought({ ...on, bought: json })
})

test('what ends by it is told once, and nothing more of the trial is', async () => {
  const on = await trying()
  const { install, trial, bought, owner } = on
  const before = (await eventsOf(app, install.id)).length
  expectOk(await clients.activate({ uid: on.uid, url: on.url, license_key: bought.secret_key }))
  const install_id = install.id
  const of = (license_id: string) => ({ license_id, install_id })
  const plans = { from: String(offer.planId), to: String(bought.plan_id) }
  assert.deepEqual((await eventsOf(app, install.id)).slice(before), [
    { type: 'license.deactivated', data: of(trial.license_id) },
    { type: 'license.activated', data: of(bought.id) },
    { type: 'install.plan.changed', data: { ...of(bought.id), ...plans } },
    { type: 'install.trial.plan.updated', data: { install_id, from: String(offer.planId), to: null } },
    {
      type: 'install.updated',
      data: { install_id, from: { trial_ends: toUtcTime(END) }, to: { trial_ends: null } },
    },
  ])
  const after = (await eventsOf(app, install.id)).length
  for (const time of [END - 2 * DAY, END, END + 2 * DAY]) {
    app.ctx.clock.set(time)
    await app.ctx.database.transaction((db) =>
      db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', 'expire').execute(),
    )
    await runDue(app.ctx, [expire])
  }
  assert.equal((await eventsOf(app, install.id)).length, after)
  const kinds = (await mailsTo(app, owner.email)).map(({ kind }) => kind)
  assert.ok(!kinds.includes('trial_expiring'))
  const types = (await eventsOfLicense(app, trial.license_id)).map(({ type }) => type)
  assert.deepEqual(
    types.filter((type) => /cancelled|expired/.test(type)),
    ['license.cancelled'],
  )
  const cancelled = await app.call('DELETE', clients.path(`/installs/${install.id}/trials.json`))
  assert.equal(cancelled.json.error.code, 'no_trial')
})

test('a license that cannot be put on the install leaves the trial as it is', async () => {
  const on = await trying()
  await clients.active(on.bought, { url: 'https://elsewhere.example.com' })
  const reply = clients.activate({ uid: on.uid, url: on.url, license_key: on.bought.secret_key })
  assert.equal(await clients.refusal(reply), '400 license_utilized')
  const row = await clients.installRow(on.install.id)
  assert.deepEqual([row.license_id, row.trial_plan_id], [Number(on.trial.license_id), offer.planId])
  const { converted_at, notice_at } = await trialRow(on.trial.id)
  assert.deepEqual([converted_at, notice_at === null], [null, false])
})

test("the trial's own license, taken off and put on again, does not end it", async () => {
  const { install, trial, uid, url } = await trying()
  const key = app.ctx.keys.open((await licenseRow(trial.license_id)).secret_key, 'licenses.secret_key')
  const body = { uid, license_key: key, install_id: install.id }
  expectOk(await app.call('POST', clients.path('/licenses/deactivate.json'), { token: null, body }))
  expectOk(await clients.activate({ uid, url, license_key: key }))
  const row = await clients.installRow(install.id)
  assert.deepEqual([row.license_id, row.trial_plan_id], [Number(trial.license_id), offer.planId])
  assert.equal((await trialRow(trial.id)).converted_at, null)
})

test('a good license that is no trial’s still stands in the way of another one', async () => {
  const owner = await createOwner(app)
  const licenses = [1, 2].map(() => licenseOn(app, offer, { body: { email: owner.email } }))
  const [first, second] = await Promise.all(licenses)
  assert.ok(first && second)
  const { uid } = await clients.active(first)
  const reply = clients.activate({ uid, license_key: second.secret_key })
  assert.equal(await clients.refusal(reply), '400 license_activated')
})
