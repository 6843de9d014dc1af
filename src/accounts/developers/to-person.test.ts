import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { anywhere, FROM_ANYWHERE, logIn, PASSWORD, setPassword, tryLogin } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { addWebhook, deliverAll, endListeners, happen, startReceiver } from '../../../test/webhooks.ts'
import { untilDone } from '../../work/afterwards.ts'

const EMAIL = 'seller@example.com'
const OTHER = 'elsewhere@example.com'

let app: TestApp
before(async () => {
  app = await startTestApp('to_person', { config: { ...FROM_ANYWHERE, mode: 'development' } })
  await setPassword(app)
})
after(() => app.close())

const wrongly = () => tryLogin(app, { from: anywhere(), body: { password: 'not the right one' } })

test('whatever a person is mailed about its account, its sites and its listeners is in the language that it has chosen', async () => {
  const { call } = await logIn(app)
  assert.equal((await call('PUT', '/person.json', { body: { language: 'de' } })).status, 200)
  await logIn(app, { from: anywhere() })
  await app.call('POST', '/password/forgotten.json', { token: null, body: { email: EMAIL } })
  const body = { email: OTHER, current_password: PASSWORD }
  assert.equal((await call('PUT', '/person.json', { body })).status, 200)
  await invited()
  await listenerOff()
  await Promise.all(Array.from({ length: 10 }, wrongly))
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  await untilDone()
  const [asked] = await mailsTo(app, OTHER)
  const link = /http:\/\/keywright\.test(\/confirm-own-email\/\S+)/.exec(asked?.text ?? '')?.[1] ?? ''
  assert.equal((await fetch(app.address + link, { method: 'POST' })).status, 200)

  const mails = [...(await mailsTo(app, EMAIL)), ...(await mailsTo(app, OTHER))]
  assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), [
    'confirm_own_email',
    'forgotten_password',
    'member_invitation',
    'new_sign_in',
    'own_email_changed',
    'sign_in_link',
    'webhook_off',
  ])
  const others = mails.filter(({ html }) => !html.startsWith('<!doctype html>\n<html lang="de">'))
  assert.deepEqual(
    others.map(({ kind, html }) => `${kind}: ${html.slice(0, 60)}`),
    [],
  )
})

/** Another account invites the person into its team. */
async function invited(): Promise<void> {
  const { developer } = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  await setPassword(app, developer.id)
  const from = { account: developer.id, body: { email: 'stranger@example.com' }, from: anywhere() }
  const { call } = await logIn(app, from)
  const { status } = await call('POST', '/members.json', { body: { email: EMAIL, role: 'support' } })
  assert.equal(status, 201)
}

/** A listener answers that it is gone, and is switched off. */
async function listenerOff(): Promise<void> {
  const receiver = await startReceiver()
  receiver.answer = (response) => response.writeHead(410).end()
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1])
  await deliverAll(app)
  await endListeners(app, [receiver])
  app.ctx.clock.advance(HOUR)
}
