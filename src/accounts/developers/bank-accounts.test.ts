import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { logIn, type Login, setPassword } from '../../../test/logins.ts'

const IBAN = 'DE89 3704 0044 0532 0130 00'
const ACCOUNT = {
  account_number: IBAN,
  name: 'Sam Seller',
  phone: '+49 30 123456',
  address_street: 'Main Street 1',
  address_city: 'Berlin',
  address_zip: '10115',
  address_country_code: 'de',
  bank_name: 'Commerzbank',
  bank_city_state: 'Köln, NRW',
  bank_country_code: 'de',
  swift: 'COBADEFFXXX',
}

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('bank_accounts')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

const create = (more: object = {}) =>
  owner.call('POST', '/bank_account.json', { body: { ...ACCOUNT, ...more } })

test('a bank account is kept and answered as the contract has it, with the last four digits alone', async () => {
  const created = await create()
  assert.equal(created.status, 201, created.text)
  const { id, created: at, ...rest } = created.json
  const { account_number: _number, ...shown } = ACCOUNT
  assert.deepEqual(rest, {
    updated: null,
    person_id: app.seller.developer.id,
    person_type: 'developer',
    account_last4: '3000',
    ...shown,
    address_apt: null,
    address_state: null,
    ifsc: null,
    sort_code: null,
    aba_rtn: null,
    wise_account_email: null,
  })
  assert.match(at, /^2026-01-31 10:00:00$/)
  const found = await owner.call('GET', `/bank_account/${id}.json`)
  assert.deepEqual(found.json, created.json)
  const list = await owner.call('GET', '/bank_account.json?fields=id,account_last4')
  assert.deepEqual(list.json, { bank_accounts: [{ id, account_last4: '3000' }] })
})

test('the number is nowhere to be read: not in a reply, an error, the audit log or the database', async () => {
  const bare = IBAN.replaceAll(' ', '')
  const { json } = await create()
  const replies = [
    (await create({ swift: 'no' })).text,
    (await owner.call('GET', `/bank_account/${json.id}.json?fields=account_number,id`)).text,
    (await owner.call('PUT', `/bank_account/${json.id}.json`, { body: { account_number: IBAN } })).text,
  ]
  const kept = JSON.stringify([
    await app.ctx.db.selectFrom('bank_accounts').selectAll().execute(),
    await app.ctx.db.selectFrom('audit_log').selectAll().execute(),
    await app.ctx.db.selectFrom('events').selectAll().execute(),
  ])
  for (const text of [...replies, kept]) assert.ok(!text.includes(bare) && !text.includes(IBAN))
  const row = await app.ctx.db.selectFrom('bank_accounts').select('account_number').executeTakeFirst()
  assert.equal(app.ctx.keys.open(row?.account_number ?? '', 'bank_accounts.account_number'), bare)
})

test('an update writes what is given, and null takes away', async () => {
  const { id } = (await create({ sort_code: '20-00-00', ifsc: 'sbin0000001', aba_rtn: '021000021' })).json
  const change = (body: object) => owner.call('PUT', `/bank_account/${id}.json`, { body })
  const { json } = await change({ account_number: '12345678', sort_code: null, bank_name: 'Other' })
  assert.deepEqual(
    [json.account_last4, json.sort_code, json.bank_name, json.ifsc, json.updated !== null],
    ['5678', null, 'Other', 'SBIN0000001', true],
  )
  assert.deepEqual((await change({})).json, json, 'nothing given, nothing changed')
  assert.deepEqual((await owner.call('GET', `/bank_account/${id}.json`)).json, json)
})

test('malformed numbers are all named, missing fields too, and nothing is stored', async () => {
  const before = await app.ctx.db.selectFrom('bank_accounts').select('id').execute()
  const bad = await create({
    account_number: 'DE89!',
    swift: 'ABC',
    ifsc: 'x',
    sort_code: '1234',
    aba_rtn: '12',
    address_country_code: '',
    wise_account_email: 'nobody',
  })
  assert.equal(bad.status, 400)
  assert.deepEqual(bad.json.error.details.map(({ field }: { field: string }) => field).toSorted(), [
    'aba_rtn',
    'account_number',
    'address_country_code',
    'ifsc',
    'sort_code',
    'swift',
    'wise_account_email',
  ])
  assert.equal((await create({ account_number: 'DE89ABCD' })).status, 400, 'the last four must be digits')
  const none = await owner.call('POST', '/bank_account.json', { body: {} })
  assert.equal(none.status, 402)
  assert.equal(none.json.error.details.length, Object.keys(ACCOUNT).length)
  assert.deepEqual(await app.ctx.db.selectFrom('bank_accounts').select('id').execute(), before)
})

test('the state of the holder is one of the country, also where either changes alone', async () => {
  const told = { address_country_code: 'us', address_state: 'CA' }
  const refused = await create({ ...told, address_state: 'Atlantis' })
  assert.deepEqual([refused.status, refused.json.error.details?.[0]?.field], [400, 'address_state'])
  const { id } = (await create(told)).json
  const change = async (body: object) =>
    (await owner.call('PUT', `/bank_account/${id}.json`, { body })).status
  assert.deepEqual(
    [await change({ address_state: 'Bayern' }), await change({ address_country_code: 'de' })],
    [400, 400],
  )
  assert.equal(await change({ address_country_code: 'de', address_state: 'Bayern' }), 200)
})

test("another developer's bank account is not found", async () => {
  const other = await app.write((tx) => createSeller(tx, 'other@example.com'))
  await setPassword(app, other.developer.id)
  const theirs = await logIn(app, { account: other.developer.id, body: { email: 'other@example.com' } })
  const { id } = (await create()).json
  const missing = await theirs.call('GET', '/bank_account/987654321.json')
  for (const reply of [
    await theirs.call('GET', `/bank_account/${id}.json`),
    await theirs.call('PUT', `/bank_account/${id}.json`, { body: { name: 'Thief' } }),
    await theirs.call('PUT', `/bank_account/${id}.json`, { body: {} }),
  ]) {
    assert.deepEqual([reply.status, reply.json.error.message], [404, missing.json.error.message])
  }
  assert.equal((await theirs.call('GET', '/bank_account.json')).json.bank_accounts.length, 0)
  const more = { address_apt: '4 b', address_country_code: 'us', address_state: 'CA', sort_code: '200000' }
  const codes = { ifsc: 'SBIN0000001', aba_rtn: '021000021', wise_account_email: 'wise@example.com' }
  const own = (await theirs.call('POST', '/bank_account.json', { body: { ...ACCOUNT, ...more, ...codes } }))
    .json
  const read = await theirs.call('GET', `/bank_account/${own.id}.json`)
  const expected = { person_id: other.developer.id, ...more, ...codes }
  assert.deepEqual({ ...read.json, ...expected }, read.json)
})
