import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('contact')
})
after(() => app.close())

const SUPPORT = 'help@shop.example'
const write = (support_email: string | null) =>
  app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
    body: { setting_type: 7, data: JSON.stringify({ support_email }) },
  })

const said = () => ({
  product_id: app.seller.product.id,
  public_key: app.seller.product.publicKey,
  email: 'ada@example.org',
  message: 'It does not start.',
})
const send = (more: object = {}, ip = '203.0.113.1') =>
  app.call('POST', '/contact.json', {
    token: null,
    headers: { 'x-forwarded-for': ip },
    body: { ...said(), ...more },
  })

test('without a support address it is refused; that of the sender addresses will do', async () => {
  const refused = await send()
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'no_support_address'])
  const body = { support: 'care@shop.example' }
  const developer = await asDeveloper(app)
  await developer('PUT', `/products/${app.seller.product.id}/emails/addresses.json`, body)
  assert.deepEqual((await send()).json, { success: true })
  assert.equal((await mailsTo(app, 'care@shop.example')).length, 1)
})

test('what is written reaches the support of the product, with who is answered and the install that proves itself', async () => {
  await write(SUPPORT)
  const site = await createInstallOf(app, await createOwner(app))
  const s_ctx_ts = String(Math.floor(app.ctx.clock.real() / 1000))
  const { id: s_ctx_id, secret_key: secret, public_key: key } = site
  const s_ctx_secure = hash('md5', `${s_ctx_ts}${s_ctx_id}${secret}${key}contact`)
  const proof = { s_ctx_type: 'install', s_ctx_id, s_ctx_ts, s_ctx_secure }
  const more = { name: 'Ada', topic: 'Bug', site_url: 'https://site.example', ...proof }
  const message = 'One <b>line</b>\nBcc: everybody@example.com'
  assert.equal((await send({ ...more, message })).status, 200)
  const [mail] = (await mailsTo(app, SUPPORT)).map((one) => one as typeof one & { replyTo?: object })
  assert.deepEqual(mail?.replyTo, { name: 'Ada', address: 'ada@example.org' })
  for (const part of [
    'One <b>line</b> | Bcc: everybody',
    'Ada (ada@example.org)',
    'Bug',
    'https://site.example',
  ])
    assert.ok(mail?.text.includes(part), part)
  assert.match(mail?.text ?? '', new RegExp(`install: ${s_ctx_id}`))
  assert.ok(!mail?.html.includes('<b>line'))
  assert.equal((await mailsTo(app, 'ada@example.org')).length, 0)
  await send({ ...more, s_ctx_secure: 'wrong' })
  assert.doesNotMatch((await mailsTo(app, SUPPORT))[1]?.text ?? '', /Proven/)
  for (const wrong of [{ public_key: 'pk_other' }, { product_id: 987654321 }])
    assert.equal((await send(wrong)).status, 404)
  assert.equal((await send({ email: 'nobody' })).status, 400)
})

test('a caller writes five times in an hour, a hundred reach a product together', async () => {
  app.ctx.clock.advance(2 * HOUR)
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await send()).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  app.ctx.clock.advance(2 * HOUR)
  assert.equal((await send()).status, 200)
})
