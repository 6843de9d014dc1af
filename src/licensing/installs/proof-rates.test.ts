// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { Keys } from '../../catalogue/sellers/create-seller.ts'
import { callElsewhere } from '../../../test/mails.ts'
import { createOwner, newUid, type Grant } from '../../../test/installs.ts'
import { optInByLink, optInProven } from '../../../test/opt-in.ts'
import { GENEROUS } from '../../../test/rates.ts'

const BURST = 2
/** So many sites as of an unlimited license a user connects at once. */
const MOST = 10 * BURST

let app: TestApp
before(async () => {
  const licenses = { perSecond: 1 / 3_600, burst: BURST }
  app = await startTestApp('proof_rates', { config: { rate: { ...GENEROUS, licenses } } })
})
after(() => app.close())

/** The keys of the person that a connected site was handed out. */
const handedOut = (grant: Grant, id: Keys['id']): Keys => ({
  id,
  publicKey: grant['user_public_key'] as Keys['publicKey'],
  secretKey: grant['user_secret_key'] as Keys['secretKey'],
})

test('a site that is connected by one proof after another counts each time against its person', async () => {
  await callElsewhere(app)
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const mailed = handedOut(await optInByLink(app, owner.email), owner.id)
  const before = await pairs()
  const site = { site_uid: newUid() }
  const refusals: string[] = []
  for (let n = 0; n < MOST + 6; n++) {
    const proof = n % 2 === 0 ? owner : mailed
    await optInProven(app, proof, site).catch(({ message }: Error) => refusals.push(message.slice(0, 4)))
  }
  assert.deepEqual(new Set(refusals), new Set(['429 ']))
  assert.equal(refusals.length, 6)
  assert.equal((await pairs()) - before, MOST)
  const other = await createOwner(app, `${newUid()}@example.com`)
  assert.ok((await optInProven(app, other, site))['install_id'], 'another person is counted apart')
})

async function pairs(): Promise<number> {
  const rows = await app.ctx.db.selectFrom('user_keys').select('id').execute()
  return rows.length
}
