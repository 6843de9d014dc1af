import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore } from '../../../test/callers.ts'
import { licenseOf, mailsOf, userOf } from '../../../test/licenses.ts'
import type { License } from '../../licensing/licenses/schema.ts'

const EMAIL = 'ada@example.com'

/** Who has exchanged a link for an access token. */
interface Entered {
  readonly get: (path: string) => ReturnType<TestApp['call']>
  /** A page of the user's licenses, the newest first. */
  readonly licenses: (query?: string) => Promise<string[]>
}

let app: TestApp
let userId: string
let own: License
let elsewhere: License
before(async () => {
  app = await startTestApp('portal_login_reach')
  const { other } = app.seller
  await userOf(app, EMAIL, other)
  elsewhere = await licenseOf(app, 1, { product: other, body: { email: EMAIL } })
  userId = await userOf(app, EMAIL)
  own = await licenseOf(app, 1, { body: { email: EMAIL, send_email: true } })
})
after(() => app.close())

async function enter(link: string): Promise<Entered> {
  const reply = await fetch(link.replace('http://keywright.test', app.address), { method: 'POST' })
  assert.equal(reply.status, 200)
  const { user_token: given } = (await reply.json()) as { user_token: { token: { access: string } } }
  const headers = { authorization: `FSA ${userId}:${given.token.access}` }
  const get = (path: string) => app.call('GET', `/users/${userId}${path}`, { token: null, headers })
  const licenses = async (query = '') => {
    const { status, json, text } = await get(`/licenses.json${query}`)
    assert.equal(status, 200, text)
    return json.licenses.map(({ id }: License) => id) as string[]
  }
  return { get, licenses }
}

const linkBy = async (reply: ReturnType<TestApp['call']>): Promise<string> => {
  const { status, json, text } = await reply
  assert.equal(status, 201, text)
  return json.link
}

const LOGIN = '/portal/login.json'
const body = { email: EMAIL }

test('a link that a product or store was answered opens what the user has in that product alone', async () => {
  const { product, other } = app.seller
  const byProduct = await linkBy(app.call('POST', `/products/${product.id}${LOGIN}`, { body }))
  const byStore = await linkBy(asStore(app)('POST', `/products/${product.id}${LOGIN}`, body))
  for (const link of [byProduct, byStore]) {
    const { get, licenses } = await enter(link)
    assert.deepEqual(await licenses(), [own.id])
    for (const query of ['?store_id=', `?store_id=${app.seller.store.id}`]) {
      assert.deepEqual(await licenses(query), [own.id])
    }
    assert.equal((await get(`/products/${product.id}/licenses.json`)).status, 200)
    assert.equal((await get(`/products/${other.id}/licenses.json`)).status, 401)
    assert.equal((await get(`/licenses/${own.id}.json`)).status, 200)
    assert.equal((await get(`/licenses/${elsewhere.id}.json`)).status, 404)
  }
  const { get, licenses } = await enter(
    await linkBy(asStore(app)('POST', `/products/${other.id}${LOGIN}`, body)),
  )
  assert.deepEqual(await licenses(), [elsewhere.id])
  assert.equal((await get(`/products/${product.id}/licenses.json`)).status, 401)
  assert.equal((await get(`/licenses/${own.id}.json`)).status, 404)
})

test('a link that the developer was answered, or that was mailed to the user alone, opens all of its seller', async () => {
  const { product, other } = app.seller
  const developer = await asDeveloper(app)
  const answered = await linkBy(developer('POST', `/products/${product.id}${LOGIN}`, body))
  const [bought] = (await mailsOf(app, 'license')).slice(-1)
  const mailed = /http:\/\/keywright\.test\/portal\/login\?token=[\w.-]+/.exec(bought?.text ?? '')?.[0] ?? ''
  for (const link of [answered, mailed]) {
    const { get, licenses } = await enter(link)
    assert.deepEqual(await licenses('?store_id='), [own.id, elsewhere.id])
    assert.equal((await get(`/products/${other.id}/licenses.json`)).status, 200)
  }
})
