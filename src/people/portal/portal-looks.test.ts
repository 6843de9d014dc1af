import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { userOf } from '../../../test/licenses.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import { built } from '../../../test/web/built.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('portal_looks')
  await built()
})
after(() => app.close())

type Product = TestApp['seller']['product']

const say = async ({ id, token }: Product, setting_type: 7 | 8, data: object) =>
  app.call('PUT', `/products/${id}/settings.json`, {
    token,
    body: { setting_type, data: JSON.stringify(data) },
  })

/** What the page that asks for the address is given. */
async function placeAt(query: string) {
  const text = await (await fetch(`${app.address}/portal/?${query}`)).text()
  const [, data = '{}'] = /<script[^>]* id="data"[^>]*>([^<]*)</.exec(text) ?? []
  return JSON.parse(data).place
}

const WORDS = {
  portal_greeting_en: 'Good to see you.',
  portal_greeting_de: 'Schön, dass Sie da sind.',
  portal_help_en: 'We answer on workdays.',
  portal_help_de: 'Wir antworten werktags.',
}
const LOOK = {
  accent: '#0f766e',
  logo_url: 'https://shop.example.com/logo.png',
  greeting: { en: 'Good to see you.', de: 'Schön, dass Sie da sind.' },
  help: { en: 'We answer on workdays.', de: 'Wir antworten werktags.' },
  support_email: 'help@example.com',
}
const PLAIN = {
  accent: null,
  logo_url: null,
  greeting: { en: null, de: null },
  help: { en: null, de: null },
  support_email: null,
}

test('the portal greets, helps and looks as its product says, and that of a store as all of its products say alike', async () => {
  const { product, other, store } = app.seller
  const pages = {
    checkout_accent: LOOK.accent,
    checkout_logo_url: LOOK.logo_url,
    support_email: LOOK.support_email,
  }
  expectOk(await say(product, 7, pages))
  expectOk(await say(product, 8, WORDS))
  assert.deepEqual((await placeAt(`product_id=${product.id}`)).look, LOOK)
  assert.deepEqual((await placeAt(`product_id=${other.id}`)).look, PLAIN)
  assert.deepEqual((await placeAt(`store_id=${store.id}`)).look, PLAIN)
  expectOk(await say(other, 8, { ...WORDS, portal_help_de: 'Immer.' }))
  expectOk(await say(other, 7, { checkout_accent: LOOK.accent }))
  const shared = {
    ...PLAIN,
    accent: LOOK.accent,
    greeting: LOOK.greeting,
    help: { en: LOOK.help.en, de: null },
  }
  assert.deepEqual((await placeAt(`store_id=${store.id}`)).look, shared)
  const id = await userOf(app, 'ada@example.com')
  const { cookie } = await inPortal(app, { id })
  const { json } = await app.call('GET', '/portal/session.json', { token: null, headers: { cookie } })
  assert.deepEqual(json.products[0].look, LOOK)
  expectOk(await say(product, 8, { portal_greeting_en: null }))
  assert.equal((await placeAt(`product_id=${product.id}`)).look.greeting.en, null)
})

test('words are plain text of one line, of so many characters', async () => {
  const { product } = app.seller
  for (const [data, field] of [
    [{ portal_greeting_en: 'x'.repeat(201) }, 'portal_greeting_en'],
    [{ portal_help_de: 'x'.repeat(501) }, 'portal_help_de'],
    [{ portal_help_en: 'a\nb' }, 'portal_help_en'],
    [{ portal_greeting_de: '' }, 'portal_greeting_de'],
    [{ portal_greeting_de: 7 }, 'portal_greeting_de'],
  ] as const) {
    const reply = await say(product, 8, data)
    assert.equal(reply.status, 400, field)
    assert.equal(reply.json.error.details[0].field, `data.${field}`)
  }
  expectOk(await say(product, 8, { portal_help_en: 'x'.repeat(500), portal_greeting_en: 'x'.repeat(200) }))
})
