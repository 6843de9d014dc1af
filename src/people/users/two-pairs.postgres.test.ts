import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, holding, keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { endedOrWaiting } from '../../../test/lock-waits.ts'
import { optInProven } from '../../../test/opt-in.ts'
import type { Install } from '../../licensing/installs/schema.ts'

/** What begins before the next statement of this start; the statement waits until it has ended or waits itself. */
let meanwhile: { readonly before: string; readonly work: () => Promise<unknown> } | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('two_pairs', {
    onStatement: async (statement) => {
      const now = meanwhile
      if (now === null || !statement.startsWith(now.before)) return
      meanwhile = null
      await endedOrWaiting(app.ctx.database, now.work())
    },
  })
})
after(() => app.close())

const pairOf = (publicKey: string | undefined) =>
  app.ctx.db
    .selectFrom('user_keys')
    .select(['install_id', 'reach', 'proof_product_id'])
    .where('public_key', '=', publicKey ?? '')
    .executeTakeFirst()

/** The public keys of the pairs that have an install. */
const holdersOf = async (id: string) => {
  const rows = await app.ctx.db
    .selectFrom('user_key_installs')
    .innerJoin('user_keys', 'user_keys.id', 'user_key_installs.user_key_id')
    .select('user_keys.public_key')
    .where('user_key_installs.install_id', '=', Number(id))
    .execute()
  return rows.map(({ public_key: key }) => key)
}

/** Has an install read its user before the next statement of this start; what it is answered, later. */
function readBefore(statement: string, install: Install, userId: number): () => Promise<Reply> {
  const read = Promise.withResolvers<Reply>()
  const work = async () => {
    read.resolve(await asInstall(app, keysOf(install))('GET', `/users/${userId}.json`))
  }
  meanwhile = { before: statement, work }
  return () => read.promise
}

/** A site that keys of own reach have made: its own keys reach as far, and it was handed out no pair. */
async function siteOfHolder() {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const license = await licenseOf(app, 5, { body: { email: owner.email } })
  const { user } = holding(app, (await clientsOf(app).active(license)).json)
  const path = `/products/${app.seller.product.id}/installs.json`
  const install: Install = expectOk(await user('POST', path, { uid: newUid() })).json
  return { owner, install }
}

test('a site that reads its first pair while it is connected by a proof is told the pair for that proof, without its secret', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const read = readBefore('insert into "user_keys"', install, owner.id)
  const connected = await optInProven(app, owner, { site_uid: install.uid })
  assert.equal(connected['install_id'], install.id)
  const handedOut = {
    install_id: Number(install.id),
    reach: 'whole',
    proof_product_id: app.seller.product.id,
  }
  assert.deepEqual(await pairOf(connected['user_public_key']), handedOut)
  const { json } = expectOk(await read())
  assert.deepEqual([json.public_key, json.secret_key], [connected['user_public_key'], undefined])
  assert.deepEqual(await holdersOf(install.id), [connected['user_public_key']])
  const again = await optInProven(app, owner, { site_uid: install.uid })
  assert.equal(again['user_public_key'], connected['user_public_key'])
})

test('keys that are taken from a site meanwhile are handed out no pair that has it', async () => {
  const { owner, install } = await siteOfHolder()
  const read = readBefore('insert into "user_keys"', install, owner.id)
  const connected = await optInProven(app, owner, { site_uid: install.uid })
  assert.equal(connected['install_id'], install.id)
  assert.equal((await read()).status, 401)
  assert.deepEqual(await holdersOf(install.id), [connected['user_public_key']])
})

test('nor is its pair told to who had signed with them', async () => {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const license = () => licenseOf(app, 5, { body: { email: owner.email } })
  const clients = clientsOf(app)
  const active = await clients.active(await license())
  await clients.deactivate(active)
  const { install } = holding(app, active.json)
  const other = await license()
  const work = () => clients.active(other, { uid: active.uid })
  meanwhile = { before: 'select "user_keys"."id", "user_keys"."reach"', work }
  assert.equal((await install('GET', `/users/${owner.id}.json`)).status, 401)
  assert.equal(meanwhile, null)
})
