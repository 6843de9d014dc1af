import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { activateOn, eventsOfLicense, installOf, licenseOf, userOf } from '../../../test/licenses.ts'
import type { License } from './schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('licenses_update')
})
after(() => app.close())

const pathOf = (id: string, rest = '') => `/products/${app.seller.product.id}/licenses/${id}${rest}.json`
const put = (id: string, body: object) => app.call('PUT', pathOf(id), { body })
const read = async (id: string): Promise<License> => (await app.call('GET', pathOf(id))).json
const lastEvents = async (id: string) =>
  (await eventsOfLicense(app, id)).slice(1).map(({ type, data }) => ({ type, data }))
const noticeOf = (id: string) =>
  app.ctx.db
    .selectFrom('licenses')
    .select(['notice', 'notice_at'])
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()

test('a later end extends a license, an earlier one shortens it, and each is its own event', async () => {
  const { id } = await licenseOf(app)
  const later = await put(id, { expiration: '2028-01-31 10:00:00' })
  assert.equal(later.status, 200)
  assert.equal(later.json.expiration, '2028-01-31 10:00:00')
  await put(id, { expiration: '2026-06-30' })
  assert.equal((await read(id)).expiration, '2026-06-30 23:59:59', 'a date alone counts to its end')
  assert.deepEqual(await lastEvents(id), [
    {
      type: 'license.extended',
      data: { license_id: id, from: '2027-01-31 10:00:00', to: '2028-01-31 10:00:00' },
    },
    {
      type: 'license.shortened',
      data: { license_id: id, from: '2028-01-31 10:00:00', to: '2026-06-30 23:59:59' },
    },
  ])
})

test('an end that is lifted or set anew is an update, as extended names two times', async () => {
  const { id } = await licenseOf(app)
  assert.equal((await put(id, { expiration: null })).json.expiration, null)
  await put(id, { expiration: '2027-01-31 10:00:00' })
  const [lifted] = await lastEvents(id)
  assert.deepEqual(lifted, {
    type: 'license.updated',
    data: { license_id: id, from: { expiration: '2027-01-31 10:00:00' }, to: { expiration: null } },
  })
})

test('what has no event of its own is one update, however much of it changes', async () => {
  const { id } = await licenseOf(app)
  await put(id, { expiration: null, is_block_features: false, quota: 7 })
  const events = await lastEvents(id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['license.quota.changed', 'license.updated'],
  )
  assert.deepEqual(events[1]?.data['to'], { is_block_features: false, expiration: null })
})

test('the notices of a license begin anew with its end, and end with its cancellation', async () => {
  const { id } = await licenseOf(app)
  assert.deepEqual({ ...(await noticeOf(id)) }, { notice: 0, notice_at: '2027-01-01 10:00:00' })
  await put(id, { expiration: '2026-02-05 10:00:00' })
  assert.deepEqual({ ...(await noticeOf(id)) }, { notice: 2, notice_at: '2026-02-03 10:00:00' })
  await put(id, { expiration: null })
  assert.equal((await noticeOf(id)).notice_at, null)
  await put(id, { expiration: '2027-01-31 10:00:00' })
  await app.call('DELETE', pathOf(id))
  assert.equal((await noticeOf(id)).notice_at, null)
  await put(id, { expiration: '2029-01-31 10:00:00' })
  assert.equal((await noticeOf(id)).notice_at, null, 'a cancelled license has none')
})

test('a license that was told to have ended is not told so again for another end in the past', async () => {
  const { id } = await licenseOf(app)
  await put(id, { expiration: '2026-01-30 10:00:00' })
  const due = await noticeOf(id)
  assert.deepEqual({ ...due }, { notice: 3, notice_at: '2026-01-30 10:00:00' })
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ notice: 5, notice_at: null }).where('id', '=', Number(id)).execute(),
  )
  await put(id, { expiration: '2026-01-29 10:00:00' })
  assert.deepEqual({ ...(await noticeOf(id)) }, { notice: 5, notice_at: null })
  await put(id, { expiration: '2026-12-31 10:00:00' })
  assert.equal((await noticeOf(id)).notice, 0)
})

test('the quota changes, 0 and null are unlimited, and a lower one deactivates nothing', async () => {
  const license = await licenseOf(app, 2)
  const { id } = license
  const userId = await userOf(app, 'quota@example.com')
  for (let n = 0; n < 2; n++) await activateOn(app, license, await installOf(app, { userId }))
  assert.equal((await put(id, { quota: 1 })).json.quota, 1)
  assert.equal((await read(id)).activated, 2)
  assert.equal((await put(id, { quota: 0 })).json.quota, null)
  assert.equal((await put(id, { quota: null })).json.quota, null)
  const events = (await lastEvents(id)).filter(({ type }) => type === 'license.quota.changed')
  assert.deepEqual(
    events.map(({ data }) => [data['from'], data['to']]),
    [
      [2, 1],
      [1, null],
    ],
  )
})

