import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { licenseOn, mailsOf, offerFor, userOf } from '../../../test/licenses.ts'
import { createSeller } from '../../../test/factories.ts'
import { asMember } from '../../../test/team.ts'
import { runDue } from '../../jobs/worker.ts'
import { LEASE_MS } from './queries.ts'
import { runBulks } from './run-bulks-job.ts'

let app: TestApp
let owner: CallAs
let place: string
before(async () => {
  app = await startTestApp('bulk')
  owner = await asDeveloper(app)
  place = `/products/${app.seller.product.id}`
})
after(() => app.close())

let persons = 0

/** Licenses that end in a year, each of somebody else; their ids. */
async function licenses(count: number, body: object = {}): Promise<string[]> {
  const offer = await offerFor(app, 5)
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const email = `person${++persons}@example.com`
    await userOf(app, email)
    ids.push((await licenseOn(app, offer, { body: { email, period: 12, ...body } })).id)
  }
  return ids
}

const license = async (id: string) => (await owner('GET', `${place}/licenses/${id}.json`)).json

const ask = async (body: object): Promise<string> => {
  const { status, json, text } = await owner('POST', `${place}/bulk.json`, body)
  assert.equal(status, 202, text)
  return json.id
}

const read = async (id: string) => (await owner('GET', `${place}/bulk/${id}.json`)).json
const items = async (id: string, query = '') =>
  (await owner('GET', `${place}/bulk/${id}/items.json?count=50${query}`)).json.items

async function done(body: object) {
  const id = await ask(body)
  await runDue(app.ctx, [runBulks])
  const bulk = await read(id)
  assert.equal(bulk.state, 'done', JSON.stringify(bulk))
  return bulk
}

test('a bulk action does to each what the operation on one does, and tells one by one what is refused, and why', async () => {
  const [first = '', second = ''] = await licenses(2)
  const ends = (await license(first)).expiration
  const bulk = await done({
    action: 'licenses.extend',
    ids: `${first},${second},987654`,
    arguments: { days: 10 },
  })
  assert.deepEqual([bulk.total, bulk.done, bulk.failed], [3, 2, 1])
  const after = (await license(first)).expiration
  assert.equal(Date.parse(after) - Date.parse(ends), 10 * 86_400_000)
  const [failed, ...others] = await items(bulk.id, '&state=failed')
  assert.deepEqual([others, failed.id, failed.state, failed.code], [[], '987654', 'failed', 'not_found'])
  const told = (await items(bulk.id, '&state=done')).find(({ id }: { id: string }) => id === first)
  assert.deepEqual(told.changes, { expiration: [ends, after] })
  assert.equal((await owner('GET', `${place}/bulk/${bulk.id}/items.json?count=1`)).json.items.length, 1)
  await done({ action: 'licenses.resend', ids: second })
  const [latest, ...older] = (await owner('GET', `${place}/bulk.json?count=1`)).json.bulks
  assert.deepEqual([latest.action, older], ['licenses.resend', []])
  const events = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'license.extended')
    .execute()
  assert.equal(events.filter(({ data }) => data?.includes(`"${first}"`)).length, 1)
})

test('a dry run says what would happen to each and does nothing', async () => {
  const [first = ''] = await licenses(1)
  const before = await license(first)
  const mails = (await mailsOf(app, 'license')).length
  const count = async () => (await app.ctx.db.selectFrom('events').select('id').execute()).length
  const events = await count()
  const bulk = await done({ action: 'licenses.cancel', ids: `${first},987654`, dry_run: true })
  assert.deepEqual([bulk.is_dry_run, bulk.done, bulk.failed], [true, 1, 1])
  const [told] = await items(bulk.id, '&state=done')
  assert.deepEqual(told.changes.is_cancelled, [false, true])
  assert.deepEqual(await license(first), before)
  assert.deepEqual([await count(), (await mailsOf(app, 'license')).length], [events, mails])
  const again = await owner('POST', `${place}/bulk/${bulk.id}/retry.json`)
  assert.deepEqual([again.status, again.json.error.code], [400, 'bulk_not_done'])
})

test('a filter is that of the list, and everything that it has when it is read is done, whatever that changes', async () => {
  const ids = await licenses(4)
  const bulk = await done({ action: 'licenses.cancel', filter: { filter: 'active' } })
  assert.ok(bulk.done >= 4 && bulk.failed === 0)
  for (const id of ids) assert.equal((await license(id)).is_cancelled, true)
  const none = await done({ action: 'licenses.cancel', filter: { filter: 'active' }, dry_run: true })
  assert.equal(none.total, 0)
})

