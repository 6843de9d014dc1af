import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { asOwner, livedPerson } from '../../../test/persons.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { EXPORTED } from './exported-rows.ts'
import type { PersonPage } from './schema.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('export_user')
  owner = await asOwner(app)
})
after(() => app.close())

async function archiveOf(as: CallAs, path: string) {
  const records: PersonPage['records'] = []
  let after = ''
  let pages = 0
  do {
    const { status, json, text } = await as('GET', `${path}/export.json${after}`)
    assert.equal(status, 200, text)
    records.push(...json.records)
    after = json.next === null ? '' : `?after=${json.next}`
    pages++
  } while (after !== '')
  return { records, pages }
}

async function asPerson(id: number): Promise<CallAs> {
  const of = { developerId: app.seller.developer.id, userId: id }
  const { access } = await app.write((tx) => issueAccessToken(tx, of))
  const headers = { authorization: `FSA ${id}:${access}` }
  return (method, path) => app.call(method, `/users/${id}${path}`, { token: null, headers })
}

test('the archive has what is stored of the person over all products, each once, and of nobody else', async () => {
  const ada = { email: 'ada@example.com', last: 'Adamant' }
  const bob = { email: 'bob@example.com', last: 'Bobbing' }
  const { id } = await livedPerson(app, ada)
  await livedPerson(app, bob)
  await createInstallOf(app, await createOwner(app, ada.email, app.seller.other), {}, app.seller.other)
  const { records } = await archiveOf(owner, `/users/${id}`)
  const kinds = new Set(records.map(({ kind }) => kind))
  for (const kind of [
    'user',
    'billing',
    'license',
    'install',
    'subscription',
    'payment',
    'invoice',
    'cart',
    'checkout',
  ])
    assert.ok(kinds.has(kind), kind)
  for (const kind of ['review', 'note', 'event', 'audit', 'refusal', 'payment_method'])
    assert.ok(kinds.has(kind), kind)
  const products = records.filter(({ kind }) => kind === 'install').map(({ data }) => data['product_id'])
  assert.deepEqual(new Set(products), new Set([app.seller.product.id, app.seller.other.id].map(String)))
  const texts = records.map((record) => JSON.stringify(record))
  assert.equal(new Set(texts).size, texts.length)
  assert.ok(!texts.some((text) => text.includes(bob.email) || text.includes(bob.last)))
})

test('license keys stand in what the person reads, and in what the seller reads not', async () => {
  const { id } = await livedPerson(app, { email: 'keys@example.com', last: 'Keyed' })
  const keysIn = async (as: CallAs, path: string) =>
    (await archiveOf(as, path)).records.filter(({ kind, data }) => kind === 'license' && 'secret_key' in data)
  assert.deepEqual(await keysIn(owner, `/users/${id}`), [])
  assert.ok((await keysIn(await asPerson(id), '')).length > 1)
})

test('a person with many sites is read page by page, none twice and none left out', async () => {
  const user = await createOwner(app, 'many@example.com')
  const made = await createInstallOf(app, user)
  await app.write(async ({ db }) => {
    const row = await db
      .selectFrom('installs')
      .selectAll()
      .where('id', '=', Number(made.id))
      .executeTakeFirstOrThrow()
    const { id: _, ...more } = row
    for (let n = 0; n < 1_100; n++)
      await db
        .insertInto('installs')
        .values({ ...more, uid: `many${n}`, public_key: `${row.public_key.slice(0, 20)}${n}` })
        .execute()
  })
  const { records, pages } = await archiveOf(owner, `/users/${user.id}`)
  assert.ok(pages >= 3, String(pages))
  const uids = records.filter(({ kind }) => kind === 'install').map(({ data }) => data['uid'])
  assert.equal(uids.length, 1_101)
  assert.equal(new Set(uids).size, 1_101)
  const told = records.filter(({ kind, data }) => kind === 'event' && data['type'] === 'user.created')
  assert.equal(told.length, 1)
})

test('what is no next of a page is refused, and an erased person has no archive', async () => {
  const { id, email } = await createOwner(app, 'gone@example.com')
  for (const after of ['nothing.1', 'user', 'user.-1', 'user.1.2'])
    assert.equal((await owner('GET', `/users/${id}/export.json?after=${after}`)).status, 400)
  assert.equal((await owner('POST', `/users/${id}/erasure.json`, { email })).status, 202)
  assert.equal((await owner('GET', `/users/${id}/export.json`)).status, 404)
})

test('every kind of record has a name of its own', () => {
  assert.equal(new Set(EXPORTED.map(({ kind }) => kind)).size, EXPORTED.length)
})
