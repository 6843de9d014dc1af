import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { TrialRow } from './schema.ts'

let app: TestApp
let call: CallAs
/** Of the first product by what became of them, and one of the second. */
const ids: Record<string, string> = {}
let foreign: string

const at = '2026-01-20 10:00:00' as UtcTime

before(async () => {
  app = await startTestApp('trials_list')
  call = await asDeveloper(app)
  ids['running'] = await tried(app)
  ids['converted'] = await tried(app, { converted_at: at, notice_at: null })
  ids['cancelled'] = await tried(app, { canceled_at: at, notice_at: null })
  ids['ended'] = await tried(app, { notice_at: null })
  ids['sandbox'] = await tried(app, { environment: 1 })
  const { other } = app.seller
  ids['other'] = await tried({ ...app, seller: { ...app.seller, product: other } } as TestApp)
  const seller = await app.write((tx) => createSeller(tx, 'another@example.com'))
  foreign = await tried({ ...app, seller } as TestApp)
})
after(() => app.close())

/** A trial of a product of the seller, to which the rest then happened. */
async function tried(of: TestApp, change: Partial<TrialRow> = { environment: 0 }): Promise<string> {
  const { product } = of.seller
  const { planId } = await offerFor(of, 5, { plan: { trial_period: 14 } })
  const owner = await createOwner(of)
  const install = await createInstallOf(of, owner, {}, product)
  const path = `/products/${product.id}/installs/${install.id}/plans/${planId}/trials.json`
  const { trial } = expectOk(await app.call('POST', path, { token: product.token })).json
  await app.write(({ db }) =>
    db.updateTable('trials').set(change).where('id', '=', Number(trial.id)).execute(),
  )
  return trial.id
}

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`
const listed = async (path: string): Promise<string[]> =>
  expectOk(await call('GET', path)).json.trials.map(({ id }: { id: string }) => id)

test('trials are listed by state, with the address of who tries', async () => {
  for (const state of ['running', 'converted', 'cancelled', 'ended'] as const) {
    const found = await listed(own(`/trials.json?environment=0&filter=${state}`))
    assert.deepEqual(found, [ids[state]], state)
    const { json } = await call('GET', own(`/trials/${ids[state]}.json`))
    assert.equal(json.state, state)
  }
  assert.deepEqual(await listed(own('/trials.json?filter=running')), [ids['sandbox'], ids['running']])
  assert.deepEqual(await listed(own('/trials.json?filter=running&sort=id')), [ids['running'], ids['sandbox']])
  assert.equal((await call('GET', own('/trials.json?filter=ending'))).status, 400)
  const [plain] = (await call('GET', own('/trials.json?count=1'))).json.trials
  const [more] = (await call('GET', own('/trials.json?count=1&extended=true'))).json.trials
  const { email } = await app.ctx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', Number(more.user_id))
    .executeTakeFirstOrThrow()
  assert.deepEqual([plain.email, more.email], [undefined, email])
})

test('the trials of all products are listed, newest first, and narrowed as those of one are', async () => {
  const { product, other } = app.seller
  const { running, converted, cancelled, ended, sandbox, other: ofOther } = ids
  assert.deepEqual(await listed('/trials.json'), [ofOther, sandbox, ended, cancelled, converted, running])
  assert.deepEqual(await listed('/trials.json?count=1&offset=1'), [sandbox])
  const all = await listed('/trials.json')
  assert.deepEqual(await listed('/trials.json?sort=id'), all.toReversed())
  assert.deepEqual(await listed('/trials.json?sort=id&from=2020-01-01'), all.toReversed())
  assert.deepEqual(await listed(`/trials.json?product_ids=${other.id}`), [ofOther])
  assert.deepEqual(await listed('/trials.json?environment=1'), [sandbox])
  assert.deepEqual(await listed('/trials.json?environment=0&filter=running'), [ofOther, running])
  assert.deepEqual(await listed('/trials.json?to=2025-01-01'), [])
  assert.deepEqual(await listed(`/trials.json?product_ids=${product.id}&from=2099-01-01`), [])
  const [first] = (await call('GET', '/trials.json?extended=true')).json.trials
  assert.match(first.email, /@/)
})

test('trials are narrowed to one user or license, of a product and of all, as is how many there are', async () => {
  const { other } = app.seller
  const ofOther = `/products/${other.id}/trials.json`
  const about = async (path: string) => expectOk(await call('GET', path)).json as TrialRow
  const [mine, theirs] = [
    await about(own(`/trials/${ids['running']}.json`)),
    await about(`/products/${other.id}/trials/${ids['other']}.json`),
  ]
  const names = ['user_id', 'license_id'] as const
  for (const name of names) {
    assert.notEqual(mine[name], theirs[name])
    assert.deepEqual(await listed(own(`/trials.json?${name}=${mine[name]}`)), [ids['running']])
    assert.deepEqual(await listed(own(`/trials.json?${name}=${mine[name]}&sort=id&from=2020-01-01`)), [
      ids['running'],
    ])
    assert.deepEqual(await listed(own(`/trials.json?${name}=${mine[name]}&filter=ended`)), [])
    assert.deepEqual(await listed(own(`/trials.json?${name}=${theirs[name]}`)), [])
    assert.deepEqual(await listed(`${ofOther}?${name}=${theirs[name]}`), [ids['other']])
    assert.deepEqual(await listed(`/trials.json?${name}=${theirs[name]}`), [ids['other']])
    for (const [row, total] of [[mine, 1] as const, [theirs, 0] as const]) {
      const filter = encodeURIComponent(JSON.stringify({ [name]: row[name] }))
      const counted = await call('GET', own(`/list_total.json?kind=trials&filter=${filter}`))
      assert.equal(expectOk(counted).json.total, total, name)
    }
  }
  const both = `user_id=${mine.user_id}&license_id=${theirs.license_id}`
  assert.deepEqual(await listed(`/trials.json?${both}`), [])
})

test('a trial is read with what is tried and where, by its own seller alone', async () => {
  const { json } = await call('GET', own(`/trials/${ids['running']}.json`))
  const row = await app.ctx.db
    .selectFrom('trials')
    .selectAll()
    .where('id', '=', Number(ids['running']))
    .executeTakeFirstOrThrow()
  assert.deepEqual([json.plan_id, json.install_id], [String(row.plan_id), String(row.install_id)])
  for (const id of [foreign, ids['other']])
    assert.equal((await call('GET', own(`/trials/${id}.json`))).status, 404)
})
