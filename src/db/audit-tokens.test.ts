import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { hashToken } from '../lib/credentials.ts'
import { linkHash, verifyAuditChain } from '../access/verify-audit.ts'
import { maskedAddressOf } from '../events/listeners/address.ts'
import { migrate } from './migrate.ts'
import { sealClear } from './seal-clear.ts'

let old: TestDatabase
let app: TestApp
before(async () => {
  old = await createEmptyDatabase('audit_tokens')
  app = await startTestApp('seal_clear')
})
after(async () => {
  await old.drop()
  await app.close()
})

/** Before tokens of checkouts were hashed. */
const BEFORE = 25
const TOKEN = 'Sxk2wvQ0F3rT6yU8iO1pA4sD7fG9hJ0k'

const entry = (action: string, details: object) => ({
  at: 1_700_000_000_000,
  action,
  actor_kind: 'anonymous',
  actor_id: 0,
  credential: 'none',
  product_id: null,
  ip: '192.0.2.1',
  request_id: 'req_1',
  details: JSON.stringify(details),
})

const LOG = [
  entry('users/create', { params: {}, fields: ['email'], id: '7' }),
  entry('keywright/open-checkout', { params: {}, fields: ['product_id'], id: TOKEN }),
  entry('keywright/update-checkout', { params: { checkout_token: TOKEN }, fields: [], id: TOKEN }),
  entry('users/update', { params: {}, fields: [], id: '7' }),
  entry('keywright/pay-checkout', { params: { checkout_token: TOKEN }, fields: [], refused: 'x' }),
]

const NOBODYS = { developer_id: null, user_id: null, license_id: null }

test('an upgrade takes tokens of checkouts out of the audit log, and its chain holds', async () => {
  const { database } = old
  await migrate(database, BEFORE)
  await database.transaction(async (db) => {
    let previous = ''
    for (const [index, row] of LOG.entries()) {
      const seq = index + 1
      const isChained = index < LOG.length - 1
      previous = linkHash(previous, { ...row, ...NOBODYS, id: seq, seq })
      await db
        .insertInto('audit_log')
        .values({ ...row, ...(isChained && { seq, hash: previous }) })
        .execute()
    }
  })
  assert.equal((await verifyAuditChain(database.reader)).firstBadSeq, null)
  await migrate(database)
  const rows = await database.reader.selectFrom('audit_log').selectAll().orderBy('id').execute()
  assert.ok(
    !JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).includes(TOKEN),
  )
  const hashed = `sha256:${hashToken(TOKEN)}`
  assert.deepEqual(JSON.parse(rows[2]?.details ?? ''), {
    params: { checkout_token: hashed },
    fields: [],
    id: hashed,
  })
  assert.equal(rows.length, LOG.length + 1)
  assert.deepEqual(await verifyAuditChain(database.reader), {
    checked: 4,
    firstBadSeq: null,
    unchained: 2,
    redacted: 2,
  })
  const change = { details: JSON.stringify({ params: {}, fields: [], id: 'else' }) }
  await assert.rejects(
    database.transaction((db) => db.updateTable('audit_log').set(change).where('seq', '=', 2).execute()),
    /append-only/,
  )
})

test('addresses of listeners that stand in clear are sealed at a start, and are what they were', async () => {
  const { ctx } = app
  const url = 'https://hooks.example.com/services/T0/B1?key=abc'
  const path = `/products/${app.seller.product.id}/webhooks.json`
  const { json, status } = await app.call('POST', path, { body: { url } })
  assert.deepEqual([status, json.url], [201, url])
  const stored = async () => (await ctx.db.selectFrom('webhooks').select('url').executeTakeFirstOrThrow()).url
  assert.ok(!(await stored()).includes('hooks'))
  await ctx.database.transaction((db) => db.updateTable('webhooks').set({ url }).execute())
  await sealClear(ctx.database, ctx.keys)
  const sealed = await stored()
  assert.ok(!sealed.includes('hooks'))
  await sealClear(ctx.database, ctx.keys)
  assert.equal(await stored(), sealed)
  assert.equal((await app.call('GET', path)).json.webhooks[0].url, url)
  const row = await ctx.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
  assert.equal(maskedAddressOf(ctx, row), 'https://hooks.example.com/…')
})
