import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, asUser, signing } from '../../../test/callers.ts'
import { createOwner, expectOk } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { SECOND } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('change_email_elsewhere')
})
after(() => app.close())

type Person = Awaited<ReturnType<typeof createOwner>>

let count = 0
const wanted = () => `wanted${++count}@example.com`

const pathOf = ({ id }: Person, product = app.seller.product) => `/products/${product.id}/users/${id}.json`

/** With the session of a portal link that the product was answered. */
async function bySession(person: Person, email: string): Promise<Reply> {
  const { product } = app.seller
  const { json } = expectOk(
    await app.call('POST', `/products/${product.id}/portal/login.json`, { body: { id: String(person.id) } }),
  )
  const { pathname, search } = new URL(json.link)
  const entered = (await (await fetch(app.address + pathname + search, { method: 'POST' })).json()) as {
    user_token: { token: { access: string } }
  }
  const headers = { authorization: `FSA ${person.id}:${entered.user_token.token.access}` }
  return app.call('PUT', `/users/${person.id}.json`, { token: null, headers, body: { email } })
}

/** Who reaches the first product and no other one. */
const bound: Readonly<Record<string, (person: Person, email: string) => Promise<Reply>>> = {
  'the token of a product': (person, email) => app.call('PUT', pathOf(person), { body: { email } }),
  'the keys of a product': (person, email) =>
    signing(app, { keys: app.seller.product, scheme: 'FS', prefix: '' })('PUT', pathOf(person), { email }),
  'the pair that a seller is shown': (person, email) => asUser(app, person)('PUT', '.json', { email }),
  'the session of a portal link': bySession,
}

for (const [who, put] of Object.entries(bound)) {
  test(`${who} gives no other address to a user of another product, and to one of this product alone it does`, async () => {
    const person = await createOwner(app)
    const alone = wanted()
    assert.equal((await put(person, alone)).status, 200)
    assert.equal((await mailsTo(app, alone)).length, 1)
    await createOwner(app, person.email, app.seller.other)
    const taken = wanted()
    const reply = await put(person, taken)
    assert.deepEqual(
      [reply.status, reply.json.error?.code],
      [400, 'account_verification_required'],
      reply.text,
    )
    assert.deepEqual(await mailsTo(app, taken), [])
    const same = await put(person, person.email)
    assert.equal(same.status, 200, 'its own address is no change')
  })
}

test('who reaches all products of a user changes its address: the developer, a store of all of them, the user signed in', async () => {
  const { product, other, developer } = app.seller
  const person = await createOwner(app)
  const password = 'a pass phrase of this user'
  const email = wanted()
  const body = { email, password, name: 'Signs In' }
  const { json: made } = expectOk(await app.call('POST', `/products/${product.id}/users.json`, { body }))
  for (const one of [person.email, email]) await createOwner(app, one, other)
  const byDeveloper = await asDeveloper(app)
  assert.equal((await byDeveloper('PUT', pathOf(person), { email: wanted() })).status, 200)
  assert.equal((await asStore(app)('PUT', pathOf(person), { email: wanted() })).status, 200)
  const { json } = expectOk(
    await app.call('POST', '/users/login.json', {
      token: null,
      body: {
        email,
        password,
        developer_id: String(developer.id),
        developer_secret_key: developer.secretKey,
      },
    }),
  )
  const headers = { authorization: `FSA ${made.id}:${json.user_token.token.access}` }
  const changed = await app.call('PUT', `/users/${made.id}.json`, {
    token: null,
    headers,
    body: { email: wanted() },
  })
  assert.equal(changed.status, 200, changed.text)
})

test('a link that was asked for while the user was in one product alone is over when it comes into another one', async () => {
  const person = await createOwner(app)
  const email = wanted()
  expectOk(await app.call('PUT', pathOf(person), { body: { email } }))
  const [mail] = await mailsTo(app, email)
  const [, link] = /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(mail?.text ?? '') ?? []
  app.ctx.clock.advance(SECOND)
  await createOwner(app, person.email, app.seller.other)
  const followed = await fetch(`${app.address}${link}`, { method: 'POST', redirect: 'manual' })
  assert.equal(followed.status, 404)
  assert.equal((await app.call('GET', pathOf(person))).json.email, person.email)
})