test('quota and other fields are changed, installs are let go and keys are mailed again, each by its own operation', async () => {
  const [id = ''] = await licenses(1)
  await done({ action: 'licenses.update', ids: id, arguments: { quota: 9 } })
  assert.equal((await license(id)).quota, 9)
  assert.equal((await done({ action: 'licenses.deactivate', ids: id })).done, 1)
  assert.equal((await done({ action: 'licenses.resend', ids: id })).done, 1)
  const { status, json } = await owner('POST', `${place}/coupons.json`, {
    code: 'BULK',
    discount: 10,
    discount_type: 'percentage',
  })
  assert.ok(status < 300, JSON.stringify(json))
  assert.equal((await done({ action: 'coupons.update', ids: json.id, arguments: { discount: 20 } })).done, 1)
  assert.equal((await owner('GET', `${place}/coupons/${json.id}.json`)).json.discount, 20)
  assert.equal((await done({ action: 'coupons.delete', ids: json.id })).done, 1)
  assert.equal((await owner('GET', `${place}/coupons/${json.id}.json`)).status, 404)
})

test('customers are sent no more news, or made beta testers, many at once; consent is given for none of them', async () => {
  const emails = ['many1@example.com', 'many2@example.com']
  const ids = await Promise.all(emails.map((email) => userOf(app, email)))
  const one = async (id: string) => (await owner('GET', `${place}/users/${id}.json`)).json
  for (const id of ids) await owner('PUT', `${place}/users/${id}.json`, { is_marketing_allowed: true })
  const off = { action: 'users.update', arguments: { is_marketing_allowed: false } }
  const dry = await done({ ...off, filter: { search: 'many' }, dry_run: true })
  assert.deepEqual([dry.total, dry.done, (await one(ids[0] ?? '')).is_marketing_allowed], [2, 2, true])
  const bulk = await done({ ...off, ids: `${ids.join(',')},987654` })
  assert.deepEqual([bulk.done, bulk.failed], [2, 1])
  const told = await items(bulk.id, '&state=done')
  assert.deepEqual(told[0].changes, { is_marketing_allowed: [true, false] })
  assert.equal((await items(bulk.id, '&state=failed'))[0].code, 'not_found')
  for (const id of ids) assert.equal((await one(id)).is_marketing_allowed, false)
  const events = await app.ctx.db
    .selectFrom('events')
    .select('user_id')
    .where('type', '=', 'user.marketing.opted_out')
    .execute()
  assert.deepEqual(events.map(({ user_id: id }) => String(id)).toSorted(), ids.toSorted())
  await done({ action: 'users.update', ids: ids[0], arguments: { is_beta: true } })
  assert.equal((await one(ids[0] ?? '')).is_beta, true)
  for (const given of [{ is_marketing_allowed: true }, { email: 'other@example.com' }]) {
    const asked = { action: 'users.update', ids: ids[0], arguments: given }
    const { status, json } = await owner('POST', `${place}/bulk.json`, asked)
    assert.deepEqual([status, json.error.details[0].field], [400, `arguments.${Object.keys(given)[0]}`])
  }
  for (const [role, may] of [
    ['support', 202],
    ['accountant', 401],
  ] as const) {
    const member = await asMember(app, role)
    assert.equal((await member('POST', `${place}/bulk.json`, { ...off, ids: ids[0] })).status, may, role)
  }
  await runDue(app.ctx, [runBulks])
})

test('what was refused is tried again, and nothing else', async () => {
  const [never = '', ends = ''] = [(await licenses(1))[0], (await licenses(1))[0]]
  await owner('PUT', `${place}/licenses/${never}.json`, { expiration: null })
  const bulk = await done({ action: 'licenses.extend', ids: `${never},${ends}`, arguments: { days: 1 } })
  assert.deepEqual([bulk.done, bulk.failed], [1, 1])
  const { expiration } = await license(ends)
  await owner('PUT', `${place}/licenses/${never}.json`, { expiration: '2027-01-01 00:00:00' })
  const again = await owner('POST', `${place}/bulk/${bulk.id}/retry.json`)
  assert.equal(again.status, 202)
  await runDue(app.ctx, [runBulks])
  const whole = await read(bulk.id)
  assert.deepEqual([whole.state, whole.done, whole.failed], ['done', 2, 0])
  assert.equal((await license(never)).expiration, '2027-01-02 00:00:00')
  assert.equal((await license(ends)).expiration, expiration)
})

test('wrong arguments are named before anything is begun', async () => {
  const refused = async (body: object) => {
    const { status, json } = await owner('POST', `${place}/bulk.json`, body)
    assert.ok(status === 400 || status === 402, String(status))
    return JSON.stringify(json.error.details)
  }
  const ids = '1'
  assert.match(await refused({ action: 'licenses.extend', ids }), /arguments\.days/)
  assert.match(await refused({ action: 'licenses.extend', ids, arguments: { days: 0 } }), /arguments\.days/)
  assert.match(
    await refused({ action: 'licenses.cancel', ids, arguments: { delete: true } }),
    /arguments\.delete/,
  )
  assert.match(
    await refused({ action: 'licenses.update', ids, arguments: { quota: 'many' } }),
    /arguments\.quota/,
  )
  assert.match(await refused({ action: 'licenses.cancel' }), /ids/)
  assert.match(await refused({ action: 'licenses.cancel', ids, filter: {} }), /filter/)
  assert.match(await refused({ action: 'licenses.cancel', filter: { color: 1 } }), /filter\.color/)
})

