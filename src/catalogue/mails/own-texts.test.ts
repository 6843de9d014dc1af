import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { joinTeam, logIn, setPassword } from '../../../test/logins.ts'
import { callElsewhere, mailsTo } from '../../../test/mails.ts'
import { queueMail } from '../../mail/outbox.ts'
import { OWN_TEMPLATES, placeholdersOf } from '../../mail/own-texts.ts'
import { LANGUAGES } from '../../mail/texts/texts.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('own_mail_texts')
  await setPassword(app)
})
after(() => app.close())

const call = (method: Method, path: string, body?: object, { id, token } = app.seller.product) =>
  app.call(method, `/products/${id}/mail_templates${path}`, { token, ...(body && { body }) })

const OWN = {
  language: 'en',
  subject: 'Welcome to {{product}}',
  body: 'Hi {{name}}, this opens it.\n\nYour plan: {{plan}}',
  button: '',
  closing: 'Your team at the mill',
}

let readers = 0
/** Mails the cancellation of a license about a product; what stands in the outbox. */
async function cancelled({ id } = app.seller.product, language: string | null = null, plan = 'Pro') {
  const recipient = `reader${++readers}@example.com`
  await app.write((tx) =>
    queueMail(tx, {
      developerId: app.seller.developer.id,
      productId: id,
      userId: null,
      recipient,
      language,
      template: 'license_cancelled',
      name: 'Ada Lovelace',
      values: { plan },
    }),
  )
  const [mail] = await mailsTo(app, recipient)
  assert.ok(mail)
  return mail
}

test('an own text is what is mailed from then on, in its language and about its product alone, until it is taken back', async () => {
  const before = await cancelled()
  const { status, text } = await call('PUT', '/license_cancelled.json', OWN)
  assert.equal(status, 200, text)
  const mail = await cancelled()
  assert.equal(mail.subject, 'Welcome to First product')
  assert.equal(mail.text, 'Hello Ada,\n\nHi Ada, this opens it.\n\nYour plan: Pro\n\nYour team at the mill\n')
  assert.match(mail.html, /<p>Your plan: Pro<\/p>/)
  assert.match((await cancelled(app.seller.product, 'de')).subject, /Lizenz/)
  assert.match((await cancelled(app.seller.other)).subject, /cancelled$/)
  assert.equal((await call('DELETE', '/license_cancelled.json?language=en')).status, 204)
  assert.deepEqual((await cancelled()).text, before.text)
})

test('a placeholder that a mail does not know is refused by name at its field, with those that it knows', async () => {
  const wrong = { ...OWN, subject: 'Hi {{nmae}}', body: '{{plan}} {{ link }} {{', closing: '{{secret}}' }
  const { status, json } = await call('PUT', '/license_cancelled.json', wrong)
  assert.equal(status, 400)
  const said = Object.fromEntries(
    json.error.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
  )
  const known = 'this mail knows {{name}}, {{product}}, {{plan}}'
  assert.deepEqual(said, {
    subject: `must not have {{nmae}}: ${known}`,
    body: `must not have {{ link }}, {{: ${known}`,
    closing: `must not have {{secret}}: ${known}`,
  })
  assert.equal((await call('POST', '/license_cancelled/preview.json', wrong)).status, 400)
  assert.equal((await call('GET', '/license_cancelled.json')).json.is_own, false)
})

test('hostile text is text: of the seller and of values, in HTML, and no code of it runs', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\' <%= 7 * 6 %> {{plan}}'
  await call('PUT', '/license_cancelled.json', { ...OWN, subject: hostile, body: hostile, closing: hostile })
  const mail = await cancelled(app.seller.product, null, '<script>alert(2)</script>')
  assert.ok(!/<(img|script)/.test(mail.html), mail.html)
  assert.match(mail.html, /&lt;img src=x onerror=alert\(1\)&gt;/)
  assert.ok(mail.text.includes('<%= 7 * 6 %> <script>alert(2)</script>'))
  assert.ok(!mail.subject.includes('42'))
  await call('DELETE', '/license_cancelled.json?language=en')
})

test('a paragraph whose value is missing is left out, of a name that is not known the name alone', async () => {
  const body = 'Hi {{name}},\n\nWith this link it costs {{discount}} less.\n\n{{product}} waits.\nStill.'
  await call('PUT', '/cart_recovery.3.json', { ...OWN, subject: 'Only {{discount}}', body, closing: '' })
  const recipient = 'cart@example.com'
  await app.write((tx) =>
    queueMail(tx, {
      developerId: app.seller.developer.id,
      productId: app.seller.product.id,
      userId: null,
      recipient,
      template: 'cart_recovery.3',
      name: '3 for 2: evil.example',
      values: { link: 'https://shop.example.com/cart', trialDays: null, discount: null },
    }),
  )
  const [mail] = await mailsTo(app, recipient)
  assert.match(mail?.subject ?? '', /^The last mail about your order/)
  assert.match(
    mail?.text ?? '',
    /^Hello,\n\nHi,\n\n.* waits\.\nStill\.\n\nhttps:\/\/shop\.example\.com\/cart\n$/,
  )
  assert.match(mail?.html ?? '', /waits\.<br>Still\./)
  await call('DELETE', '/cart_recovery.3.json?language=en')
})

