import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, keysOf, newUid } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'

let app: TestApp
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('trial_once')
  offer = await offerFor(app, 5, { plan: { trial_period: 14 } })
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const start = (installId: string) =>
  app.call('POST', path(`/installs/${installId}/plans/${offer.planId}/trials.json`))
const erase = (installId: string) => app.call('DELETE', path(`/installs/${installId}.json`))
const codeOf = async (reply: ReturnType<typeof start>) => (await reply).json.error?.code

test('an install that is deleted and created again by its uid has had its trial', async () => {
  const owner = await createOwner(app)
  const uid = newUid()
  const first = await createInstallOf(app, owner, { uid })
  expectOk(await start(first.id))
  expectOk(await app.call('DELETE', path(`/installs/${first.id}/trials.json`)))
  expectOk(await erase(first.id))
  const second = await createInstallOf(app, owner, { uid })
  assert.notEqual(second.id, first.id)
  assert.equal(await codeOf(start(second.id)), 'trial_utilized')
  assert.equal(
    (await asInstall(app, keysOf(second))('POST', `/plans/${offer.planId}/trials.json`)).status,
    400,
  )
  const asked = await asUser(app, owner)('POST', `/products/${app.seller.product.id}/installs.json`, {
    uid,
    trial_plan_id: String(offer.planId),
  })
  assert.equal(asked.json.error.code, 'trial_utilized')
  assert.equal((await start((await createInstallOf(app, owner)).id)).status, 200, 'another uid')
  const other = await createInstallOf(app, await createOwner(app), { uid })
  assert.equal((await start(other.id)).status, 200, 'another user')
})

test('a uid that is deleted, created and tried again and again at once has one trial', async () => {
  for (let round = 0; round < 3; round++) {
    const owner = await createOwner(app)
    const uid = newUid()
    const again = async () => {
      const body = { uid }
      const made = await app.call('POST', path(`/users/${owner.id}/installs.json`), { body })
      const tried = await start(made.json.id)
      await app.call('DELETE', path(`/installs/${made.json.id}/trials.json`))
      await erase(made.json.id)
      return tried.status
    }
    const statuses = (await Promise.all(Array.from({ length: 8 }, again))).filter((status) => status === 200)
    const trials = await app.ctx.db.selectFrom('trials').select('id').where('uid', '=', uid).execute()
    assert.deepEqual([statuses.length, trials.length], [1, 1])
  }
})

test('an install goes to another user who has had a trial by its uid; neither tries once more', async () => {
  const [from, to] = [await createOwner(app), await createOwner(app)]
  const uid = newUid()
  const tried = await createInstallOf(app, to, { uid })
  expectOk(await start(tried.id))
  expectOk(await erase(tried.id))
  const moved = await createInstallOf(app, from, { uid })
  expectOk(await start(moved.id))
  expectOk(await app.call('PUT', path(`/installs/${moved.id}.json`), { body: { user_id: to.id } }))
  expectOk(await app.call('DELETE', path(`/installs/${moved.id}/trials.json`)))
  assert.equal(await codeOf(start(moved.id)), 'trial_utilized')
})

test('a trial is answered under its name and at the top, where clients look for its id', async () => {
  const { id } = await createInstallOf(app, await createOwner(app))
  const call = `/installs/${id}/plans/${offer.planId}/trials.json`
  const { json } = expectOk(await app.call('POST', path(call)))
  const { trial, ...top } = json
  assert.match(trial.id, /^\d+$/)
  assert.deepEqual(top, trial)
  const other = await createInstallOf(app, await createOwner(app))
  const some = await app.call('POST', path(`${call.replace(id, other.id)}?fields=id,trial_ends_at`))
  assert.deepEqual(Object.keys(some.json).toSorted(), ['id', 'trial_ends_at'])
})
