import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { clientsOf } from '../../../test/activations.ts'
import { asPublic } from '../../../test/callers.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { HOUR } from '../../lib/time.ts'
import { mailKeys } from './mail-keys-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('mail_keys')
})
after(() => app.close())

test('a request that cannot be answered keeps no other waiting, and is given up after an hour', async () => {
  const { db, database, clock } = app.ctx
  const clients = clientsOf(app)
  const broken = await clients.ownLicense()
  const whole = await clients.ownLicense()
  const users = await db.selectFrom('users').select(['id', 'email']).execute()
  const emailOf = ({ user_id: id }: { readonly user_id: string | null }) =>
    users.find((user) => String(user.id) === id)?.email ?? ''
  await database.transaction((tx) =>
    tx.updateTable('licenses').set({ secret_key: 'torn' }).where('id', '=', Number(broken.id)).execute(),
  )
  const anybody = asPublic(app)
  for (const license of [broken, whole]) {
    const body = { email: emailOf(license) }
    const reply = await anybody('POST', '/licenses/resend.json', body)
    assert.equal(reply.status < 300, true, reply.text)
  }
  const waiting = async () => (await db.selectFrom('key_requests').select('id').execute()).length
  await assert.rejects(runDue(app.ctx, [mailKeys]))
  assert.equal(await waiting(), 1)
  assert.match(kindsOf(await mailsTo(app, emailOf(whole))), /license_keys$/)
  clock.advance(2 * HOUR)
  await runDue(app.ctx, [mailKeys])
  assert.equal(await waiting(), 0)
})
