import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { activateOn, licenseOn, offerFor } from '../../../test/licenses.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { businessTime } from '../../db/business-time.ts'
import { fromNewest } from '../../db/list-start.ts'
import { DAY } from '../../lib/time.ts'
import type { License } from '../licenses/schema.ts'
import { pageOfInstalls, type InstallSearch } from './list-queries.ts'
import { INSTALL_FILTERS } from './list-schema.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof createOwner>>
let offer: Awaited<ReturnType<typeof offerFor>>
const made: Record<string, string> = {}

before(async () => {
  app = await startTestApp('installs_states')
  owner = await createOwner(app)
  offer = await offerFor(app, 9)
  await install('twin', { url: 'https://twin.example/' })
  await install('other twin', { url: 'http://www.twin.example' }, await createOwner(app))
  await install('alone', { url: 'https://alone.example' })
  await licensed('for ever', { expires_at: null })
  await licensed('for a day', { expires_at: '2026-02-01 10:00:00' })
  const cancelled = await licensed('cancelled')
  await app.call('DELETE', `${product()}/licenses/${cancelled.id}.json`)
  const trial = await licensed('on trial')
  await set('licenses', { is_trial: true }, Number(trial.id))
  const sandbox = await licensed('in the sandbox', { expires_at: '2026-02-10 10:00:00' })
  await set('licenses', { environment: 1 }, Number(sandbox.id))
  for (const [name, environment] of [['live trial', 0] as const, ['sandbox trial', 1] as const]) {
    await install(name)
    await set('installs', { environment, trial_ends: '2026-02-10 10:00:00' }, Number(made[name]))
  }
})
after(() => app.close())

const product = () => `/products/${app.seller.product.id}`

async function install(name: string, body: object = {}, user = owner): Promise<void> {
  made[name] = (await createInstallOf(app, user, { ...body })).id
}

async function licensed(name: string, body: object = {}): Promise<License> {
  const license = await licenseOn(app, offer, { body })
  await install(name)
  await activateOn(app, license, Number(made[name]))
  return license
}

const set = (table: 'licenses' | 'installs', change: object, id: number) =>
  app.ctx.database.transaction((db) => db.updateTable(table).set(change).where('id', '=', id).execute())

async function list(query: string): Promise<string[]> {
  const { installs } = expectOk(await app.call('GET', `${product()}/installs.json?${query}`)).json
  return installs.map(({ id }: { id: string }) => Object.keys(made).find((name) => made[name] === id))
}

const count = async (query: string) =>
  expectOk(await app.call('GET', `${product()}/installs/count.json?${query}`)).json.count

test('paying are installs whose license is bought, not cancelled and not over', async () => {
  assert.deepEqual(await list('filter=paying'), ['in the sandbox', 'for a day', 'for ever'])
  app.ctx.clock.advance(DAY)
  assert.deepEqual(await list('filter=paying'), ['in the sandbox', 'for ever'])
  app.ctx.clock.advance(-DAY)
})

test('a count of a plan has the installs with an unexpired license of it only', async () => {
  const other = await offerFor(app, 1)
  assert.equal(await count(`plan_id=${offer.planId}`), 5)
  assert.equal(await count(`plan_id=${other.planId}`), 0)
  app.ctx.clock.advance(DAY)
  assert.equal(await count(`plan_id=${offer.planId}`), 4)
  app.ctx.clock.advance(-DAY)
  await set('installs', { is_active: false }, Number(made['for ever']))
  assert.equal(await count(`plan_id=${offer.planId}&is_active=true`), 4)
  await set('installs', { is_active: true, plan_id: other.planId }, Number(made['for ever']))
  assert.equal(await count(`plan_id=${offer.planId}`), 5, 'the plan of the license counts')
})

test('what lives in a sandbox is judged by the clock of the sandbox', async () => {
  assert.deepEqual(await list('filter=trial'), ['sandbox trial', 'live trial'])
  app.ctx.clock.setSandboxAhead(10 * DAY)
  assert.deepEqual(await list('filter=trial'), ['live trial'])
  assert.deepEqual(await list('filter=paying'), ['for a day', 'for ever'])
  assert.equal(await count(`plan_id=${offer.planId}`), 4)
  app.ctx.clock.setSandboxAhead(0)
})

test('a search finds the ID of a site, and no ID of an install', async () => {
  const { json } = await app.call('GET', `${product()}/installs/${made['twin']}.json`)
  assert.deepEqual(await list(`search=${json.site_id}`), ['other twin', 'twin'])
  const { installs } = (await app.call('GET', `${product()}/installs.json`)).json
  const sites = new Set(installs.map((one: { site_id: string }) => one.site_id))
  const { id } = installs.find((one: { id: string }) => !sites.has(one.id))
  assert.deepEqual(await list(`search=${id}`), [])
})

test("a user's installs are read through the user's index, whatever is asked for beside", async () => {
  if (app.ctx.database.engine !== 'sqlite') return
  const productId = app.seller.product.id
  const time = businessTime(app.ctx.clock, [productId])
  const planOf = async (search: Partial<InstallSearch>, userId: number | null) => {
    const scope = { developerId: 1, productId, userId, installId: null }
    const present = {
      filter: 'all',
      withUninstalled: false,
      productIds: [productId],
      time,
      equal: {},
    } as const
    const all = { ...present, ...search }
    const page = { count: 25, ...fromNewest(0) }
    const query = pageOfInstalls(app.ctx.db, scope, all, page).compile()
    return (await stepsOf(app.ctx.db, query)).join(' | ')
  }
  const ofUser = 'installs USING INDEX installs_of_user (user_id=? AND product_id=?'
  const ofUserCovering = ofUser.replace('INDEX', 'COVERING INDEX')
  const isOfUser = (plan: string) => plan.includes(ofUser) || plan.includes(ofUserCovering)
  const asked: Partial<InstallSearch>[] = [
    ...INSTALL_FILTERS.filter((filter) => filter !== 'trial').map((filter) => ({ filter })),
    { equal: { plan_id: 2 } },
    { equal: { plan_id: 2 }, withUninstalled: true },
    { equal: { version: '1.0' } },
    { equal: { title: 'x' } },
    { search: { part: 'x', host: 'x', siteId: 1 } },
  ]
  for (const search of asked) {
    const names = JSON.stringify(search)
    for (const plan of [await planOf(search, 7), await planOf({ ...search, userId: 7 }, null)]) {
      assert.ok(isOfUser(plan), `${names}: ${plan}`)
    }
  }
  const ofPlan = await planOf({ equal: { plan_id: 2 } }, null)
  assert.ok(ofPlan.includes('installs_of_plan (plan_id=? AND product_id=?'), ofPlan)
  const present = await planOf({}, null)
  assert.ok(present.includes('COVERING INDEX installs_present (product_id=?'), present)
})

test("a user's own list has every state too", async () => {
  const { json } = await asUser(app, owner)('GET', '/installs.json?filter=paying')
  assert.deepEqual(
    json.installs.map(({ id }: { id: string }) => id),
    [made['in the sandbox'], made['for a day'], made['for ever']],
  )
})