test('what a mail must say stands below its own text: details, links and how long they work, what the law wants', async () => {
  await call('PUT', '/receipt.json', { ...OWN, body: 'Thanks.', closing: 'Bye.' })
  const { json } = await call('GET', '/receipt/preview.json?language=en')
  const parts = ['Thanks.', 'Invoice: INV-000042', 'You agreed to this as you paid', 'Bye.']
  const places = parts.map((part) => json.text.indexOf(part))
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? -1)),
    json.text,
  )
  await call('PUT', '/portal_link.json', { ...OWN, body: 'Come in.', button: 'Enter' })
  const link = await call('GET', '/portal_link/preview.json?language=en')
  assert.match(link.json.text, /Come in\.\n\nhttps:.*\n\nIt works for 5 minutes/)
  assert.match(link.json.html, />Enter<\/a>/)
})

test('a text that is not saved is shown as it would be mailed, and stays unsaved', async () => {
  const { json } = await call('POST', '/license_cancelled/preview.json', { ...OWN, language: 'de' })
  assert.match(json.text, /^Guten Tag Ada,\n\nHi Ada, this opens it\./)
  assert.equal((await call('GET', '/license_cancelled.json?language=de')).json.is_own, false)
})

test('every mail to customers starts its own text from the built-in one, in each language, which is taken as it is', async () => {
  const { json } = await call('GET', '.json')
  assert.deepEqual(
    json.mail_templates.map(({ name }: { name: string }) => name),
    OWN_TEMPLATES,
  )
  for (const name of OWN_TEMPLATES) {
    for (const language of LANGUAGES) {
      const { json: start } = await call('GET', `/${name}.json?language=${language}`)
      const { subject, body, button, closing } = start
      assert.ok(!/<%|undefined|\[object/.test(subject + body + button), JSON.stringify(start))
      assert.deepEqual(start.placeholders, placeholdersOf(name))
      const draft = { language, subject, body, button, closing }
      const shown = await call('POST', `/${name}/preview.json`, draft)
      assert.equal(shown.status, 200, shown.text)
      const builtIn = await call('GET', `/${name}/preview.json?language=${language}`)
      if (!['receipt', 'portal_link'].includes(name)) assert.equal(shown.json.subject, builtIn.json.subject)
    }
  }
  for (const name of ['webhook_off', 'sign_in_link', 'nothing', '__proto__'])
    assert.equal((await call('GET', `/${name}.json`)).status, 400)
})

test('of texts that are written at once none is lost', async () => {
  const names = ['renewed', 'receipt', 'license', 'license_expired']
  const made = await Promise.all(names.map((name) => call('PUT', `/${name}.json`, { ...OWN, body: 'Text' })))
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { json } = await call('GET', '.json')
  for (const name of names) {
    const found = json.mail_templates.find((one: { name: string }) => one.name === name)
    assert.deepEqual(found?.own_languages, ['en'], name)
  }
})

test('an example is mailed to who is logged in and nobody else, at most 30 in an hour of an account', async () => {
  const owner = await logIn(app)
  const path = `/products/${app.seller.product.id}/mail_templates/license_cancelled/test.json`
  await owner.call('PUT', `/products/${app.seller.product.id}/mail_templates/license_cancelled.json`, {
    body: OWN,
  })
  const { json } = await owner.call('POST', '/members.json', {
    body: { email: 'tester@example.com', role: 'developer' },
  })
  await joinTeam(app, json.id)
  const member = await logIn(app, { body: { email: 'tester@example.com' } })
  await callElsewhere(app)
  const before = (await mailsTo(app, 'tester@example.com')).length
  const test = (language: string) => member.call('POST', path, { body: { language } })
  assert.equal((await test('en')).status, 204)
  const mails = await mailsTo(app, 'tester@example.com')
  assert.equal(mails.length, before + 1)
  assert.match(mails.at(-1)?.text ?? '', /this opens it/)
  const replies = await Promise.all(Array.from({ length: 35 }, () => test('de')))
  const statuses = replies.map(({ status }) => status).toSorted()
  assert.deepEqual(
    [statuses.filter((one) => one === 204).length, statuses.filter((one) => one === 429).length],
    [29, 6],
  )
  assert.equal((await owner.call('POST', path, { body: { language: 'en' } })).status, 429)
})