test('the owner changes to a user of the product or to nobody, and to nobody else', async () => {
  const { id } = await licenseOf(app)
  const userId = await userOf(app, 'owner@example.com')
  const elsewhere = await userOf(app, 'elsewhere@example.com', app.seller.other)
  assert.equal((await put(id, { new_user_id: userId })).json.user_id, userId)
  const refused = await put(id, { new_user_id: elsewhere, quota: 9 })
  assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'new_user_id'])
  assert.notEqual((await read(id)).quota, 9, 'nothing of a refused change is kept')
  assert.equal((await put(id, { new_user_id: null })).json.user_id, null)
  const events = (await lastEvents(id)).filter(({ type }) => type === 'license.ownership.changed')
  assert.deepEqual(
    events.map(({ data }) => [data['from'], data['to']]),
    [
      [null, userId],
      [userId, null],
    ],
  )
})

test('flags are an update that names what changed, and what stays writes nothing', async () => {
  const license = await licenseOf(app)
  const { id } = license
  await put(id, { is_block_features: false, is_whitelabeled: true, is_free_localhost: true })
  const after = await read(id)
  assert.deepEqual(
    [after.is_block_features, after.is_whitelabeled, after.is_free_localhost],
    [false, true, true],
  )
  const again = await put(id, {
    is_block_features: false,
    quota: license.quota,
    expiration: license.expiration,
  })
  assert.equal(again.status, 200)
  assert.deepEqual(await lastEvents(id), [
    {
      type: 'license.updated',
      data: {
        license_id: id,
        from: { is_block_features: true, is_whitelabeled: false },
        to: { is_block_features: false, is_whitelabeled: true },
      },
    },
  ])
})

test('fifty changes of quota at once leave the events one after the other', async () => {
  const { id } = await licenseOf(app, 100)
  await Promise.all(Array.from({ length: 50 }, (_, n) => put(id, { quota: n + 1 })))
  const steps = (await lastEvents(id)).map(({ data }) => data)
  assert.equal(steps.length, 50)
  for (const [index, step] of steps.entries()) {
    assert.equal(step['from'], index === 0 ? 100 : steps[index - 1]?.['to'])
  }
  assert.equal((await read(id)).quota, steps.at(-1)?.['to'])
})

test('a license is taken off all its installs, which gives every place back', async () => {
  const license = await licenseOf(app, 3)
  const userId = await userOf(app, 'many@example.com')
  const installs = [
    await installOf(app, { userId, url: 'https://one.example.org' }),
    await installOf(app, { userId, url: 'https://two.example.org' }),
    await installOf(app, { userId, url: 'http://localhost:8080' }),
  ]
  for (const install of installs) await activateOn(app, license, install)
  const before = await read(license.id)
  assert.deepEqual([before.activated, before.activated_local], [2, 1])
  const { status, json } = await app.call('DELETE', pathOf(license.id, '/installs'))
  assert.deepEqual([status, json.activated, json.activated_local], [200, 0, 0])
  const left = await app.ctx.db
    .selectFrom('installs')
    .select('id')
    .where('license_id', '=', Number(license.id))
    .execute()
  assert.equal(left.length, 0)
  const types = (await lastEvents(license.id)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'license.deactivated').length, 3)
})

test('a developer has activations counted anew from installs', async () => {
  const license = await licenseOf(app, 5)
  const userId = await userOf(app, 'counted@example.com')
  await activateOn(app, license, await installOf(app, { userId, url: 'https://counted.example.org' }))
  await activateOn(app, license, await installOf(app, { userId, url: 'https://dev.example.org.test' }))
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('licenses')
      .set({ activated: 4, activated_local: 9 })
      .where('id', '=', Number(license.id))
      .execute(),
  )
  const as = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/licenses/${license.id}/installs/sync.json`
  const { status, json } = await as('POST', path)
  assert.deepEqual([status, json.activated, json.activated_local], [200, 1, 1])
  assert.equal((await as('POST', path.replace(license.id, '987654321'))).status, 404)
})

test('a license of nobody is given to a person once, however many try at once', async () => {
  const { secret_key: key, id } = await licenseOf(app)
  const assign = (email: string) =>
    app.call('PUT', `/products/${app.seller.product.id}/licenses.json`, {
      body: { license_key: encodeURIComponent(key), email, name: 'New Owner', is_marketing_allowed: true },
    })
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => assign(`new-owner-${n}@example.com`)))
  const won = replies.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  assert.ok(replies.every(({ status, json }) => status === 200 || json.error.code === 'license_owned'))
  const license = await read(id)
  assert.equal(license.user_id, won[0]?.json.user_id)
  const users = await app.ctx.db
    .selectFrom('users')
    .select(['id', 'first'])
    .where('email', 'like', 'new-owner-%')
    .execute()
  assert.deepEqual(
    users.map((user) => [String(user.id), user.first]),
    [[license.user_id, 'New']],
  )
  const unknown = await app.call('PUT', `/products/${app.seller.product.id}/licenses.json`, {
    body: { license_key: 'sk_unknown', email: 'x@example.com' },
  })
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'invalid_license_key'])
})
