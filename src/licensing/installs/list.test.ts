import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof createOwner>>
let planId: string
let licenseId: string
/** The ids of the installs by what they are. */
const made: Record<string, string> = {}

before(async () => {
  app = await startTestApp('installs_list')
  owner = await createOwner(app)
  const license = await licenseOf(app, 5, { body: { email: owner.email } })
  planId = license.plan_id
  licenseId = license.id
  await create('free', { title: '100% Wool', version: '1.0', url: 'https://wool.example/shop' })
  await create('premium', { title: 'Éva', version: '2.0', url: 'http://www.eva.example', is_premium: true })
  await create('inactive', { title: 'Sleepy', is_active: false })
  await create('trial', {}, { trials_ends: '2030-01-01 00:00:00' })
  await create('over', {}, { trials_ends: '2020-01-01 00:00:00' })
  await create('paying', { license_key: license.secret_key })
  await create('gone', {}, { is_uninstalled: true, is_active: false, reason_id: 4, reason_info: '100% Slow' })
  const bye = { is_uninstalled: true, is_active: false, reason_id: 5 }
  await create('gone too', { url: 'https://bye.example' }, bye)
  const { id, token } = app.seller.other
  const stranger = await createOwner(app, 'stranger@example.org', { id, token })
  await createInstallOf(app, stranger, { title: 'Wool elsewhere' }, { id, token })
})
after(() => app.close())

async function create(name: string, body: object, change?: object): Promise<void> {
  const { id } = await createInstallOf(app, owner, { ...body })
  made[name] = id
  const path = `/products/${app.seller.product.id}/installs/${id}.json`
  if (change) expectOk(await app.call('PUT', path, { body: change }))
}

const nameOf = (id: string) => Object.keys(made).find((name) => made[name] === id) ?? id

async function list(query: string): Promise<string[]> {
  const path = `/products/${app.seller.product.id}/installs.json?${query}`
  const { installs } = expectOk(await app.call('GET', path)).json as { installs: { id: string }[] }
  return installs.map(({ id }) => nameOf(id))
}

const present = ['paying', 'over', 'trial', 'inactive', 'premium', 'free']

test('a list has the installs that are not uninstalled, newest first; with all every one', async () => {
  assert.deepEqual(await list(''), present)
  assert.deepEqual(await list('all=true'), ['gone too', 'gone', ...present])
  assert.deepEqual(await list('count=2&offset=1'), ['over', 'trial'])
})

const filters = {
  all: present,
  active: ['paying', 'over', 'trial', 'premium', 'free'],
  inactive: ['inactive'],
  trial: ['trial'],
  paying: ['paying'],
  uninstalled: ['gone too', 'gone'],
  active_premium: ['premium'],
  active_free: ['paying', 'over', 'trial', 'free'],
}
for (const [filter, expected] of Object.entries(filters)) {
  test(`filter ${filter} keeps the installs in this state`, async () => {
    assert.deepEqual(await list(`filter=${filter}`), expected)
  })
}

test('a list is narrowed by ids, license, plan, version, title, host and reason', async () => {
  assert.deepEqual(await list(`ids=${made['gone']},${made['free']}`), ['gone', 'free'])
  assert.deepEqual(await list(`license_id=${licenseId}`), ['paying'])
  assert.deepEqual(await list(`plan_id=${planId}`), ['paying'])
  assert.deepEqual(await list('version=2.0'), ['premium'])
  assert.deepEqual(await list('title=Sleepy'), ['inactive'])
  assert.deepEqual(await list('url=eva.example%3A8080'), ['premium'])
  assert.deepEqual(await list('reason_id=4'), ['gone'])
  assert.deepEqual(await list('reason_id=4,5'), ['gone too', 'gone'])
})

test('a search finds part of a domain, or the domain of a whole address, and no title', async () => {
  assert.deepEqual(await list('search=WOOL.ex'), ['free'])
  assert.deepEqual(await list('search=https%3A%2F%2Fwww.Wool.example%3A8080%2Felsewhere'), ['free'])
  assert.deepEqual(await list('search=.example'), ['premium', 'free'], 'uninstalled ones only with all')
  assert.deepEqual(await list('search=.example&all=true'), ['gone too', 'premium', 'free'])
  assert.deepEqual(await list('search=.example&filter=uninstalled'), ['gone too'])
  assert.deepEqual(await list('search=.example&filter=active_free'), ['free'])
  assert.deepEqual(await list('search=Sleepy'), [])
  assert.deepEqual(await list('search=+'), await list(''), 'nothing is asked for')
})

