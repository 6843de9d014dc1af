import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import { signing } from '../../test/callers.ts'
import { createOwner, keysIn } from '../../test/installs.ts'
import { sell } from '../../test/sales.ts'
import type { Keys } from '../catalogue/sellers/create-seller.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('idempotency_pairs')
})
after(() => app.close())

/** Writes with a key that others may have too: clients make them of counters and dates. */
const putAs = (keys: Keys, of: 'users' | 'installs', path: string, body: object): Promise<Reply> =>
  signing(app, {
    keys,
    scheme: 'FS',
    prefix: `/${of}/${keys.id}`,
    headers: { 'idempotency-key': '1' },
  })('PUT', path, body)

const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

/** That a reply is the caller's own work, and tells nothing of what another pair was answered. */
function isNotOf(reply: Reply, secrets: readonly string[]): void {
  assert.ok(!isReplay(reply), reply.text)
  for (const secret of secrets) assert.ok(!reply.text.includes(secret), reply.text)
}

test('a key of a user counts for the pair that signed: neither for one of own reach nor for one of another product', async () => {
  const owner = await createOwner(app)
  const elsewhere = await createOwner(app, owner.email, app.seller.other)
  const { license } = await sell(app, { owner })
  const byKey = keysIn((await clientsOf(app).active(license)).json, 'user')
  assert.deepEqual([byKey.id, elsewhere.id], [owner.id, owner.id])
  const cases = [
    { path: '.json', body: { is_marketing_allowed: false } },
    { path: '/billing.json', body: { business_name: 'Owner Ltd', address_street: 'Secret Street 9' } },
  ]
  for (const { path, body } of cases) {
    const first = await putAs(owner, 'users', path, body)
    assert.equal(first.status, 200, first.text)
    const again = await putAs(owner, 'users', path, body)
    assert.deepEqual([isReplay(again), again.text], [true, first.text])
    const secrets = path === '.json' ? [owner.secretKey, owner.email] : []
    isNotOf(await putAs(byKey, 'users', path, body), secrets)
    isNotOf(await putAs(elsewhere, 'users', path, body), secrets.slice(0, 1))
  }
})

test('a key of an install counts for the keys that it has, not for those of who had it before', async () => {
  const clients = clientsOf(app)
  const owner = await createOwner(app)
  const [known, own] = [(await sell(app, { owner })).license, (await sell(app, { owner })).license]
  const uid = newUid()
  const site = await clients.active(own, { uid })
  const body = { title: 'My shop' }
  const former = keysIn(site.json, 'install')
  const first = await putAs(former, 'installs', '.json', body)
  assert.deepEqual([first.status, first.json.secret_key], [200, former.secretKey])
  assert.ok(isReplay(await putAs(former, 'installs', '.json', body)))
  const taken = keysIn((await clients.active(known, { uid, install_id: site.installId })).json, 'install')
  const second = await putAs(taken, 'installs', '.json', body)
  isNotOf(second, [former.secretKey])
  assert.deepEqual([taken.id, second.status, second.json.secret_key], [former.id, 200, taken.secretKey])
  assert.equal((await putAs(former, 'installs', '.json', body)).status, 401)
})
