import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOwner } from '../../../test/installs.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { sell } from '../../../test/sales.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { SECOND } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('proven_user')
})
after(() => app.close())

interface Pair {
  readonly publicKey: string
  readonly secretKey: string
}

/** The status of an opt-in with a proof that was made with a pair. */
async function provenBy(userId: number, { publicKey, secretKey }: Pair, more: Record<string, string> = {}) {
  app.ctx.clock.advance(SECOND)
  const at = String(app.ctx.clock.real() / SECOND)
  const s_ctx_secure = hash('md5', `${at}${userId}${secretKey}${publicKey}install_with_existing_user`)
  const proof = { s_ctx_type: 'user', s_ctx_id: String(userId), s_ctx_ts: at, s_ctx_secure, ...more }
  return (await optInByServer(app, optInForm(app, '', proof))).status
}

/** Pairs of own reach, as so many activations by a key hand out. */
async function flood(userId: number, count: number): Promise<void> {
  const created = app.ctx.clock.now()
  const { publicKey, secretKey } = newKeyPair()
  const sealed = app.ctx.keys.seal(secretKey, 'user_keys.secret_key')
  const row = { product_id: app.seller.product.id, user_id: userId, install_id: null, email_folded: null }
  const rows = Array.from({ length: count }, (_, n) => ({
    ...row,
    reach: 'own' as const,
    public_key: `${publicKey.slice(0, 20)}${String(n).padStart(8, '0')}`,
    secret_key: sealed,
    created,
  }))
  for (let at = 0; at < count; at += 100) {
    const some = rows.slice(at, at + 100)
    await app.ctx.database.transaction((db) => db.insertInto('user_keys').values(some).execute())
  }
}

const pairIn = (json: Readonly<Record<string, string>>): Pair => ({
  publicKey: json['user_public_key'] ?? '',
  secretKey: json['user_secret_key'] ?? '',
})

test('who knows a key makes no proof of its owner fail, however many pairs it has handed out', async () => {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const { license } = await sell(app, { owner })
  const clients = clientsOf(app)
  const older = pairIn((await clients.active(license)).json)
  await flood(owner.id, 1_001)
  const uid = newUid()
  const later = pairIn((await clients.active((await sell(app, { owner })).license, { uid })).json)
  assert.equal(await provenBy(owner.id, owner), 200, 'the whole pair')
  assert.equal(await provenBy(owner.id, older), 200, 'an older pair')
  assert.equal(await provenBy(owner.id, later, { site_uid: uid }), 200, 'the pair of the site that asks')
  const wrong = { ...older, secretKey: owner.secretKey }
  assert.equal(await provenBy(owner.id, wrong), 401)
})