test('a search finds what was said at an uninstall, literally and in whatever case, until it is installed again', async () => {
  assert.deepEqual(await list('search=SLOW'), ['gone'])
  assert.deepEqual(await list('search=0%25'), ['gone'], 'a percent sign is one')
  assert.deepEqual(await list('search=_'), [])
  const path = `/products/${app.seller.product.id}/installs/${made['gone']}.json`
  expectOk(await app.call('PUT', path, { body: { is_uninstalled: false } }))
  assert.deepEqual(await list('search=slow'), [])
  const again = { is_uninstalled: true, is_active: false, reason_id: 4, reason_info: 'Éclair' }
  expectOk(await app.call('PUT', path, { body: again }))
  assert.deepEqual(await list('search=%C3%89CLAIR'), ['gone'])
  assert.deepEqual(await list('search=slow'), [])
})

test('wrong arguments of a list are named', async () => {
  const path = `/products/${app.seller.product.id}/installs.json`
  const { status, json } = await app.call(
    'GET',
    `${path}?filter=x&ids=1,a&reason_id=16&count=51&license_id=0`,
  )
  assert.equal(status, 400)
  const named = json.error.details.map(({ field }: { field: string }) => field).toSorted()
  assert.deepEqual(named, ['count', 'filter', 'ids', 'license_id', 'reason_id'])
})

test('a count counts what is not uninstalled', async () => {
  const count = async (query: string) =>
    expectOk(await app.call('GET', `/products/${app.seller.product.id}/installs/count.json?${query}`)).json
      .count
  assert.equal(await count(''), 6)
  assert.equal(await count('is_active=false'), 1)
  assert.equal(await count('is_active=true'), 5)
  assert.equal(await count(`plan_id=${planId}`), 1)
})

test("a user's installs are its own, also uninstalled ones, and a user that is not there has none", async () => {
  const second = await createOwner(app)
  const own = await createInstallOf(app, second)
  const of = async (id: number, query = '') => {
    const { installs } = expectOk(
      await app.call('GET', `/products/${app.seller.product.id}/users/${id}/installs.json?${query}`),
    ).json as { installs: { id: string }[] }
    return installs.map((install) => nameOf(install.id))
  }
  assert.deepEqual(await of(second.id), [own.id])
  assert.deepEqual(await of(owner.id), ['gone too', 'gone', ...present])
  assert.deepEqual(await of(owner.id, `install_ids=${made['free']},${own.id}`), ['free'])
  assert.deepEqual(await of(owner.id, `license_id=${licenseId}`), ['paying'])
  assert.deepEqual(await of(owner.id, `plan_id=${planId}`), ['paying'])
  const nobody = await app.call('GET', `/products/${app.seller.product.id}/users/999999/installs.json`)
  assert.equal(nobody.status, 404)
})

test('a user lists its own installs alone, by id and by host too', async () => {
  const second = await createOwner(app)
  const own = await createInstallOf(app, second, { url: 'http://wool.example' })
  const other = await createInstallOf(app, second, { url: 'http://silk.example' })
  for (const [query, found] of [
    ['', [own, other]],
    ['?all=true', [own, other]],
    ['?url=wool.example', [own]],
    [`?ids=${own.id},${made['free']}`, [own]],
    [`?install_ids=${other.id},${made['free']}`, [other]],
  ] as const) {
    const { json } = await asUser(app, second)('GET', `/installs.json${query}`)
    const ids = json.installs.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids.toSorted(), found.map(({ id }) => id).toSorted(), query)
  }
})

test('a list is kept to the installs of one user', async () => {
  const other = await createOwner(app, 'another@example.com')
  const { id } = await createInstallOf(app, other, {})
  assert.deepEqual(await list(`user_id=${other.id}`), [id])
  assert.deepEqual(await list(`user_id=${owner.id}`), present)
  assert.deepEqual(await list('user_id=999999'), [])
})
