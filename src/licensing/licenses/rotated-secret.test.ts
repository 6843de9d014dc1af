import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { TEST_SECRET } from '../../../test/secret.ts'
import { checkSealed } from '../../health/check-database.ts'
import { resealColumn } from '../../db/reseal.ts'
import { placeOf, SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import type { License } from './schema.ts'

const NEXT = 'the secret that came after, 32 characters long'
const during = Keyring.of(NEXT, [TEST_SECRET])
const afterwards = Keyring.of(NEXT)

let app: TestApp
let licenses: License[]
before(async () => {
  app = await startTestApp('licenses_rotated')
  const offer = await offerFor(app, 3)
  licenses = [await licenseOn(app, offer), await licenseOn(app, offer)]
})
after(() => app.close())

/** What a server with these secrets answers to a request with the rights of the product. */
async function post(keys: Keyring, path: string, body: object, token: string | null = null) {
  const server = await startServer({ ...app.ctx, keys })
  try {
    const reply = await fetch(`${server.address}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    return { status: reply.status, json: (await reply.json()) as { error: { code: string } } }
  } finally {
    await server.stop()
  }
}

const activate = (keys: Keyring, license: License | undefined, uid: string) =>
  post(keys, `/products/${app.seller.product.id}/licenses/activate.json`, {
    license_key: license?.secret_key,
    uid: uid.padEnd(32, '0'),
    url: `https://${uid}.example.com`,
    user_email: `${uid}@example.com`,
    first_name: 'Ada',
    last_name: 'Owner',
  })

async function rotate(keys: Keyring): Promise<void> {
  for (const column of SEALED_COLUMNS) await resealColumn(app.ctx.database, column, keys)
}

const migrate = async (keys: Keyring, key: string) => {
  const { planId, pricingId } = await offerFor(app, 1)
  const userId = await userOf(app, `${key}@example.com`)
  const path = `/products/${app.seller.product.id}/users/${userId}/plans/${planId}/pricing/${pricingId}.json`
  const body = {
    is_migration: true,
    source: 'EDD',
    billing_cycle: 0,
    payment_method: 'stripe',
    license_key: key,
    gross: 49.99,
    processed_at: '2025-12-31 00:00:00',
    payment_external_id: `of ${key}`,
  }
  return post(keys, path, body, app.seller.product.token)
}

test('a key that is kept under a former secret is not issued a second time', async () => {
  assert.equal((await migrate(Keyring.of(TEST_SECRET), 'edd-0123456789abcdef')).status, 200)
  const { status, json } = await migrate(during, 'edd-0123456789abcdef')
  assert.deepEqual([status, json.error.code], [400, 'license_key_taken'])
  assert.equal((await migrate(during, 'edd-9876543210fedcba')).status, 200)
})

test('license keys open their licenses when the secret they were issued under is gone', async () => {
  const [first, second] = licenses
  assert.equal((await activate(afterwards, first, 'early')).status, 404)
  await rotate(during)
  const activated = await activate(afterwards, first, 'first')
  assert.equal(activated.status, 200)
  assert.equal((await activate(afterwards, second, 'second')).status, 200)
  const rows = await app.ctx.db.selectFrom('licenses').select(['secret_key', 'key_hash']).execute()
  for (const { secret_key: sealed, key_hash: hash } of rows) {
    const key = afterwards.open(sealed, 'licenses.secret_key')
    assert.equal(afterwards.keyedHash(key, 'licenses.secret_key'), hash)
  }
})

test('hashes that an earlier rotation left are told by doctor, and made anew by the next rotation', async () => {
  const [first] = licenses
  const column = SEALED_COLUMNS.find((one) => placeOf(one) === 'licenses.secret_key')
  assert.ok(column && first)
  assert.equal((await checkSealed(app.ctx.database, during)).status, 'ok')
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('licenses')
      .set({ key_hash: Keyring.of(TEST_SECRET).keyedHash(first.secret_key, 'licenses.secret_key') })
      .where('id', '=', Number(first.id))
      .execute(),
  )
  const told = await checkSealed(app.ctx.database, afterwards)
  assert.equal(told.status, 'fail')
  assert.match(told.message, /licenses/)
  assert.equal((await activate(afterwards, first, 'third')).status, 404)
  assert.equal((await resealColumn(app.ctx.database, column, afterwards)).resealed, 1)
  assert.equal((await activate(afterwards, first, 'third')).status, 200)
})
