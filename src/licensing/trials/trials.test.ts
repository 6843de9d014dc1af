import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { connectedInstall } from '../../../test/opt-in.ts'
import { signed } from '../../../test/security/signing.ts'
import { expire } from '../notices/expire-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, SECOND, toRfc2822, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('trials')
  offer = await offerFor(app, 5, { plan: { trial_period: 14, is_block_features: false } })
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

let people = 0
const END = START + 14 * DAY

async function freshInstall(told = {}) {
  const email = `tries${++people}@example.com`
  const userId = await userOf(app, email)
  return { ...(await connectedInstall(app, userId, told)), email }
}

const product = () => `/products/${app.seller.product.id}`
const start = (installId: number, body: object = {}, planId = offer.planId) =>
  app.call('POST', `${product()}/installs/${installId}/plans/${planId}/trials.json`, { body })
/** Starts it as the install itself, signed by its keys. */
function startItself(install: Awaited<ReturnType<typeof freshInstall>>, planId: number, body = {}) {
  const secretKey = app.ctx.keys.open(install.secret_key, 'installs.secret_key')
  const keys = { id: install.id, publicKey: install.public_key, secretKey }
  const path = `/installs/${install.id}/plans/${planId}/trials.json`
  const text = JSON.stringify(body)
  const call = { method: 'POST', path: `/v1${path}`, body: text }
  const date = toRfc2822(app.ctx.clock.real())
  const { headers = {} } = signed(keys, call, { date, signedType: 'application/json' })
  return app.call('POST', path, { token: null, headers: headers as Record<string, string>, body: text })
}
const cancel = (installId: number, query = '') =>
  app.call('DELETE', `${product()}/installs/${installId}/trials.json${query}`)
const licenseRow = (id: string) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
const installRow = (id: number) =>
  app.ctx.db.selectFrom('installs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function eventsOf(installId: number) {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('install_id', '=', installId)
    .orderBy('id')
    .execute()
  return rows.map(({ type, data }) => ({ type, data: JSON.parse(data ?? 'null') }))
}
const typesOf = async (installId: number) => (await eventsOf(installId)).map(({ type }) => type)

async function runAt(ms: number) {
  app.ctx.clock.set(ms)
  await app.ctx.database.transaction((db) =>
    db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', 'expire').execute(),
  )
  await runDue(app.ctx, [expire])
}

test("a trial runs for the plan's period, with a license for its install that blocks features", async () => {
  const { id } = await freshInstall()
  const { status, json } = await start(id)
  assert.equal(status, 200)
  const { trial } = json
  assert.equal(trial.trial_ends_at, toUtcTime(END))
  assert.deepEqual(
    [trial.with_payment_method, trial.canceled_at, trial.converted_at, trial.environment],
    [false, null, null, 0],
  )
  const license = await licenseRow(trial.license_id)
  const { is_trial, is_block_features, quota, activated, expiration, plan_id } = license
  assert.deepEqual(
    { is_trial, is_block_features, quota, activated, expiration, plan_id },
    {
      is_trial: true,
      is_block_features: true,
      quota: 1,
      activated: 1,
      expiration: toUtcTime(END),
      plan_id: offer.planId,
    },
  )
  const install = await installRow(id)
  assert.deepEqual(
    [install.trial_plan_id, install.trial_ends, install.license_id],
    [offer.planId, toUtcTime(END), license.id],
  )
  const types = await typesOf(id)
  assert.ok(types.includes('install.trial.started'))
})

test('an install tries once in its life, also when ten ask at once', async () => {
  const { id } = await freshInstall()
  const replies = await Promise.all(Array.from({ length: 10 }, () => start(id)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array<number>(9).fill(400)])
  const refused = replies.find(({ status }) => status === 400)
  assert.equal(refused?.json.error.code, 'trial_utilized')
  assert.equal((await cancel(id)).status, 200)
  assert.equal((await start(id)).json.error.code, 'trial_utilized')
  const trials = await app.ctx.db.selectFrom('trials').select('id').where('install_id', '=', id).execute()
  const licenses = await app.ctx.db
    .selectFrom('licenses')
    .innerJoin('installs', 'installs.user_id', 'licenses.user_id')
    .select('licenses.id')
    .where('installs.id', '=', id)
    .execute()
  assert.deepEqual([trials.length, licenses.length], [1, 1])
})

