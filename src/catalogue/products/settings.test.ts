import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startTestApp, type CallOptions, type Method, type Reply, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { systemScope } from '../../access/scope.ts'
import { HOUR } from '../../lib/time.ts'
import { renewalGrace } from '../../sales/checkouts/queries.ts'
import { SETTING_NUMBERS } from './settings-schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('settings')
})
after(() => app.close())

const call = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.product.id}${path}`, options)
const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()

interface Setting {
  readonly id: string
  readonly updated: string | null
  readonly setting_type: number
  readonly data: string
}

const settings = async (): Promise<Setting[]> => (await call('GET', '/settings.json')).json.settings

async function settingOf(type: number): Promise<Setting> {
  const found = (await settings()).find((setting) => setting.setting_type === type)
  return found ?? assert.fail(`no setting ${type}`)
}

const write = async (type: number, data: unknown) =>
  call('PUT', `/settings/${(await settingOf(type)).id}.json`, { body: { data: JSON.stringify(data) } })

test('a product has every setting from its birth, with its values as JSON text', async () => {
  const found = await settings()
  assert.deepEqual(
    found.slice(0, 6).map(({ setting_type: type, data }) => [type, JSON.parse(data)]),
    [
      [1, { can_create_users: true, confirms_opt_in: false }],
      [2, { redirect_hosts: ['shop.example.com'] }],
      [3, { selling_unit_singular: 'Unit', selling_unit_plural: 'Units' }],
      [
        4,
        {
          accepted_payments: 0,
          expose_license_key: true,
          enable_after_purchase_email_login_link: true,
          is_consumptive_usage: false,
          enable_cart_recovery: true,
        },
      ],
      [
        5,
        {
          is_active: true,
          is_released: true,
          is_sdk_required: true,
          is_wp_org_compliant: true,
          is_static: false,
          type_alias: '',
          sandbox_gets_released: false,
          accepts_client_sandbox_tokens: true,
          updated_sites_limit: null,
        },
      ],
      [6, { renewal_grace_hours: 24, charge_arrears: false }],
    ],
  )
  const [first] = found
  assert.deepEqual(first, {
    id: first?.id,
    created: '2026-01-31 10:00:00',
    updated: null,
    setting_type: 1,
    element_id: String(app.seller.product.id),
    element_type: 2,
    data: '{"can_create_users":true,"confirms_opt_in":false}',
  })
  assert.deepEqual((await call('GET', `/settings/${first?.id}.json`)).json, first)
})

test('a setting acts: without can_create_users no user is created', async () => {
  const body = { email: 'somebody@example.com', name: 'Some Body' }
  assert.equal((await write(1, { can_create_users: false })).status, 200)
  assert.equal((await call('POST', '/users.json', { body })).status, 401)
  await write(1, { can_create_users: true })
  assert.equal((await call('POST', '/users.json', { body })).status, 200)
})

test('a setting acts: links lead only to hosts on the list', async () => {
  const body = {
    email: 'b@example.com',
    name: 'B B',
    after_email_confirm_url: 'https://new.example.com:8443/x',
  }
  assert.equal((await call('POST', '/users.json', { body })).status, 400)
  const { json } = await write(2, { redirect_hosts: ['new.example.com:8443', 'localhost'] })
  assert.equal(json.data, '{"redirect_hosts":["new.example.com:8443","localhost"]}')
  assert.equal((await call('POST', '/users.json', { body })).status, 200)
})

test('keys that are left out stay, and a write of nothing new is no update', async () => {
  app.ctx.clock.advance(HOUR)
  const before = await settingOf(3)
  const same = await write(3, { selling_unit_plural: 'Units' })
  assert.deepEqual(same.json, before)
  assert.deepEqual((await call('PUT', `/settings/${before.id}.json`, { body: {} })).json, before)
  const { json } = await write(3, { selling_unit_plural: 'Sites', unknown: 1 })
  assert.equal(json.data, '{"selling_unit_singular":"Unit","selling_unit_plural":"Sites"}')
  assert.equal(json.updated, '2026-01-31 11:00:00')
})

test('a setting is part of its product', async () => {
  await write(5, { is_released: false, type_alias: 'extension' })
  const { json } = await call('GET', '.json')
  assert.deepEqual([json.is_released, json.type_alias], [false, 'extension'])
  await call('PUT', '.json', { body: { accepted_payments: 2 } })
  assert.equal(JSON.parse((await settingOf(4)).data).accepted_payments, 2)
})

test('every key that does not fit is named, and nothing is stored', async () => {
  const before = await settings()
  for (const [type, data, fields] of [
    [1, { can_create_users: 'perhaps' }, ['data.can_create_users']],
    [2, { redirect_hosts: ['https://x.example.com'] }, ['data.redirect_hosts.0']],
    [2, { redirect_hosts: ['a.example.com', 'X.example.com'] }, ['data.redirect_hosts.1']],
    [2, { redirect_hosts: ['x.example.com/path'] }, ['data.redirect_hosts.0']],
    [2, { redirect_hosts: ['me@x.example.com'] }, ['data.redirect_hosts.0']],
    [2, { redirect_hosts: ['*.example.com '] }, ['data.redirect_hosts.0']],
    [2, { redirect_hosts: 'x.example.com' }, ['data.redirect_hosts']],
    [
      3,
      { selling_unit_singular: '', selling_unit_plural: 'a\nb' },
      ['data.selling_unit_plural', 'data.selling_unit_singular'],
    ],
    [
      4,
      { accepted_payments: 3, expose_license_key: null },
      ['data.accepted_payments', 'data.expose_license_key'],
    ],
    [5, ['is_active'], ['data']],
    [5, null, ['data']],
  ] as const) {
    const reply = await write(type, data)
    assert.equal(reply.status, 400, JSON.stringify(data))
    assert.deepEqual(fieldsOf(reply), fields)
  }
  for (const data of ['', '{', '{"a":1,"a":2}', 'null', 7]) {
    const { id } = await settingOf(1)
    const reply = await call('PUT', `/settings/${id}.json`, { body: { data } })
    assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['data']], String(data))
  }
  assert.deepEqual(await settings(), before)
})

test('a deleted setting leaves the product as it is without one, and can be given again', async () => {
  const { id } = await settingOf(5)
  await write(5, { is_active: false })
  assert.equal((await call('DELETE', `/settings/${id}.json`)).status, 204)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal((await call(method, `/settings/${id}.json`)).status, 404, method)
  }
  assert.equal((await call('GET', '/is_active.json')).json.is_active, true)
  assert.equal((await call('GET', '.json')).json.type_alias, '')
  const data = JSON.stringify({ is_active: false })
  const again = await call('PUT', '/settings.json', { body: { setting_type: 5, data } })
  assert.equal(again.status, 200)
  assert.notEqual(again.json.id, id)
  assert.equal(JSON.parse(again.json.data).is_active, false)
  assert.equal((await call('GET', '/is_active.json')).json.is_active, false)
  await write(5, { is_active: true })
})

test('a setting is written by its type as well, and two at once that give it make one', async () => {
  const { id } = await settingOf(3)
  const put = (data?: object) =>
    call('PUT', '/settings.json', { body: { setting_type: 3, ...(data && { data: JSON.stringify(data) }) } })
  assert.equal((await put({ selling_unit_plural: 'Seats' })).json.id, id)
  await call('DELETE', `/settings/${id}.json`)
  const replies = await Promise.all([
    put({ selling_unit_plural: 'Seats' }),
    put(),
    put({ selling_unit_singular: 'Seat' }),
  ])
  assert.equal(new Set(replies.map(({ json }) => json.id)).size, 1)
  const { data } = await settingOf(3)
  assert.deepEqual(JSON.parse(data), { selling_unit_singular: 'Seat', selling_unit_plural: 'Seats' })
  assert.deepEqual(fieldsOf(await call('PUT', '/settings.json', { body: { setting_type: 9 } })), [
    'setting_type',
  ])
  assert.equal((await call('PUT', '/settings.json', { body: {} })).status, 402)
})

test("another product's setting is not found", async () => {
  const { id } = await settingOf(1)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const path = `/products/${app.seller.other.id}/settings/${id}.json`
    const reply = await app.call(method, path, { token: app.seller.other.token })
    assert.deepEqual([reply.status, reply.json.error.code], [404, 'not_found'], method)
  }
  assert.equal((await settingOf(1)).id, id)
})

test('the public key alone sees whether a product is active, and nothing of its settings', async () => {
  const open = asPublic(app)
  const status = await open('GET', '/is_active.json?is_update=true')
  assert.deepEqual(status.json, { is_active: true, timestamp: app.ctx.clock.real() / 1000 })
  assert.equal((await open('GET', '/settings.json')).status, 401)
  assert.equal((await call('GET', '/is_active.json?is_update=maybe')).status, 400)
})

test('ping asks for consent in Europe, where nobody says where the caller is, and in a test', async () => {
  const proxied = await startTestApp('settings_country', {
    config: { trustProxy: ['127.0.0.1', '::1'], countryHeader: 'cf-ipcountry' },
  })
  const required = async (country: string, query = '') => {
    const path = `/products/${proxied.seller.product.id}/ping.json?uid=${'u'.repeat(32)}${query}`
    return (await proxied.call('GET', path, { headers: { 'cf-ipcountry': country } })).json.is_gdpr_required
  }
  assert.deepEqual(
    [
      await required('DE'),
      await required('US'),
      await required('XX'),
      await required('US', '&is_gdpr_test=1'),
    ],
    [true, false, true, true],
  )
  await proxied.close()
})

test('ping answers with a uid of 32 characters or without one, and says is_active only in an update', async () => {
  const open = asPublic(app)
  const uid = 'u'.repeat(32)
  assert.deepEqual((await open('GET', `/ping.json?uid=${uid}`)).json, {
    api: 'pong',
    is_gdpr_required: true,
    timestamp: 'Sat, 31 Jan 2026 11:00:00 +0000',
  })
  assert.equal(
    (await open('GET', `/ping.json?uid=${uid}&is_update=true&is_gdpr_test=1`)).json.is_active,
    true,
  )
  const nameless = await open('GET', '/ping.json')
  assert.deepEqual([nameless.status, nameless.json.api], [200, 'pong'])
  for (const bad of ['', 'u'.repeat(31), 'u'.repeat(33)]) {
    const reply = await open('GET', `/ping.json?uid=${bad}`)
    assert.deepEqual([reply.status, reply.json.error.code], [400, 'invalid_uid'])
    assert.match(reply.json.error.message, /32 characters/)
  }
})

test('a client that asks for the terms of affiliates is told in its own words that there are none', async () => {
  const { json, status } = await asPublic(app)('GET', '/aff.json?type=affiliation')
  assert.equal(status, 200)
  const { id, is_active: isActive, commission, commission_type: type } = json
  assert.deepEqual([Number(id) > 0, isActive, commission, type], [true, false, 0, 'percentage'])
  assert.deepEqual([json.commission_renewals_days, json.future_payments_days, json.cookie_days], [0, 0, 0])
})

test('docs/settings.md names every key of every type, with its default', async () => {
  const rows = (await readFile(new URL('../../../docs/settings.md', import.meta.url), 'utf8')).split('\n')
  for (const { id } of await settings()) await call('DELETE', `/settings/${id}.json`)
  for (const type of SETTING_NUMBERS) {
    const { json } = await call('PUT', '/settings.json', { body: { setting_type: type } })
    for (const [key, value] of Object.entries(JSON.parse(json.data))) {
      const text = value === '' ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value)
      const row = rows.find((line) => line.startsWith(`| ${type} | \`${key}\` |`))
      assert.equal(row?.split('|').at(-2)?.trim().replaceAll('`', ''), text, key)
    }
  }
  assert.equal(rows.filter((line) => /^\| \d/.test(line)).length, 36)
})

test('how long a license outlives what is paid is a setting, of a month at most', async () => {
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  assert.equal(await renewalGrace(app.ctx.db, scope), 24)
  assert.equal((await write(6, { renewal_grace_hours: 72 })).status, 200)
  assert.equal(await renewalGrace(app.ctx.db, scope), 72)
  for (const hours of [-1, 1.5, 745, '24h', null]) {
    assert.deepEqual(fieldsOf(await write(6, { renewal_grace_hours: hours })), ['data.renewal_grace_hours'])
  }
  assert.equal(await renewalGrace(app.ctx.db, scope), 72)
})
