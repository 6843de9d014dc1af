import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from './app.ts'
import { release } from './archives.ts'
import { asInstall } from './callers.ts'
import { openPlace, type Place } from './command-line.ts'
import { requireSameLists } from './moved-lists.ts'
import { PRODUCT } from './moved-base.ts'
import { installKeysOf, METHOD, RENEWS_AT, sourceOf, uidOf } from './moved-rows.ts'
import { movedSeller, siteOf, type Size } from './moved-seller.ts'
import { timesOf } from './renewing.ts'
import { TEST_SECRET } from './secret.ts'
import { commitsOf, KILL_HOOK, killsOver, killsWhileReading, READING_HOOK } from './spread-kills.ts'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { developerKeys } from '../src/catalogue/sellers/create-seller.ts'
import { fromUtcTime, HOUR } from '../src/lib/time.ts'
import { checkLedger } from '../src/sales/ledger/check-ledger.ts'
import { renewDue } from '../src/sales/renewals/renew.ts'
import { importRows } from '../src/imports/import-rows.ts'

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

/** What imports have read of another server, and not removed. */
const leftOf = (place: Place) => readdir(join(place.env['KEYWRIGHT_DATA'] ?? '', 'incoming-import'))

/**
 * Moves the seller by the command, which is killed twice while it reads and ten times while it writes, and opens a server
 * on what has come.
 */
async function moved(t: TestContext, source: TestApp, { subscriptions }: Size): Promise<TestApp> {
  const place = await openPlace(t, 'seller-moved')
  const methods = join(place.folder, 'methods.csv')
  const ids = Array.from({ length: subscriptions - 1 }, (_, n) => 1_000 + n)
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
  const asking = t.mock.method(globalThis, 'fetch')
  const dry = await place.ask([...line, '--dry-run'], { env })
  const [amidst, last] = killsWhileReading(asking.mock.callCount())
  asking.mock.restore()
  assert.deepEqual([dry.bad_count, dry.import_id], [0, null])
  const kill = async (hook: Readonly<Record<string, string>>) => {
    const { code, stdout } = await place.launch([...line, '--json'], { env: { ...env, ...hook } }).ended
    assert.deepEqual([code, stdout], [null, ''], JSON.stringify(hook))
  }
  await kill({ NODE_OPTIONS: READING_HOOK, KILL_AT_ANSWER: amidst })
  assert.equal((await leftOf(place)).length, 1)
  const commits = killsOver(commitsOf(dry))
  for (const at of commits.slice(0, 5)) await kill({ NODE_OPTIONS: KILL_HOOK, KILL_AT_COMMIT: at })
  await kill({ NODE_OPTIONS: READING_HOOK, KILL_AT_ANSWER: last })
  for (const at of commits.slice(5)) await kill({ NODE_OPTIONS: KILL_HOOK, KILL_AT_COMMIT: at })
  const report = await place.ask(line, { env })
  assert.deepEqual([report.bad_count, report.same > 4 * report.added, report.added > 0], [0, true, true])
  assert.equal((await place.ask(line, { env })).import_id, null)
  assert.deepEqual(await leftOf(place), [])
  const { KEYWRIGHT_DATA: folder = '', DATABASE_URL: database } = place.env
  const databaseOptions =
    database === undefined
      ? ({ engine: 'sqlite', file: join(folder, 'keywright.db') } as const)
      : ({ engine: 'postgres', url: database, poolSize: 4, namedStatements: true } as const)
  return startTestApp('seller_to', { at: Date.now(), from: { databaseOptions, folder } })
}

async function holdsWhatThereWas(source: TestApp, target: TestApp, size: Size): Promise<void> {
  const account = await target.ctx.db
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
    [size.customers, size.customers, size.installs, size.subscriptions, 2 * size.customers],
  )
  assert.equal((await checkLedger(target.ctx)).ok, true)
}

/** With the keys that they have stored they verify, and are offered what is released here. */
async function sitesGoOn(target: TestApp, { customers, installs }: Size): Promise<void> {
  const { token } = await target.write((tx) =>
    issueApiToken(tx, { productId: PRODUCT, name: 'release', expiresAt: null }),
  )
  await release(target, '2.0.0', { release_mode: 'released' }, { id: PRODUCT, token })
  for (const site of [
    siteOf(0, false),
    siteOf(customers - 1, false),
    siteOf(installs - customers - 1, true),
  ]) {
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
}

/** But for the one that was left out of the file of methods, which is paid elsewhere for good. */
async function renewsOnce(target: TestApp, { subscriptions }: Size): Promise<void> {
  const { db } = target.ctx
  const elsewhereId = 1_000 + subscriptions - 1
  await timesOf(target).goTo(fromUtcTime(RENEWS_AT) + HOUR)
  for (let rounds = 0; rounds < 2 + subscriptions / 500; rounds++) {
    const now = target.ctx.clock.now()
    await renewDue(target.ctx, { environment: 1, productId: PRODUCT, now, limit: 500 })
    await timesOf(target).follow()
  }
  const charges = await db.selectFrom('charges').select(['subscription_id', 'state']).execute()
  assert.equal(charges.length, subscriptions - 1)
  assert.equal(new Set(charges.map((charge) => charge.subscription_id)).size, charges.length)
  assert.ok(charges.every(({ state, subscription_id: id }) => state === 'settled' && id !== elsewhereId))
  const elsewhere = await db
    .selectFrom('subscriptions')
    .select(['due_at', 'failed_payments', 'canceled_at', 'is_elsewhere'])
    .where('id', '=', elsewhereId)
    .executeTakeFirst()
  assert.deepEqual(elsewhere, { due_at: null, failed_payments: 0, canceled_at: null, is_elsewhere: true })
  assert.equal((await checkLedger(target.ctx)).ok, true)
}

/** The test that a seller of a size passes. */
export function testMovedSeller(size: Size): void {
  let source: TestApp
  before(async () => {
    // A command signs by the clock of the machine.
    source = await startTestApp('seller_from', { at: Date.now() })
    const given = { developerId: source.seller.developer.id, isDryRun: false }
    const { bad } = await importRows(source.ctx, sourceOf(movedSeller(size)), given)
    assert.deepEqual(bad, [])
  })
  after(() => source.close())

  test(`a seller of ${size.customers} customers moves by one command that is killed while it reads, and ten times from its first to its last commit: both servers answer the same, sites go on with their old keys, and a renewal a month later is charged once, here`, async (t) => {
    const target = await moved(t, source, size)
    t.after(() => target.close())
    await holdsWhatThereWas(source, target, size)
    await sitesGoOn(target, size)
    await renewsOnce(target, size)
  })
}
