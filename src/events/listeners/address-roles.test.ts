// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinTeam, logIn, setPassword } from '../../../test/logins.ts'
import { ROLES } from '../../access/roles.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('webhook_address_roles')
  await setPassword(app)
})
after(() => app.close())

test('the path and query of a listener, which may be secret, are shown to who may set them alone', async () => {
  const owner = await logIn(app)
  const base = `/products/${app.seller.product.id}/webhooks`
  const url = 'https://hooks.example.com/services/secret-path?key=secret-query'
  const made = await owner.call('POST', `${base}.json`, { body: { url } })
  assert.ok(made.status < 300, made.text)
  for (const role of ROLES) {
    const email = `${role}@example.com`
    const { json } = await owner.call('POST', '/members.json', { body: { email, role } })
    await joinTeam(app, json.id)
    const { call } = await logIn(app, { body: { email } })
    const isShown = role === 'admin' || role === 'developer'
    for (const path of [`${base}.json`, `${base}/${made.json.id}.json`]) {
      const reply = await call('GET', path)
      const [row] = reply.json.webhooks ?? [reply.json]
      assert.equal(row.url, isShown ? url : 'https://hooks.example.com/…', `${role} ${path}`)
      assert.equal(reply.text.includes('secret-'), isShown, `${role} ${path}`)
    }
  }
})
