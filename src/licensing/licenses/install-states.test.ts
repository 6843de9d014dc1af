import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, eventsOf, expectOk } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { logIn, setPassword } from '../../../test/logins.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('install_states')
  clients = clientsOf(app)
})
after(() => app.close())

const path = (id: string, rest = '.json') => clients.path(`/installs/${id}${rest}`)

/** An install on a license of its owner, and what is told of it from then on. */
async function licensed() {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 3, { body: { email: owner.email } })
  const uid = newUid()
  const install = await createInstallOf(app, owner, { uid, license_key: license.secret_key })
  const before = (await eventsOf(app, install.id)).length
  const told = async () => (await eventsOf(app, install.id)).slice(before)
  const ids = { license_id: license.id, install_id: install.id }
  return { owner, license, install, uid, told, ids }
}

test('a license that wakes an install up tells what it changes of it', async () => {
  const { license, install, told, ids } = await licensed()
  const gone = { is_active: false, is_uninstalled: true, reason_id: '5' }
  expectOk(await app.call('PUT', path(install.id), { body: gone }))
  expectOk(
    await app.call(
      'DELETE',
      path(install.id, `/licenses/${license.id}.json?license_key=${license.secret_key}`),
    ),
  )
  assert.equal((await app.call('GET', path(install.id, '/uninstall.json'))).status, 200)
  const before = (await told()).length
  const body = { license_key: license.secret_key }
  const put = await app.call('PUT', path(install.id, `/licenses/${license.id}.json`), { body })
  assert.equal(put.status, 200, put.text)
  const { json } = await app.call('GET', path(install.id))
  assert.deepEqual([json.is_active, json.is_uninstalled], [true, false])
  const { install_id } = ids
  assert.deepEqual((await told()).slice(before), [
    { type: 'license.activated', data: ids },
    { type: 'install.plan.changed', data: { ...ids, from: null, to: license.plan_id } },
    { type: 'install.activated', data: { install_id, from: false, to: true } },
    {
      type: 'install.updated',
      data: { install_id, from: { is_uninstalled: true }, to: { is_uninstalled: false } },
    },
  ])
  assert.equal((await app.call('GET', path(install.id, '/uninstall.json'))).status, 404)
})

test('a signed-in seller frees a machine without the key, and one with a token of the product by the key', async () => {
  const { license, install, told, ids } = await licensed()
  const at = `/installs/${install.id}/licenses/${license.id}.json`
  const byToken = await app.call('DELETE', clients.path(at))
  assert.deepEqual([byToken.status, byToken.json.error.details[0].field], [402, 'license_key'])
  await setPassword(app)
  const owner = await logIn(app)
  const free = (path: string) => owner.call('DELETE', `/products/${app.seller.product.id}${path}`)
  assert.equal((await free(`${at}?license_key=sk_wrong`)).status, 404)
  const other = await licensed()
  assert.equal((await free(`/installs/${install.id}/licenses/${other.license.id}.json`)).status, 404)
  const freed = await free(at)
  assert.deepEqual([freed.status, freed.json.activated], [200, 0], freed.text)
  assert.deepEqual((await told())[0], { type: 'license.deactivated', data: ids })
  assert.equal((await free(at)).status, 404)
})

test('an install that loses its license tells its change of plan, whoever takes it', async () => {
  const ways = {
    'the key': ({ uid, license, install }) =>
      app.call('POST', clients.path('/licenses/deactivate.json'), {
        token: null,
        body: { uid, license_key: license.secret_key, install_id: install.id },
      }),
    'the seller': ({ license, install }) =>
      app.call('DELETE', path(install.id, `/licenses/${license.id}.json?license_key=${license.secret_key}`)),
    'a deactivation everywhere': ({ license }) =>
      app.call('DELETE', clients.path(`/licenses/${license.id}/installs.json`)),
  } satisfies Record<string, (on: Awaited<ReturnType<typeof licensed>>) => ReturnType<TestApp['call']>>
  for (const [name, take] of Object.entries(ways)) {
    const on = await licensed()
    expectOk(await take(on))
    const plans = { from: on.license.plan_id, to: null }
    assert.deepEqual(
      await on.told(),
      [
        { type: 'license.deactivated', data: on.ids },
        { type: 'install.plan.changed', data: { ...on.ids, ...plans } },
      ],
      name,
    )
  }
})

test('a change of plan is told once: from license to license, in a downgrade, and not of what is deleted', async () => {
  const moved = await licensed()
  const next = await licenseOf(app, 1, { body: { email: moved.owner.email } })
  expectOk(await app.call('PUT', path(moved.install.id), { body: { license_key: next.secret_key } }))
  const plans = (await moved.told()).filter(({ type }) => type.startsWith('install.'))
  const { install_id } = moved.ids
  const data = { license_id: next.id, install_id, from: moved.license.plan_id, to: next.plan_id }
  assert.deepEqual(plans, [{ type: 'install.plan.changed', data }])
  const down = await licensed()
  const body = { deactivate_license: true }
  expectOk(await app.call('PUT', path(down.install.id, '/downgrade.json'), { body }))
  const types = (await down.told()).map(({ type }) => type)
  assert.deepEqual(types, ['license.deactivated', 'install.plan.downgraded'])
  const deleted = await licensed()
  expectOk(await app.call('DELETE', path(deleted.install.id)))
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('type')
    .where('data', 'like', `%"install_id":"${deleted.install.id}"%`)
    .orderBy('id')
    .execute()
  const ends = rows.map(({ type }) => type).slice(-2)
  assert.deepEqual(ends, ['license.deactivated', 'install.deleted'])
})