test('a wanted end may shorten the trial, and not lie in the past or past the period', async () => {
  const { id } = await freshInstall()
  for (const trial_ends of [toUtcTime(END + SECOND), toUtcTime(START), 'tomorrow']) {
    const { status, json } = await start(id, { trial_ends })
    assert.equal(status, 400)
    assert.equal(json.error.details[0].field, 'trial_ends')
  }
  const wanted = toUtcTime(START + 3 * DAY)
  assert.equal((await start(id, { trial_ends: wanted })).json.trial.trial_ends_at, wanted)
})

test('a plan without trial is not tried, nor is an install that has a license', async () => {
  const { id } = await freshInstall()
  const plain = await offerFor(app, 1)
  assert.equal((await start(id, {}, plain.planId)).json.error.code, 'trial_not_available')
  const { secret_key } = await licenseOn(app, offer)
  const put = await app.call('PUT', `${product()}/installs/${id}.json`, { body: { license_key: secret_key } })
  assert.equal(put.status, 200, put.text)
  assert.equal((await start(id)).json.error.code, 'license_activated')
  assert.equal((await start(987654)).status, 404)
})

test('a trial that takes a method of payment is started by the seller, not by the install', async () => {
  const paid = await offerFor(app, 1, { plan: { trial_period: 7, is_require_subscription: true } })
  const install = await freshInstall()
  const own = await startItself(install, paid.planId)
  assert.deepEqual([own.status, own.json.error.code], [400, 'trial_not_available'])
  assert.equal((await start(install.id, {}, paid.planId)).status, 200)
})

test('a migrated trial records no event and mails nobody', async () => {
  const { id, email } = await freshInstall()
  const count = async () => (await app.ctx.db.selectFrom('events').select('id').execute()).length
  const [events, mails] = [await count(), (await mailsTo(app, email)).length]
  assert.equal((await start(id, { is_migration: true })).status, 200)
  assert.deepEqual([await count(), (await mailsTo(app, email)).length], [events, mails])
  const install = await freshInstall()
  assert.equal((await startItself(install, offer.planId, { is_migration: true })).status, 200)
  assert.ok((await typesOf(install.id)).includes('install.trial.started'), 'an install cannot hush it up')
})

test('a proof of sandbox mode makes a sandbox trial; a wrong or old one is refused', async () => {
  const { id } = await freshInstall()
  const { publicKey, secretKey } = app.seller.product
  const proof = (seconds: number, planId = offer.planId) => ({
    trial_timestamp: String(seconds),
    trial_token: hash('md5', `${secretKey}${publicKey}14${planId}${seconds}`),
  })
  const now = START / SECOND
  const code = async (body: object) => (await start(id, body)).json.error.code
  assert.equal(await code({ ...proof(now), trial_token: 'f'.repeat(32) }), 'invalid_trial_token')
  assert.equal(await code({ ...proof(now), trial_timestamp: String(now + 1) }), 'invalid_trial_token')
  assert.equal(await code(proof(now - 901)), 'invalid_trial_token')
  assert.equal(await code(proof(now, 999)), 'invalid_trial_token')
  const { json } = await start(id, proof(now - 900))
  assert.equal(json.trial.environment, 1)
  assert.equal((await licenseRow(json.trial.license_id)).environment, 1)
})

test('cancelling ends the trial now, once, and says why', async () => {
  const { id } = await freshInstall()
  const { trial } = (await start(id)).json
  app.ctx.clock.set(START + 3 * DAY + HOUR)
  const replies = await Promise.all([1, 2, 3].map(() => cancel(id, '?reason_ids=6,15&reason=Too%20dear')))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400])
  const { json } = replies.find(({ status }) => status === 200) ?? { json: null }
  assert.deepEqual([json.trial_plan_id, json.trial_ends, json.license_id], [null, null, null])
  const license = await licenseRow(trial.license_id)
  assert.deepEqual([license.is_cancelled, license.activated, license.notice_at], [true, 0, null])
  const cancelled = (await eventsOf(id)).filter(({ type }) => type === 'install.trial.cancelled')
  assert.deepEqual(cancelled, [
    {
      type: 'install.trial.cancelled',
      data: {
        trial_plan_id: String(offer.planId),
        days_after: 3,
        reason_ids: '6,15',
        reason: 'Too dear',
      },
    },
  ])
  await runAt(END + DAY)
  const types = await typesOf(id)
  assert.ok(!types.includes('install.trial.expired'))
  assert.equal((await cancel(id, '?reason_ids=16')).status, 400)
})

