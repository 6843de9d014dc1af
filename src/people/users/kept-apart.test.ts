import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOwner, expectOk, holding } from '../../../test/installs.ts'
import { mailsOf } from '../../../test/licenses.ts'
import { sell } from '../../../test/sales.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('kept_apart')
  clients = clientsOf(app)
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const newOwner = () => createOwner(app, `${newUid()}@example.com`)
const post = (link: string) => fetch(app.address + link, { method: 'POST', redirect: 'manual' })

/** The path of the newest link to a change of ownership that was mailed to an address. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsOf(app, 'ownership_change')).findLast(({ recipient }) => recipient === email)
  return /http:\/\/keywright\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? assert.fail(email)
}

test('the keys of an install that another site takes up reach as far as what is handed out then, and no further', async () => {
  const owner = await newOwner()
  const [one, other] = [await sell(app, { owner }), await sell(app, { owner })]
  const first = holding(app, (await clients.active(one.license)).json)
  const shown = await first.install('PUT', '.json', { license_key: other.license.secret_key })
  assert.equal(shown.status, 200, shown.text)
  const uid = newUid()
  const body = { uid, license_key: one.license.secret_key }
  expectOk(await first.user('POST', '/installs.json', body))
  const taken = holding(app, (await clients.active(one.license, { uid })).json)
  assert.equal((await taken.user('GET', '/licenses.json')).json.licenses.length, 1)
  assert.equal((await taken.install('PUT', `/licenses/${other.license.id}.json`)).status, 404)
  assert.equal((await first.user('GET', '/licenses.json')).json.licenses.length, 2)
})

test('what was handed out for an install has nothing of it after its owner changed, nor when it comes back', async () => {
  const [owner, next] = [await newOwner(), await newOwner()]
  const { license } = await sell(app, { owner })
  const { json, token } = await clients.active(license)
  const id = json['install_id'] ?? ''
  const at = `/installs/${id}.json`
  const { user, install } = holding(app, json)
  const give = async (to: number) => expectOk(await app.call('PUT', path(at), { body: { user_id: to } }))
  await give(next.id)
  const opened = async () => [
    (await user('GET', at)).status,
    (await install('GET', '.json')).status,
    (await app.call('GET', at, { token })).status,
  ]
  assert.deepEqual(await opened(), [404, 401, 401])
  await give(owner.id)
  assert.deepEqual(await opened(), [404, 401, 401])
})

test('a pair that had an install does not have it when both owners agreed by mail that it changes, and back', async () => {
  const [owner, next] = [await newOwner(), await newOwner()]
  const { license } = await sell(app, { owner })
  const { json } = await clients.active(license)
  const id = json['install_id'] ?? ''
  const { user, install } = holding(app, json)
  for (const [from, to] of [
    [owner, next],
    [next, owner],
  ] as const) {
    expectOk(await install('PUT', `/users/${from.id}.json`, { email: to.email }))
    for (const side of [from, to]) assert.equal((await post(await linkTo(side.email))).status, 200)
    const { json: row } = await app.call('GET', path(`/installs/${id}.json`))
    assert.equal(row.user_id, String(to.id))
    assert.equal((await user('GET', `/installs/${id}.json`)).status, 404)
  }
})

test('a downgrade leaves the license of somebody else renewing', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const [own, foreign] = [await sell(app, { owner }), await sell(app, { owner: other })]
  const { install } = holding(app, (await clients.active(own.license)).json)
  const put = expectOk(await install('PUT', '.json', { license_key: foreign.license.secret_key }))
  assert.equal(put.json.license_id, foreign.license.id)
  expectOk(await install('PUT', '/downgrade.json', { deactivate_license: true }))
  const renews = async ({ subscription }: typeof own) =>
    (await app.call('GET', path(`/subscriptions/${subscription.id}.json`))).json.canceled_at === null
  assert.deepEqual([await renews(foreign), await renews(own)], [true, true])
})
