import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createOwner } from '../../../test/installs.ts'

let app: TestApp
let userId: string
before(async () => {
  app = await startTestApp('billing')
  const body = { email: 'buyer@example.com', name: 'Bo Buyer' }
  userId = (await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })).json.id
})
after(() => app.close())

const billing = (method: Method, body?: object) =>
  app.call(method, `/products/${app.seller.product.id}/users/${userId}/billing.json`, body ? { body } : {})
const types = async () => {
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${userId}/events.json`)
  return json.events.map(({ type }: { type: string }) => type) as string[]
}

test('a user without a billing address has none', async () => {
  assert.equal((await billing('GET')).status, 404)
})

test('the first write makes the address, every field present', async () => {
  const put = await billing('PUT', { business_name: 'Bo Ltd', address_country_code: 'DE', unknown: 1 })
  assert.equal(put.status, 200, put.text)
  assert.deepEqual((await billing('GET')).json, put.json)
  assert.equal(put.json.address_country_code, 'de')
  assert.equal(put.json.address_zip, '')
  assert.deepEqual((await types()).slice(0, 1), ['user.billing.updated'])
})

test('a later write keeps what it leaves out, and the id', async () => {
  const before = (await billing('GET')).json
  app.ctx.clock.advance(1000)
  const after = (await billing('PUT', { address_city: 'Köln' })).json
  assert.deepEqual(after, { ...before, address_city: 'Köln', updated: '2026-01-31 10:00:01' })
})

test('a change of the tax id is its own event', async () => {
  await billing('PUT', { tax_id: 'DE123456788' })
  assert.equal((await types())[0], 'user.billing.tax_id.updated')
  assert.equal((await types()).filter((type) => type === 'user.billing.updated').length, 2)
})

test('a write that changes nothing records nothing', async () => {
  const before = (await types()).length
  assert.equal((await billing('PUT', { tax_id: 'DE123456788' })).status, 200)
  assert.equal((await types()).length, before)
})

test('two first writes at once leave one address with both', async () => {
  const body = { email: 'pair@example.com', name: 'Pair', last: 'Pair' }
  const { id } = (await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })).json
  const path = `/products/${app.seller.product.id}/users/${id}/billing.json`
  await Promise.all([
    app.call('PUT', path, { body: { first: 'A' } }),
    app.call('PUT', path, { body: { last: 'B' } }),
  ])
  const { json } = await app.call('GET', path)
  assert.deepEqual([json.first, json.last], ['A', 'B'])
})

test('a country is a code of two letters', async () => {
  const { status, json } = await billing('PUT', { address_country_code: 'DEU', email: 'x' })
  assert.equal(status, 400)
  assert.deepEqual(
    json.error.details.map(({ field }: { field: string }) => field),
    ['email', 'address_country_code'],
  )
})

test('a country or a state that does not exist is refused, by whatever way it comes', async () => {
  const named = async (body: object) => {
    const { status, json } = await billing('PUT', body)
    return [status, ...(json.error?.details ?? []).map(({ field }: { field: string }) => field)]
  }
  assert.deepEqual(await named({ address_country_code: 'ZZ' }), [400, 'address_country_code'])
  assert.deepEqual(await named({ address_country: 'Narnia' }), [400, 'address_country'])
  for (const address_country of ['Germany', 'Deutschland', 'de', ''])
    assert.deepEqual(await named({ address_country }), [200])
  assert.deepEqual(await named({ address_country_code: 'us', address_state: 'Atlantis' }), [
    400,
    'address_state',
  ])
  assert.deepEqual(await named({ address_country_code: 'us', address_state: 'California' }), [200])
  assert.deepEqual(await named({ address_state: 'Bayern' }), [400, 'address_state'])
  assert.deepEqual(await named({ address_city: 'Fresno' }), [200])
  assert.equal((await billing('GET')).json.address_state, 'California')
})

test('a VAT id that has not the form of its country is refused by its name, but for one that stands there already', async () => {
  const told = async (body: object) => {
    const { status, json } = await billing('PUT', body)
    return [status, ...(json.error?.details ?? []).map(({ field }: { field: string }) => field)]
  }
  for (const tax_id of ['DE123', 'de 123 456 789', 'GB12', 'EL1', 'XI1'])
    assert.deepEqual(await told({ tax_id }), [400, 'tax_id'], tax_id)
  assert.deepEqual(await told({ tax_id: 'FR1', address_country: 'Narnia' }), [
    400,
    'address_country',
    'tax_id',
  ])
  for (const tax_id of ['DE 136.695.976', '12/345/67890', 'RSSMRA85T10A562S', 'JP123', ''])
    assert.deepEqual(await told({ tax_id }), [200], tax_id)
  await app.write(({ db }) =>
    db.updateTable('billing').set({ tax_id: 'DE1' }).where('user_id', '=', Number(userId)).execute(),
  )
  assert.deepEqual(await told({ tax_id: 'DE1', address_city: 'Bonn' }), [200])
  assert.deepEqual(await told({ tax_id: 'DE2' }), [400, 'tax_id'])
  assert.equal((await billing('GET')).json.tax_id, 'DE1')
})

test('a state is taken back with its country', async () => {
  await billing('PUT', { address_country_code: 'us', address_state: 'CA' })
  assert.equal((await billing('PUT', { address_country_code: 'de' })).json.address_state, '')
  await billing('PUT', { address_state: 'BE' })
  const both = { address_country_code: 'us', address_state: 'NY' }
  assert.equal((await billing('PUT', both)).json.address_state, 'NY')
})

type Owner = Awaited<ReturnType<typeof createOwner>>

const WRITERS = {
  seller: (owner: Owner, body: object) =>
    app.call('PUT', `/products/${app.seller.product.id}/users/${owner.id}/billing.json`, { body }),
  user: (owner: Owner, body: object) => asUser(app, owner)('PUT', '/billing.json', body),
}

for (const [who, write] of Object.entries(WRITERS)) {
  test(`an address is in one country, whichever of name and code the ${who} tells`, async () => {
    const [owner, other] = [await createOwner(app), await createOwner(app)]
    await write(other, { address_country_code: 'jp' })
    const country = async (body: object) => {
      const { status, json, text } = await write(owner, body)
      assert.equal(status, 200, text)
      return [json.address_country_code, json.address_country]
    }
    assert.deepEqual(await country({ address_country_code: 'CA' }), ['ca', 'Canada'])
    assert.deepEqual(await country({ address_country: 'Deutschland' }), ['de', 'Deutschland'])
    assert.deepEqual(await country({ address_country_code: 'DE' }), ['de', 'Deutschland'])
    assert.deepEqual(await country({ address_country_code: 'fr' }), ['fr', 'France'])
    assert.deepEqual(await country({ address_country: 'UK' }), ['gb', 'UK'])
    const both = (address_country_code: string, address_country: string) =>
      country({ address_country_code, address_country })
    assert.deepEqual(await both('gb', 'Norway'), ['no', 'Norway'], 'the name is new')
    assert.deepEqual(await both('se', 'Norway'), ['se', 'Sweden'], 'the code is new')
    assert.deepEqual(await both('fi', 'Italy'), ['fi', 'Finland'], 'both are')
    assert.deepEqual(await both('', 'Italy'), ['it', 'Italy'])
    assert.deepEqual(await country({ address_city: 'Roma' }), ['it', 'Italy'])
    assert.deepEqual(await country({ address_country: '日本' }), ['', '日本'])
    assert.deepEqual(await both('jp', '日本'), ['jp', '日本'])
    assert.equal((await write(owner, { address_country: 'Narnia' })).status, 400)
    for (const field of ['address_country', 'address_country_code']) {
      await country({ address_country_code: 'ca' })
      assert.deepEqual(await country({ [field]: '' }), ['', ''], field)
      await country({ address_country_code: 'ca' })
      assert.equal((await write(owner, { [field]: null })).status, 400, `${field} null`)
      assert.deepEqual(await country({}), ['ca', 'Canada'], `${field} null`)
    }
    const { json } = await write(other, {})
    assert.deepEqual([json.address_country_code, json.address_country], ['jp', 'Japan'])
  })

  test(`the state goes with a country that the ${who} tells by its name`, async () => {
    const owner = await createOwner(app)
    await write(owner, { address_country_code: 'us', address_state: 'CA' })
    assert.equal((await write(owner, { address_country: 'Germany' })).json.address_state, '')
    assert.equal((await write(owner, { address_country: 'France', address_state: 'Bayern' })).status, 400)
  })
}
