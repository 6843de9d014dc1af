// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinTeam, logIn, setPassword } from '../../../test/logins.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('settings_roles')
  await setPassword(app)
})
after(() => app.close())

test('who sees no sales neither leads buyers elsewhere with what they paid nor has more charged, by no way to a setting', async () => {
  const owner = await logIn(app)
  const member = { email: 'developer@example.com', role: 'developer' }
  const { json } = await owner.call('POST', '/members.json', { body: member })
  await joinTeam(app, json.id)
  const { call } = await logIn(app, { body: { email: member.email } })
  const base = `/products/${app.seller.product.id}/settings`
  const { settings } = (await call('GET', `${base}.json`)).json
  const idOf = (type: number) =>
    settings.find((one: { setting_type: number }) => one.setting_type === type).id
  const body = (data: object, type?: number) => ({
    body: { data: JSON.stringify(data), ...(type !== undefined && { setting_type: type }) },
  })
  const hosts = { redirect_hosts: ['shop.example.com', 'evil.example'] }
  const refused = [
    await call('PUT', `${base}.json`, body(hosts, 2)),
    await call('PUT', `${base}/${idOf(2)}.json`, body(hosts)),
    await call('DELETE', `${base}/${idOf(2)}.json`),
    await call('PUT', `${base}/${idOf(6)}.json`, body({ charge_arrears: true, renewal_grace_hours: 1 })),
  ]
  for (const [type, data] of [
    [7, { support_email: 'evil@example.com' }],
    [7, { checkout_redirect_url: 'https://evil.example/' }],
    [7, { recovery_url: 'https://evil.example/' }],
    [8, { portal_embed_hosts: ['evil.example'] }],
  ] as const)
    refused.push(await call('PUT', `${base}.json`, body(data, type)))
  for (const {
    status,
    json: { error },
  } of refused) {
    assert.deepEqual([status, error.code], [401, 'role_not_allowed'])
  }
  assert.deepEqual((await call('GET', `${base}.json`)).json.settings, settings)
  const same = await call('PUT', `${base}/${idOf(2)}.json`, body({ redirect_hosts: ['shop.example.com'] }))
  const other = await call('PUT', `${base}/${idOf(6)}.json`, body({ renewal_grace_hours: 1 }))
  const admins = await owner.call('PUT', `${base}/${idOf(2)}.json`, body(hosts))
  assert.deepEqual([same.status, other.status, admins.status], [200, 200, 200])
})
