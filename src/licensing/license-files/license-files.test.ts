// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asPublic } from '../../../test/callers.ts'
import { licenseOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { verify, type Options, type Verified } from '../../../test/license-files/verify.ts'
import { putLicenseOn } from '../activation/license-on-install.ts'
import { systemScope } from '../../access/scope.ts'
import { hashToken, newInstallToken } from '../../lib/credentials.ts'
import { DAY, HOUR, MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { createInstall } from '../installs/create.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('license_files')
})
after(() => app.close())

const ALL_DAYS = 30
const product = () => app.seller.product
const fileOf = (license: { id: string }, body: object = {}) =>
  app.call('POST', `/products/${product().id}/licenses/${license.id}/file.json`, { body })
const publicKeys = async () => (await asPublic(app)('GET', '/license_keys.json')).json.keys
const seconds = () => app.ctx.clock.real() / SECOND

async function verified(file: string, options: Partial<Options> = {}): Promise<Verified> {
  const keys = await publicKeys()
  return verify(file, { publicKeys: keys, productId: product().id, now: seconds(), ...options })
}

const setLicense = (id: string, change: object) =>
  app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set(change).where('id', '=', Number(id)).execute(),
  )

const UNUSED = 'e'.repeat(32)
let people = 0

interface At {
  readonly uid: string
  readonly id: number
  readonly userId: number
  readonly token: string
}

/** An install of a person of its own, on which the license is active, with a token of its own. */
async function activeOn(licenseId: string | null): Promise<At> {
  const userId = Number(await userOf(app, `person-${++people}@example.com`))
  const uid = String(people).padStart(32, 'f')
  const token = newInstallToken()
  const owner = { developerId: app.seller.developer.id, productId: product().id }
  const id = await app.write(async (tx) => {
    const { install } = await createInstall(tx, systemScope(owner), { user_id: userId, uid })
    if (licenseId !== null)
      await putLicenseOn(tx, systemScope(owner), { installId: install.id, licenseId: Number(licenseId) })
    const created = tx.clock.now()
    const row = { install_id: install.id, token_hash: hashToken(token), created }
    await tx.db.insertInto('install_tokens').values(row).execute()
    return install.id
  })
  return { uid, id, userId, token }
}

describe('a license file', () => {
  test('says what the license allows, is good for 30 days, and the verifier takes it', async () => {
    const offer = await offerFor(app, 5)
    const license = await licenseOn(app, offer)
    const { status, json, text } = await fileOf(license)
    assert.equal(status, 200, text)
    assert.deepEqual(
      { ...json, file: '' },
      {
        plugin_id: String(product().id),
        license_id: license.id,
        uid: null,
        kid: (await publicKeys())[0].kid,
        issued: '2026-01-31 10:00:00',
        expires: '2026-03-02 10:00:00',
        ttl: ALL_DAYS * (DAY / SECOND),
        file: '',
      },
    )
    const plan = (await app.call('GET', `/products/${product().id}/plans/${offer.planId}.json`)).json
    assert.deepEqual(await verified(json.file), {
      valid: true,
      code: 'valid',
      product: { id: String(product().id), title: 'First product' },
      license: {
        id: license.id,
        quota: 5,
        expiration: license.expiration,
        is_block_features: true,
        is_whitelabeled: false,
        environment: 0,
      },
      plan: { id: plan.id, name: plan.name, title: plan.title },
      features: [{ id: String(offer.featureId), title: `Feature of ${plan.name}`, value: '10 GB' }],
      uid: null,
      issued: seconds(),
      expires: seconds() + 30 * (DAY / SECOND),
      ttl: 30 * (DAY / SECOND),
    })
  })

  test('never holds the license key', async () => {
    const license = await licenseOf(app)
    const { json } = await fileOf(license)
    const envelope = Buffer.from(json.file.split('\n').slice(1, -2).join(''), 'base64').toString()
    const { payload } = JSON.parse(envelope)
    assert.ok(!Buffer.from(payload, 'base64url').toString().includes(license.secret_key))
  })

  test('is good until the very second it was asked for: 1 hour to 1 year', async () => {
    const license = await licenseOf(app, 1, { body: { is_block_features: false, period: undefined } })
    for (const ttl of [HOUR / SECOND, (365 * DAY) / SECOND]) {
      const { json } = await fileOf(license, { ttl })
      assert.equal((await verified(json.file, { now: seconds() + ttl - 1 })).code, 'valid')
      assert.equal((await verified(json.file, { now: seconds() + ttl })).code, 'expired')
    }
    for (const ttl of [HOUR / SECOND - 1, (365 * DAY) / SECOND + 1, 0, -1, 1.5, 'soon']) {
      assert.equal((await fileOf(license, { ttl })).status, 400, String(ttl))
    }
  })

  test('ends with a license that ends its features, and outlives one that does not', async () => {
    const license = await licenseOf(app)
    const soon = app.ctx.clock.real() + 90 * MINUTE
    await setLicense(license.id, { expiration: toUtcTime(soon) })
    assert.equal((await fileOf(license)).json.expires, toUtcTime(soon))
    await setLicense(license.id, { is_block_features: false })
    assert.equal((await fileOf(license)).json.expires, '2026-03-02 10:00:00')
    await setLicense(license.id, { is_trial: true })
    const { json } = await fileOf(license)
    assert.equal(json.expires, toUtcTime(soon))
    const { license: told } = (await verified(json.file)) as never as { license: object }
    assert.deepEqual({ ...told, is_block_features: true }, told)
  })

  test('is refused for a license that is cancelled, or blocks its features and has expired', async () => {
    const license = await licenseOf(app)
    const now = app.ctx.clock.now()
    const codeOf = async () => {
      const { status, json } = await fileOf(license)
      return status === 200 ? 'given' : `${status} ${json.error.code}`
    }
    await setLicense(license.id, { expiration: now })
    assert.equal(await codeOf(), '400 license_expired')
    await setLicense(license.id, { is_block_features: false })
    assert.equal(await codeOf(), 'given')
    await setLicense(license.id, { is_trial: true })
    assert.equal(await codeOf(), '400 license_expired')
    await setLicense(license.id, { expiration: null, is_cancelled: true })
    assert.equal(await codeOf(), '400 license_cancelled')
  })

  test("of another product's license is not found", async () => {
    const license = await licenseOf(app, 1, { product: app.seller.other })
    assert.equal((await fileOf(license)).status, 404)
  })
})

