import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { importingApp, readImport, zipOfFolder } from '../../../test/importing.ts'
import { runDue } from '../../jobs/worker.ts'
import { idOf } from '../platforms/ids.ts'
import { bringImports } from './bring-imports-job.ts'
import { filesOfImports } from './file-rows.ts'

/** An account, and imports of a platform into it whose rows that cannot come are left out. */
async function openPlatform(t: TestContext, source: string) {
  const { app, owner, upload } = await importingApp('import_options', { at: Date.UTC(2026, 5, 1) })
  t.after(() => app.close())
  const { id: account } = app.seller.developer
  const ask = async (fields: Readonly<Record<string, string>>, methods?: Buffer) => {
    const file = await zipOfFolder(source, fields['shop']?.trim())
    const asked = await upload(file, { leave_out: 'true', source, ...fields }, methods)
    assert.equal(asked.status, 202, asked.text)
    await runDue(app.ctx, [bringImports])
    return readImport(owner, asked.json.id)
  }
  return {
    app,
    owner,
    /** Has them looked at. */
    ask,
    /** Has them brought. */
    bring: (fields: Readonly<Record<string, string>> = {}) => ask({ dry_run: 'false', ...fields }),
    subscription: (id: string, shop = '') =>
      app.ctx.db
        .selectFrom('subscriptions')
        .select(['is_elsewhere', 'gateway', 'due_at'])
        .where('id', '=', idOf({ account, platform: source, shop }, 'subscriptions', id))
        .executeTakeFirst(),
  }
}

const RENEWED = { is_elsewhere: false, gateway: 'stripe', due_at: '2027-01-31 10:00:00' }
const ELSEWHERE = { is_elsewhere: true, gateway: null, due_at: null }

const METHODS = Buffer.from(
  'subscription_id,gateway,kind,token,last4\nSUB1==,stripe,card,cus_1 pm_1 card,4242\n',
)

test('a second shop of a platform comes beside the first one under a name of its own', async (t) => {
  const { bring, subscription } = await openPlatform(t, 'paddle')
  const first = await bring()
  const second = await bring({ shop: ' second ' })
  assert.deepEqual([first.state, first.source], ['finished', 'paddle'])
  assert.deepEqual([second.state, second.source], ['finished', 'paddle second'])
  assert.deepEqual(await subscription('sub_1'), ELSEWHERE)
  assert.deepEqual(await subscription('sub_1', 'second'), ELSEWHERE)
  const again = await bring({ shop: 'second' })
  assert.deepEqual([again.added, again.changed, again.same], [0, 0, second.rows])
})

test('a method of payment that comes along renews its subscription here where that is asked for, and not otherwise', async (t) => {
  const { bring, subscription } = await openPlatform(t, 'woocommerce')
  assert.equal((await bring()).state, 'finished')
  assert.deepEqual(await subscription('201'), ELSEWHERE)
  assert.equal((await bring({ renew_here: 'true' })).changed, 2)
  assert.deepEqual(await subscription('201'), RENEWED)
})

test('a method of payment that comes along renews its subscription here as it is first brought', async (t) => {
  const { bring, subscription } = await openPlatform(t, 'woocommerce')
  await bring({ renew_here: 'true' })
  assert.deepEqual(await subscription('201'), RENEWED)
})

test('methods of payment in a file of their own renew the subscriptions of a platform here, by what it calls them', async (t) => {
  const { app, owner, ask, subscription } = await openPlatform(t, 'gumroad')
  const { id } = await ask({}, METHODS)
  const kept = () =>
    app.ctx.db
      .selectFrom('imports')
      .select(['asked', 'file', 'methods_file'])
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
  const { file, methods_file: own } = await kept()
  const files = [file ?? '', own ?? '']
  // They wait as long as the import does.
  const now = app.ctx.clock.real()
  assert.deepEqual(await filesOfImports.inUse(app.ctx.db, [...files, 'other'], now), new Set(files))
  await owner('POST', `/imports/${id}/start.json`)
  await runDue(app.ctx, [bringImports])
  assert.deepEqual(await subscription('SUB1=='), RENEWED)
  assert.deepEqual(await kept(), { asked: null, file: null, methods_file: null })
})

test('a subscription that has come without a license stays where it is paid, as nothing would be renewed here', async (t) => {
  const { owner, ask, app, subscription } = await openPlatform(t, 'paddle')
  const { id } = await ask({}, Buffer.from(METHODS.toString().replace('SUB1==', 'sub_1')))
  await owner('POST', `/imports/${id}/start.json`)
  await runDue(app.ctx, [bringImports])
  assert.deepEqual(await subscription('sub_1'), ELSEWHERE)
})

test('a line of methods of payment that is wrong ends the import with its name', async (t) => {
  const { ask } = await openPlatform(t, 'paddle')
  const { state, error } = await ask({}, Buffer.from('subscription_id\nsub_1\n'))
  assert.deepEqual([state, error], ['failed', 'payment-methods/methods.csv line 2: gateway is missing.'])
})