test('two days before its end a trial is mailed about, and at its end it is over, each once', async () => {
  const { id, email } = await freshInstall()
  const { trial } = (await start(id)).json
  await runAt(END - 2 * DAY - SECOND)
  assert.ok(!(await typesOf(id)).includes('install.trial_expiring_notice.sent'))
  await runAt(END - 2 * DAY)
  await runAt(END - DAY)
  const kinds = (await mailsTo(app, email)).map(({ kind }) => kind)
  assert.deepEqual(
    kinds.filter((kind) => kind !== 'confirm_email'),
    ['trial_expiring'],
  )
  await runAt(END - SECOND)
  assert.equal((await installRow(id)).trial_plan_id, offer.planId)
  await runAt(END)
  await runAt(END + DAY)
  const install = await installRow(id)
  assert.deepEqual([install.trial_plan_id, install.trial_ends, install.license_id], [null, null, null])
  const license = await licenseRow(trial.license_id)
  assert.deepEqual([license.activated, license.activated_local], [0, 0])
  const types = await typesOf(id)
  const count = (type: string) => types.filter((one) => one === type).length
  assert.equal(count('install.trial_expiring_notice.sent'), 1)
  assert.equal(count('install.trial.expired'), 1)
  const expired = await app.ctx.db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'license.expired')
    .where('data', '=', JSON.stringify({ license_id: trial.license_id }))
    .execute()
  assert.equal(expired.length, 1)
})

test('after a week of standstill a trial is over, and nobody is mailed that it will be', async () => {
  const { id, email } = await freshInstall()
  await start(id)
  await runAt(END + 7 * DAY)
  const types = await typesOf(id)
  assert.ok(types.includes('install.trial.expired'))
  assert.ok(!types.includes('install.trial_expiring_notice.sent'))
  assert.ok(!(await mailsTo(app, email)).some(({ kind }) => kind === 'trial_expiring'))
})

test('a seller who moves the end of a trial moves that of its license and its notices', async () => {
  const { id } = await freshInstall()
  const { trial } = (await start(id)).json
  const later = END + 10 * DAY
  const body = { trials_ends: toUtcTime(later) }
  const moved = await app.call('PUT', `${product()}/installs/${id}.json`, { body })
  assert.equal(moved.status, 200, moved.text)
  assert.equal((await licenseRow(trial.license_id)).expiration, toUtcTime(later))
  await runAt(END)
  assert.equal((await installRow(id)).trial_plan_id, offer.planId)
  await runAt(later)
  assert.equal((await installRow(id)).trial_plan_id, null)
  const types = await typesOf(id)
  assert.equal(types.filter((type) => type === 'install.trial.expired').length, 1)
})

test('an install that bought a license during its trial keeps it when the trial is over', async () => {
  const { id } = await freshInstall()
  await start(id)
  const { id: bought, secret_key } = await licenseOn(app, offer)
  await app.call('PUT', `${product()}/installs/${id}.json`, { body: { license_key: secret_key } })
  await runAt(END)
  const install = await installRow(id)
  assert.deepEqual([install.license_id, install.trial_plan_id], [Number(bought), null])
})

test('trials are listed newest first, by when they were started', async () => {
  const ids: string[] = []
  const started = START + 1000 * DAY
  for (let n = 0; n < 3; n++) {
    const { id } = await freshInstall()
    app.ctx.clock.set(started + n * DAY)
    ids.push((await start(id)).json.trial.id)
  }
  const list = async (query: string) => {
    const { json } = await app.call('GET', `${product()}/trials.json?${query}`)
    return json.trials.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await list('count=3'), ids.toReversed())
  assert.deepEqual(await list('count=1&offset=1'), [ids[1]])
  const [from, to] = [toUtcTime(started + DAY), toUtcTime(started + DAY)].map(encodeURIComponent)
  assert.deepEqual(await list(`from=${from}&to=${to}`), [ids[1]])
  assert.deepEqual(await list(`from=${from}`), [ids[2], ids[1]])
  assert.equal((await app.call('GET', `${product()}/trials.json?from=yesterday`)).status, 400)
  const other = await app.call('GET', `/products/${app.seller.other.id}/trials.json`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(other.json.trials, [])
})
