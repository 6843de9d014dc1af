// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Active, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { offerFor } from '../../../test/licenses.ts'
import { OPT_IN, optInForm, OWNERS } from '../../../test/opt-in.ts'
import { rawExchange } from '../../../test/security/raw.ts'
import { spellingsOf } from '../../../test/security/secrets.ts'
import { createLog } from '../../log.ts'
import type { License } from './schema.ts'

const lines: string[] = []
let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('key_in_log', {
    log: createLog('debug', { write: (line) => void lines.push(line) }),
  })
  clients = clientsOf(app)
})
after(() => app.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Every way to write a text in an address that a client may have chosen, right or wrong. */
function encodingsOf(text: string): string[] {
  const hex = [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'))
  const encoded = encodeURIComponent(text)
  return [
    encoded,
    encodeURIComponent(encoded),
    hex.map((pair) => `%${pair}`).join(''),
    hex.map((pair) => `%${pair.toUpperCase()}`).join(''),
    hex.map((pair) => `%25${pair}`).join(''),
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll('_', '%5F'),
    ...(/^[\w-]+$/.test(text) ? [text] : []),
  ]
}

interface Sent {
  readonly method: string
  /** After the address of the server. */
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string | FormData
}

/** The key in bodies of every kind, right ones and broken ones, and in fields that are not for it. */
function bodies({ uid, installId, key }: Active): Sent[] {
  const post = (action: string, body: string | FormData, headers: Record<string, string> = {}) => ({
    method: 'POST',
    path: `/v1${clients.path(action)}`,
    body,
    headers,
  })
  const json = { 'content-type': 'application/json' }
  const given = { uid, install_id: installId, license_key: key }
  const parts = new FormData()
  for (const [name, value] of Object.entries(given)) parts.append(name, value)
  const odd: object[] = [
    { ...given, uid: key },
    { ...given, url: `https://x.example.com/?k=${encodeURIComponent(key)}`, title: key },
    { ...given, install_id: key },
    { ...given, license_key: [key] },
    { ...given, license_key: { [key]: key } },
    { [key]: key },
    { ...given, user_email: key, first_name: key },
  ]
  return ['/licenses/activate.json', '/licenses/deactivate.json', '/activate.json'].flatMap((path) => [
    post(path, JSON.stringify(given), json),
    post(path, new URLSearchParams(given).toString(), FORM),
    post(path, parts),
    post(path, key, { 'content-type': 'text/plain' }),
    post(path, `{"license_key":"${key}",`, json),
    post(path, JSON.stringify([key]), json),
    post(path, `license_key=${key}&license_key=${key}&%ff`, FORM),
    ...odd.map((body) => post(path, JSON.stringify(body), json)),
  ])
}

/** The key in addresses: in the query, in what was meant to be one, and in the path. */
const addresses = ({ uid, installId, key }: Active): Sent[] =>
  encodingsOf(key).flatMap((text) => {
    const verify = `/v1${clients.path(`/installs/${installId}/license.json`)}`
    const activate = `/v1${clients.path('/licenses/activate.json')}`
    const query = `uid=${uid}&license_key=${text}`
    return [
      { method: 'GET', path: `${verify}?${query}` },
      { method: 'GET', path: `/v1/installs/${installId}/license.json?${query}` },
      { method: 'GET', path: `${verify}?uid=${uid}&license%5Fkey=${text}` },
      { method: 'GET', path: `${verify}?uid=${uid};license_key=${text}` },
      { method: 'GET', path: `${verify}?fields=${text}&${query}` },
      { method: 'GET', path: `${verify}%3F${query}` },
      { method: 'GET', path: `${verify}&${query}` },
      { method: 'GET', path: `${verify};${query}` },
      { method: 'GET', path: `${verify}/${text}` },
      { method: 'POST', path: `${activate}?${query}` },
      { method: 'POST', path: `${activate}%3f${query}` },
      { method: 'DELETE', path: `${activate}?${query}` },
      { method: 'GET', path: `/v1${clients.path(`/licenses/${text}.json`)}` },
      { method: 'GET', path: `/v1${clients.path(`/licenses.json?search=${text}`)}` },
      { method: 'GET', path: `/${text}` },
    ]
  })

/** The key where the other clients send it, and in headers. */
function elsewhere({ key, installId, token }: Active, license: License): Sent[] {
  const id = String(app.seller.product.id)
  const form = { method: 'POST', headers: FORM }
  const header = encodeURIComponent(key)
  return [
    { ...form, path: OPT_IN, body: asForm(optInForm(app, '', { license_key: key, format: 'json' })) },
    { ...form, path: OPT_IN, body: asForm(optInForm(app, '', { license_key: `${key}x` })) },
    { ...form, path: OWNERS, body: asForm({ license_key: key, 'plugin_ids[0]': id }) },
    {
      method: 'PUT',
      path: `/v1/installs/${installId}.json`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ license_key: key, license_id: license.id, url: key }),
    },
    ...[`Bearer ${header}`, `FS 1:${header}:${header}`, header].map((authorization) => ({
      method: 'GET',
      path: '/v1/products/1/users.json',
      headers: { authorization, referer: header, 'user-agent': header, 'x-request-id': header },
    })),
  ]
}

