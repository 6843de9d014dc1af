import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { release } from '../../test/archives.ts'
import { asInstall } from '../../test/callers.ts'
import { openPlace } from '../../test/command-line.ts'
import { KILLS } from '../../test/kill-at-commit.ts'
import { requireSameLists } from '../../test/moved-lists.ts'
import { PRODUCT } from '../../test/moved-base.ts'
import { installKeysOf, METHOD, sourceOf, uidOf } from '../../test/moved-rows.ts'
import { movedSeller, SIZE, siteOf } from '../../test/moved-seller.ts'
import { timesOf } from '../../test/renewing.ts'
import { TEST_SECRET } from '../../test/secret.ts'
import { issueApiToken } from '../accounts/tokens/api-tokens.ts'
import { developerKeys } from '../catalogue/sellers/create-seller.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { renewDue } from '../sales/renewals/renew.ts'
import { importRows } from './import-rows.ts'

const hook = resolve(import.meta.dirname, '../../test/kill-at-commit.ts')
/** The one that is left out of the file of methods: it is paid elsewhere for good. */
const ELSEWHERE = 1_000 + SIZE.subscriptions - 1

let source: TestApp
before(async () => {
  // A command signs by the clock of the machine.
  source = await startTestApp('seller_from', { at: Date.now() })
  const given = { developerId: source.seller.developer.id, isDryRun: false }
  const { bad } = await importRows(source.ctx, sourceOf(movedSeller()), given)
  assert.deepEqual(bad, [])
})
after(() => source.close())

const login = ({ address: url, seller: { developer } }: TestApp) => ({
  url,
  developerId: developer.id,
  publicKey: developer.publicKey,
  secretKey: developer.secretKey,
})

async function loginOf({ ctx }: TestApp, id: number) {
  const { publicKey, secretKey } = await developerKeys(ctx, id)
  return { developerId: id, publicKey, secretKey }
}

/** Moves the seller by the command, which is killed ten times on its way, and opens a server on what has come. */
async function moved(t: Parameters<typeof openPlace>[0]): Promise<TestApp> {
  const place = await openPlace(t, 'seller-moved')
  const methods = join(place.folder, 'methods.csv')
  const ids = Array.from({ length: SIZE.subscriptions - 1 }, (_, n) => 1_000 + n)
  const lines = ids.map((id) => `${id},test,card,${METHOD},4242\n`)
  const { url, developerId, publicKey, secretKey } = login(source)
  const line = ['import', 'server', '--url', url, '--developer-id', String(developerId), '--account', '1']
  line.push('--public-key', publicKey, '--payment-methods', methods)
  const env = {
    KEYWRIGHT_SECRET: TEST_SECRET,
    KEYWRIGHT_IMPORT_SECRET_KEY: secretKey,
    KEYWRIGHT_MODE: 'development',
  }
  const own = ['bootstrap', '--email', 'new@example.com', '--product', 'My app']
  await place.ask(own, { env, input: 'correct horse battery 7\n' })
  await writeFile(methods, `subscription_id,gateway,kind,token,last4\n${lines.join('')}`)
  for (const at of KILLS) {
    const more = { ...env, NODE_OPTIONS: `--import=${hook}`, KILL_AT_COMMIT: at }
    const { code, stdout } = await place.launch([...line, '--json'], { env: more }).ended
    assert.deepEqual([code, stdout], [null, ''], at)
  }
  const report = await place.ask(line, { env })
  assert.deepEqual([report.bad_count, report.same > 0, report.added > 0], [0, true, true])
  assert.equal((await place.ask(line, { env })).import_id, null)
  const { KEYWRIGHT_DATA: folder = '', DATABASE_URL: database } = place.env
  const databaseOptions =
    database === undefined
      ? ({ engine: 'sqlite', file: join(folder, 'keywright.db') } as const)
      : ({ engine: 'postgres', url: database, poolSize: 4, namedStatements: true } as const)
  return startTestApp('seller_to', { at: Date.now(), from: { databaseOptions, folder } })
}

test('a seller of 2,000 customers moves by one command that is killed ten times: sites go on with their old keys, and a renewal is charged once, here', async (t) => {
  const target = await moved(t)
  t.after(() => target.close())
  const { db } = target.ctx
  const account = await db
    .selectFrom('products')
    .innerJoin('developers', 'developers.id', 'products.developer_id')
    .select('developers.id')
    .where('products.id', '=', PRODUCT)
    .executeTakeFirstOrThrow()
  assert.equal(account.id, 1)
  const sizes = await requireSameLists(login(source), {
    ...login(target),
    ...(await loginOf(target, account.id)),
  })
  assert.deepEqual(
    [sizes['users'], sizes['licenses'], sizes['installs'], sizes['subscriptions'], sizes['payments']],
    [SIZE.customers, SIZE.customers, SIZE.installs, SIZE.subscriptions, 2 * SIZE.customers],
  )
  assert.equal((await checkLedger(target.ctx)).ok, true)

  const { token } = await target.write((tx) =>
    issueApiToken(tx, { productId: PRODUCT, name: 'release', expiresAt: null }),
  )
  await release(target, '2.0.0', { release_mode: 'released' }, { id: PRODUCT, token })
  for (const site of [siteOf(0, false), siteOf(SIZE.customers - 1, false), siteOf(7, true)]) {
    const asked = `uid=${uidOf(site.id)}&license_key=${site.key}`
    const verified = await target.call(
      'GET',
      `/products/${PRODUCT}/installs/${site.id}/license.json?${asked}`,
      {
        token: null,
      },
    )
    assert.equal(verified.status, 200, verified.text)
    const { public_key: publicKey, secret_key: secretKey } = installKeysOf(site.id)
    const own = await asInstall(target, { id: site.id, publicKey, secretKey })(
      'GET',
      '/updates/latest.json?newer_than=1.0.0',
    )
    assert.deepEqual([own.status, own.json.version], [200, '2.0.0'], own.text)
  }

  await timesOf(target).goTo(Date.UTC(2027, 0, 31, 11))
  for (let rounds = 0; rounds < 2 + SIZE.subscriptions / 500; rounds++) {
    const now = target.ctx.clock.now()
    await renewDue(target.ctx, { environment: 1, productId: PRODUCT, now, limit: 500 })
    await timesOf(target).follow()
  }
  const charges = await db.selectFrom('charges').select(['subscription_id', 'state']).execute()
  assert.equal(charges.length, SIZE.subscriptions - 1)
  assert.equal(new Set(charges.map((charge) => charge.subscription_id)).size, charges.length)
  assert.ok(charges.every(({ state, subscription_id: id }) => state === 'settled' && id !== ELSEWHERE))
  const elsewhere = await db
    .selectFrom('subscriptions')
    .select(['due_at', 'failed_payments', 'canceled_at', 'is_elsewhere'])
    .where('id', '=', ELSEWHERE)
    .executeTakeFirst()
  assert.deepEqual(elsewhere, { due_at: null, failed_payments: 0, canceled_at: null, is_elsewhere: true })
  assert.equal((await checkLedger(target.ctx)).ok, true)
})
