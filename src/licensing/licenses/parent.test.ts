import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asUser, type CallAs } from '../../../test/callers.ts'
import { createOwner } from '../../../test/installs.ts'
import { installOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { DAY } from '../../lib/time.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import type { License } from './schema.ts'

let app: TestApp
let ada: Awaited<ReturnType<typeof createOwner>>
let as: CallAs
const made: Record<string, License> = {}

before(async () => {
  app = await startTestApp('licenses_parent')
  ada = await createOwner(app, 'ada@example.com')
  as = asUser(app, ada)
  const developer = await asDeveloper(app)
  const body = { title: 'All of it', slug: 'all', type: 'plugin', is_bundle: true }
  const { json } = await developer('POST', '/plugins.json', body)
  const bundle = { id: Number(json.id), token: '' }
  const members = { members: `${app.seller.product.id}` }
  await developer('PUT', `/products/${bundle.id}/bundle/members.json`, members)
  bundle.token = (
    await app.write((tx) => issueApiToken(tx, { productId: bundle.id, name: 'test', expiresAt: null }))
  ).token
  await offerFor(app, 2)
  await userOf(app, 'ada@example.com', bundle)
  const offer = await offerFor(app, 2, { product: bundle })
  const add = async (name: string, given: object = {}) => {
    const sale = { email: 'ada@example.com', ...given }
    made[name] = await licenseOn(app, offer, { product: bundle, body: sale })
    return made[name]
  }
  await add('unused')
  await add('ended', { expires_at: '2026-01-30 10:00:00' })
  const cancelled = await add('cancelled')
  await app.call('DELETE', `/products/${bundle.id}/licenses/${cancelled.id}.json`, { token: bundle.token })
  await add('half used', { existing_install_id: await newInstall('https://half.example.org') })
  await add('used up', { existing_install_id: await newInstall('https://one.example.org') })
  const [child] = await app.ctx.db
    .selectFrom('licenses')
    .select('id')
    .where('parent_license_id', '=', Number(made['used up']?.id))
    .execute()
  await as('PUT', `/installs/${await newInstall('https://two.example.org')}.json`, {
    license_key: made['used up']?.secret_key,
  })
  const counted = app.ctx.db
    .selectFrom('licenses')
    .select('activated')
    .where('id', '=', child?.id ?? 0)
  assert.equal((await counted.executeTakeFirstOrThrow()).activated, 2)
})
after(() => app.close())

const newInstall = async (url: string) => String(await installOf(app, { userId: String(ada.id), url }))

async function names(query: string): Promise<string[]> {
  const { status, json } = await as('GET', `/plugins/${app.seller.product.id}/parent_licenses.json?${query}`)
  assert.equal(status, 200)
  return json.licenses.map(({ id }: License) => Object.keys(made).find((name) => made[name]?.id === id))
}

test("a user's licenses of bundles with the product are listed newest first, page by page", async () => {
  const all = ['used up', 'half used', 'cancelled', 'ended', 'unused']
  assert.deepEqual(await names(''), all)
  assert.deepEqual(await names('count=2&offset=1'), all.slice(1, 3))
})

test('activatable are those with which one more install can be activated now', async () => {
  assert.deepEqual(await names('filter=activatable'), ['half used', 'unused'])
  assert.deepEqual(await names('filter=activatable&count=1&offset=1'), ['unused'])
})

test('of a sandbox the clock of the sandbox says whether it is over', async () => {
  const id = Number(made['unused']?.id)
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ environment: 1 }).where('id', '=', id).execute(),
  )
  app.ctx.clock.setSandboxAhead(400 * DAY)
  assert.deepEqual(await names('filter=activatable'), ['half used'])
  const of = async (type: string) => {
    const { licenses } = (await as('GET', `/licenses.json?type=${type}&ids=${id}`)).json
    return licenses.length
  }
  assert.deepEqual([await of('active'), await of('expired')], [0, 1])
  app.ctx.clock.setSandboxAhead(0)
  assert.deepEqual([await of('active'), await of('expired')], [1, 0])
})
