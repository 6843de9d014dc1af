import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { importingApp, readImport, type Upload } from '../../../test/importing.ts'
import { METHOD, movedRows, sourceOf } from '../../../test/moved-rows.ts'
import { runDue } from '../../jobs/worker.ts'
import { importRows } from '../import-rows.ts'
import { Client } from '../server/client.ts'
import { guardedAsk } from '../server/guarded-ask.ts'
import { bringImports } from './bring-imports-job.ts'

let source: TestApp
let app: TestApp
let owner: CallAs
let upload: Upload
before(async () => {
  source = await startTestApp('asked_from', { at: Date.now() })
  ;({ app, owner, upload } = await importingApp('asked_to', { config: { mode: 'development' } }))
  const { id } = source.seller.developer
  await importRows(source.ctx, sourceOf(movedRows(3)), { developerId: id, isDryRun: false })
})
after(async () => {
  await source.close()
  await app.close()
})

const login = () => {
  const { id, publicKey, secretKey } = source.seller.developer
  return {
    source: 'server',
    url: source.address,
    from_developer_id: String(id),
    public_key: publicKey,
    secret_key: secretKey,
  }
}
const run = () => runDue(app.ctx, [bringImports])
const kept = async (id: string) =>
  app.ctx.db
    .selectFrom('imports')
    .select(['asked', 'methods_file'])
    .where('id', '=', Number(id))
    .executeTakeFirst()

test('what another server has is looked at and brought, with methods of payment; methods of subscriptions that it has not are counted; its keys are sealed, never shown, and forgotten at the end', async () => {
  const line = `test,card,${METHOD},4242\n`
  const methods = Buffer.from(`subscription_id,gateway,kind,token,last4\n1000,${line}999999,${line}`)
  const { secretKey: secret } = source.seller.developer
  const asked = await upload(null, login(), methods)
  assert.equal(asked.status, 202, asked.text)
  const { id } = asked.json
  await run()
  const looked = await readImport(owner, id)
  assert.deepEqual([looked.state, looked.bad, looked.source], ['checked', 0, source.address])
  const unknown = [{ kind: 'payment_methods', reason: 'unknown_subscription', count: 1 }]
  assert.deepEqual(looked.aside, unknown)
  const waiting = await kept(id)
  assert.ok(waiting?.asked && waiting.methods_file)
  assert.equal(waiting.asked.includes(secret), false)
  const started = await owner('POST', `/imports/${id}/start.json`)
  await run()
  const done = await readImport(owner, id)
  assert.deepEqual([done.state, done.error, done.aside], ['finished', null, unknown])
  assert.ok(done.added > 20)
  assert.deepEqual(await kept(id), { asked: null, methods_file: null })
  for (const shown of [asked, started, await owner('GET', '/imports.json')])
    assert.equal(shown.text.includes(secret), false)
  const audited = await app.ctx.db.selectFrom('audit_log').select('details').execute()
  assert.equal(JSON.stringify(audited).includes(secret), false)
  const renewed = await app.ctx.db
    .selectFrom('subscriptions')
    .select('id')
    .where('is_elsewhere', '=', false)
    .execute()
  assert.deepEqual(renewed, [{ id: 1_000 }])
})

test('a server that refuses the keys ends the import with what it says, and they are forgotten', async () => {
  const wrong = { ...login(), secret_key: `sk_${'x'.repeat(29)}` }
  const { json } = await owner('POST', '/imports.json', wrong)
  await run()
  const failed = await readImport(owner, json.id)
  assert.equal(failed.state, 'failed')
  assert.match(failed.error, /^The server refuses .* with 401/)
  assert.deepEqual(await kept(json.id), { asked: null, methods_file: null })
})

test('S29: an address of this network is refused, by itself and by what its name stands for', async (t) => {
  const strict = await importingApp('asked_strict')
  t.after(() => strict.app.close())
  const ask = (url: string) => strict.owner('POST', '/imports.json', { ...login(), url })
  for (const url of [
    'http://127.0.0.1:1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://localhost/',
  ]) {
    const { status, json } = await ask(url)
    assert.deepEqual([status, json.error?.details?.[0]?.field], [400, 'url'], url)
  }
  // A name that stands for it is refused as it is connected to, whatever it stood for before.
  const guarded = await guardedAsk(strict.app.ctx.config, {
    resolve: async () => [{ address: '10.0.0.1', family: 4 }],
  })
  t.after(() => guarded.close())
  const keys = { url: 'http://shop.example', developerId: 1, publicKey: 'pk_x', secretKey: 'sk_x' }
  const client = new Client(keys, () => Date.now(), { ask: guarded.ask })
  await assert.rejects(client.get('/products.json'), /shop\.example is no address of the internet/)
})

test('of a server no file is taken but that of methods of payment, which is CSV or JSON lines', async () => {
  const refused = async (...given: Parameters<Upload>) =>
    (await upload(...given)).json.error.details.map(({ field }: { field: string }) => field)
  const file = Buffer.from('subscription_id\n')
  assert.deepEqual(await refused(file, { ...login(), name: 'methods.csv' }), ['file'])
  assert.deepEqual(await refused(null, { ...login(), methodsName: 'methods.zip' }, file), ['payment_methods'])
})

test('of a server each of its four arguments must be given', async () => {
  const { status, json } = await owner('POST', '/imports.json', { source: 'server' })
  assert.deepEqual(
    [status, json.error.details.map(({ field }: { field: string }) => field)],
    [402, ['url', 'from_developer_id', 'public_key', 'secret_key']],
  )
})
