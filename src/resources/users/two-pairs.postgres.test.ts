import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { optInProven } from '../../../test/opt-in.ts'

/** What happens before the next pair is inserted. */
let meanwhile: (() => Promise<unknown>) | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('two_pairs', {
    onStatement: async (statement) => {
      const work = statement.startsWith('insert into "user_keys"') ? meanwhile : null
      if (work === null) return
      meanwhile = null
      await work()
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

test('who connects a site by a proof gets a pair for that proof, though the site has read its own first one meanwhile', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  let read = ''
  meanwhile = async () => {
    const reply = await asInstall(app, keysOf(install))('GET', `/users/${owner.id}.json`)
    read = expectOk(reply).json.public_key
  }
  const connected = await optInProven(app, owner, { site_uid: install.uid })
  assert.equal(meanwhile, null)
  assert.equal(connected['install_id'], install.id)
  const handedOut = {
    install_id: Number(install.id),
    reach: 'whole',
    proof_product_id: app.seller.product.id,
  }
  assert.deepEqual(await pairOf(connected['user_public_key']), handedOut)
  assert.deepEqual(await pairOf(read), { install_id: null, reach: 'own', proof_product_id: null })
  const again = await optInProven(app, owner, { site_uid: install.uid })
  assert.equal(again['user_public_key'], connected['user_public_key'])
})
