import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import { asUser } from '../../../test/callers.ts'
import { createOwner, eventsOf, expectOk, holding } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('beta_of_site')
  await release(app, '1.0')
  await release(app, '2.0', { release_mode: 'beta' })
})
after(() => app.close())

test('a site that a license key has opened follows the beta program by itself, and says nothing of its owner', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 5, { body: { email: owner.email } })
  const sites = await Promise.all([1, 2].map(() => clientsOf(app).active(license)))
  const [site, neighbour] = sites.map(({ json }) => holding(app, json).install)
  assert.ok(site && neighbour)
  const versionOf = async (as: typeof site) =>
    expectOk(await as('GET', '/updates/latest.json?is_premium=false')).json.version
  assert.deepEqual([await versionOf(site), await versionOf(neighbour)], ['1.0', '1.0'])
  assert.equal(expectOk(await site('PUT', '.json', { is_beta: true })).json.is_beta, true)
  assert.deepEqual([await versionOf(site), await versionOf(neighbour)], ['2.0', '1.0'])
  const path = `/products/${app.seller.product.id}/users/${owner.id}.json`
  assert.equal((await app.call('GET', path)).json.is_beta, false)
  const id = sites[0]?.installId ?? ''
  const told = async () => {
    const events = await eventsOf(app, id)
    return events.filter(({ type, data }) => type.startsWith('user.') || 'is_beta' in Object(data['to']))
  }
  const own = { install_id: id, from: { is_beta: false }, to: { is_beta: true } }
  assert.deepEqual(await told(), [{ type: 'install.updated', data: own }])
  expectOk(await asUser(app, owner)('PUT', `/installs/${id}.json`, { is_beta: false }))
  assert.equal((await told()).at(-1)?.type, 'user.beta_program.opted_out')
})