describe('a file that is bound to an install', () => {
  test('is good there only', async () => {
    const license = await licenseOf(app)
    const { uid } = await activeOn(license.id)
    const { json } = await fileOf(license, { uid })
    assert.equal(json.uid, uid)
    assert.equal((await verified(json.file, { uid })).code, 'valid')
    assert.equal((await verified(json.file, { uid: UNUSED })).code, 'wrong_machine')
    assert.equal((await verified(json.file)).code, 'wrong_machine')
  })

  test('is refused where the license is not active: 404, and 400 for what is no uid', async () => {
    const license = await licenseOf(app, 2)
    const { uid } = await activeOn(null)
    assert.equal((await fileOf(license, { uid })).status, 404)
    assert.equal((await fileOf(license, { uid: 'f'.repeat(32) })).status, 404)
    const short = await fileOf(license, { uid: 'short' })
    assert.deepEqual([short.status, short.json.error.code], [400, 'invalid_uid'])
  })

  test('is the only one a user gets, for its own license, whoever owns the install', async () => {
    const license = await licenseOf(app, 3)
    const { uid, userId } = await activeOn(license.id)
    await setLicense(license.id, { user_id: null })
    const call = async (user: number, body: object) => {
      const owner = { developerId: app.seller.developer.id, productId: product().id, userId: user }
      const { access } = await app.write((tx) => issueAccessToken(tx, owner as never))
      return app.call('POST', `/users/${user}/products/${product().id}/licenses/${license.id}/file.json`, {
        token: null,
        headers: { authorization: `FSA ${user}:${access}` },
        body,
      })
    }
    // Said of the license, so that nobody learns where another one is active.
    for (const { status, json } of [await call(userId, { uid }), await call(userId, { uid: UNUSED })]) {
      assert.deepEqual([status, json.error.message], [404, 'There is no such license.'])
    }
    const owner = Number(await userOf(app, 'owner@example.com'))
    await setLicense(license.id, { user_id: owner })
    const reply = await call(owner, { uid })
    assert.equal(reply.status, 200, reply.text)
    assert.equal((await verified(reply.json.file, { uid })).code, 'valid')
    const unbound = await call(owner, {})
    assert.deepEqual([unbound.status, unbound.json.error.code], [402, 'missing_argument'])
    assert.equal((await call(owner, { uid: (await activeOn(null)).uid })).status, 404)
  })

  test('is what an install gets for itself, and for no other install or license', async () => {
    const license = await licenseOf(app, 2)
    const [here, there] = [await activeOn(license.id), await activeOn(license.id)]
    const other = await licenseOf(app)
    const call = (id: string, body: object) =>
      app.call('POST', `/installs/${here.id}/licenses/${id}/file.json`, { token: here.token, body })
    const { json, text } = await call(license.id, {})
    assert.equal(json?.uid, here.uid, text)
    assert.equal((await verified(json.file, { uid: here.uid })).code, 'valid')
    assert.equal((await call(license.id, { uid: here.uid })).status, 200)
    assert.equal((await call(license.id, { uid: there.uid })).status, 404)
    assert.equal((await call(other.id, {})).status, 404)
  })
})
