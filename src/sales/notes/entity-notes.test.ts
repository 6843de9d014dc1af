import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { payCheckout } from '../../../test/reports.ts'
import { systemScope } from '../../access/scope.ts'

let app: TestApp
/** An entity of each kind, by the beginning of its path. */
const ids: Record<string, string> = {}
before(async () => {
  app = await startTestApp('entity_notes')
  const { developer, product } = app.seller
  const offer = await offerFor(app, 1)
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scope, { ...offer, email: 'noted@example.com' }),
  )
  const { json } = await payCheckout(app, token, 'test_succeeds')
  ids['licenses'] = json.license_id
  const { json: license } = await app.call('GET', `/products/${product.id}/licenses/${json.license_id}.json`)
  ids['users'] = license.user_id
  ids['payments'] = json.payment.id
  ids['subscriptions'] = json.payment.subscription_id
})
after(() => app.close())

const note = (kind: string, method: Method, body?: object, product = app.seller.product) =>
  app.call(method, `/products/${product.id}/${kind}/${ids[kind]}/note.json`, {
    token: product.token,
    ...(body && { body }),
  })
const KINDS = ['users', 'licenses', 'payments', 'subscriptions'] as const

for (const kind of KINDS) {
  test(`a note on one of the ${kind} is created once, read, changed and deleted, by its seller alone`, async () => {
    assert.equal((await note(kind, 'GET')).status, 404)
    const at = await Promise.all(Array.from({ length: 5 }, () => note(kind, 'POST', { note: 'Ask Ada.' })))
    assert.deepEqual(at.map(({ status }) => status).toSorted(), [201, 400, 400, 400, 400])
    const created = (await note(kind, 'GET')).json
    assert.deepEqual(created, {
      id: created.id,
      created: '2026-01-31 10:00:00',
      updated: null,
      scope_entity_id: app.seller.product.id,
      scope_entity_type: 'plugin',
      entity_id: Number(ids[kind]),
      entity_type: kind.slice(0, -1),
      note: 'Ask Ada.',
    })
    assert.equal((await note(kind, 'PUT', { note: 'Asked.' })).json.note, 'Asked.')
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { note: 'theirs' }
      assert.equal((await note(kind, method, body, app.seller.other)).status, 404, method)
    }
    assert.equal((await note(kind, 'GET')).json.note, 'Asked.')
    assert.equal((await note(kind, 'DELETE')).status, 204)
    assert.equal((await note(kind, 'DELETE')).status, 404)
  })
}

test('a user shows its note to the seller, and never to the user itself', async () => {
  const path = `/products/${app.seller.product.id}/users/${ids['users']}.json`
  await note('users', 'POST', { note: 'Pays late.' })
  const { json: user } = await app.call('GET', path)
  assert.equal(user.note, 'Pays late.')
  const keys = { id: Number(user.id), publicKey: user.public_key, secretKey: user.secret_key }
  const own = await asUser(app, keys)('GET', '.json')
  assert.deepEqual([own.status, own.json.note], [200, ''])
  const listed = await app.call('GET', `/products/${app.seller.product.id}/users.json?fields=note`)
  assert.deepEqual(listed.json.users, [{ note: 'Pays late.' }])
  const ofOther = await app.call(
    'GET',
    `/products/${app.seller.product.id}/users/${ids['users']}/note.json`,
    {
      token: app.seller.other.token,
    },
  )
  assert.equal(ofOther.status, 401)
  await note('users', 'PUT', { note: 'Pays early.' })
  assert.equal((await app.call('GET', path)).json.note, 'Pays early.')
  await note('users', 'DELETE')
  assert.equal((await app.call('GET', path)).json.note, '')
})

test('a license that is erased takes its note with it', async () => {
  await note('licenses', 'POST', { note: 'Gone soon.' })
  const path = `/products/${app.seller.product.id}/licenses/${ids['licenses']}.json?delete=true`
  assert.ok((await app.call('DELETE', path)).status < 300)
  const { db } = app.ctx
  const left = await db.selectFrom('notes').selectAll().where('entity_type', '=', 'license').execute()
  assert.deepEqual(left, [])
})