const asForm = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()

async function send({ method, path, headers = {}, body }: Sent): Promise<number> {
  const response = await fetch(app.address + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  await response.text()
  return response.status
}

/** A 500 while the key is at hand: what should be sealed in the keys of its owner is the key itself. */
async function breakOwner({ user_id: id, secret_key: key }: License, { uid }: Active): Promise<number> {
  await app.ctx.database.transaction((db) =>
    db.updateTable('user_keys').set({ secret_key: key }).where('user_id', '=', Number(id)).execute(),
  )
  return (await clients.activate({ uid, license_key: key })).status
}

async function written(): Promise<string> {
  await app.recorded()
  const audited = await app.ctx.db.selectFrom('audit_log').selectAll().execute()
  return lines.join('') + JSON.stringify(audited, (_, one: unknown) => (typeof one === 'bigint' ? 0 : one))
}

async function newLicense(key?: string): Promise<License> {
  if (key === undefined) return clients.ownLicense(99)
  return clients.ownLicense(99, { body: { license_key: key } })
}

for (const [what, imposed] of [
  ['of ours', undefined],
  ['that another system made', 'Imp#or+ted/2-&=;? Key'],
  ['that is short', 'ABCD-EFGH-1234'],
] as const) {
  test(`S39: a key ${what} is in no line of the log, wherever and however it was sent`, async () => {
    const license = await newLicense(imposed)
    const active = await clients.active(license)
    lines.length = 0
    const calls = [...bodies(active), ...addresses(active), ...elsewhere(active, license)]
    const statuses = new Set<number>()
    for (const call of calls) statuses.add(await send(call))
    await rawExchange(
      app.address,
      [`GET /${encodeURIComponent(active.key)} HTTP/9\r\n${active.key}: x\r\n\r\n`],
      {
        patience: 200,
      },
    )
    assert.equal(await breakOwner(license, active), 500)
    for (const status of [200, 400, 401, 402, 404, 415]) assert.ok(statuses.has(status), `${status}`)
    const log = await written()
    assert.ok(lines.length > calls.length && log.includes('"level":"error"'), 'the log was captured')
    const spellings = [...spellingsOf(license.secret_key), ...encodingsOf(license.secret_key)]
    for (const spelling of spellings) {
      const at = log.toLowerCase().indexOf(spelling.toLowerCase())
      assert.equal(at, -1, log.slice(Math.max(0, at - 200), at + 100))
    }
  })
}

test('a key that is taken, imposed once more, is not told in the refusal', async () => {
  const license = await clients.ownLicense()
  const { planId, pricingId } = await offerFor(app, 1)
  const path = clients.path(`/plans/${planId}/pricing/${pricingId}/licenses.json`)
  const body = { period: 12, license_key: license.secret_key }
  const reply = await app.call('POST', path, { body })
  assert.deepEqual([reply.status, reply.json.error.code], [400, 'license_key_taken'])
  assert.ok(!reply.text.includes(license.secret_key))
  assert.ok(!(await written()).includes(license.secret_key))
  assert.equal((await clients.activate({ uid: newUid(), ...body })).status, 200)
})