test('a role may do to many what it may do to one, and is shown no more', async () => {
  const developer = await asMember(app, 'developer')
  const [id = ''] = await licenses(1)
  const refused = await developer('POST', `${place}/bulk.json`, { action: 'licenses.cancel', ids: id })
  assert.deepEqual([refused.status, refused.json.error.code], [401, 'role_not_allowed'])
  const bulk = await done({ action: 'licenses.deactivate', ids: id })
  assert.equal((await developer('GET', `${place}/bulk/${bulk.id}.json`)).status, 404)
  const foreign = await app.write((tx) => createSeller(tx, 'another-of-bulk@example.com'))
  const another = await asDeveloper(app, foreign.developer)
  const theirs = `/products/${foreign.product.id}`
  assert.equal((await another('GET', `${theirs}/bulk/${bulk.id}.json`)).status, 404)
  const asked = await another('POST', `${theirs}/bulk.json`, { action: 'licenses.cancel', ids: id })
  await runDue(app.ctx, [runBulks])
  assert.equal((await another('GET', `${theirs}/bulk/${asked.json.id}.json`)).json.failed, 1)
  assert.equal((await license(id)).is_cancelled, false)
})

test('R04: a process that dies at any statement of a bulk action neither leaves out a row nor does one twice', async () => {
  const ids = await licenses(3)
  const at = async () => Promise.all(ids.map(async (id) => Date.parse((await license(id)).expiration)))
  for (let n = 1; ; n++) {
    const before = await at()
    const id = await ask({ action: 'licenses.extend', ids: ids.join(','), arguments: { days: 1 } })
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [runBulks]).catch(() => {})
    const isOver = !dying.isDead()
    await dying.close()
    app.ctx.clock.advance(LEASE_MS + 1000)
    await runDue(app.ctx, [runBulks])
    const bulk = await read(id)
    assert.deepEqual([bulk.state, bulk.done, bulk.failed], ['done', 3, 0], `dead at statement ${n}`)
    const moved = (await at()).map((end, place) => (end - (before[place] ?? 0)) / 86_400_000)
    assert.deepEqual(moved, [1, 1, 1], `dead at statement ${n}`)
    if (isOver) return assert.ok(n > 20, `${n} statements`)
  }
})

test('R04: the rows of a filter that are noted when a process dies are noted once', async () => {
  const ids = await licenses(2)
  for (let n = 1; ; n++) {
    const id = await ask({ action: 'licenses.update', filter: {}, arguments: { quota: 7 }, dry_run: true })
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [runBulks]).catch(() => {})
    const isOver = !dying.isDead() || n > 14
    await dying.close()
    app.ctx.clock.advance(LEASE_MS + 1000)
    await runDue(app.ctx, [runBulks])
    const bulk = await read(id)
    const all = await app.ctx.db
      .selectFrom('licenses')
      .select('id')
      .where('product_id', '=', app.seller.product.id)
      .execute()
    assert.deepEqual(
      [bulk.state, bulk.total, bulk.done],
      ['done', all.length, all.length],
      `dead at statement ${n}`,
    )
    if (isOver) return assert.ok(ids.length > 0)
  }
})

test('two workers beside each other do each row once', async () => {
  const ids = await licenses(10)
  const other = anotherProcess(app)
  const id = await ask({ action: 'licenses.extend', ids: ids.join(','), arguments: { days: 1 } })
  await Promise.all([runDue(app.ctx, [runBulks]), runDue(other.ctx, [runBulks])])
  await other.close()
  const bulk = await read(id)
  assert.deepEqual([bulk.state, bulk.done], ['done', 10])
  const ends = new Set(await Promise.all(ids.map(async (one) => (await license(one)).expiration)))
  assert.equal(ends.size, 1)
})

test('while ten bulk actions of an account wait it can ask for no more', async () => {
  const [one = ''] = await licenses(1)
  const named = { action: 'licenses.extend', ids: one, arguments: { days: 1 } }
  const start = () => owner('POST', `${place}/bulk.json`, named)
  const replies = await Promise.all(Array.from({ length: 14 }, start))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array.from({ length: 10 }, () => 202),
    ...Array.from({ length: 4 }, () => 400),
  ])
  await runDue(app.ctx, [runBulks])
  assert.equal((await start()).status, 202)
})

test('what is tried again counts among the ten of an account', async () => {
  const [never = '', one = ''] = await licenses(2)
  await owner('PUT', `${place}/licenses/${never}.json`, { expiration: null })
  const given = { action: 'licenses.extend', arguments: { days: 1 } }
  const bulks = [await done({ ...given, ids: never }), await done({ ...given, ids: never })]
  for (let n = 0; n < 9; n++) await ask({ ...given, ids: one })
  const replies = await Promise.all(bulks.map(({ id }) => owner('POST', `${place}/bulk/${id}/retry.json`)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [202, 400])
  const refused = replies.find(({ status }) => status === 400)
  assert.equal(refused?.json.error.code, 'too_many_waiting')
  await runDue(app.ctx, [runBulks])
})
