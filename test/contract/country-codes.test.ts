// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../activations.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { BANK_ACCOUNT } from '../security/bank-account.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('country_spelling')
  shop = await changeShop(app)
})
after(() => app.close())

/** Every code of a country in a reply, by its name. */
const codesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) =>
        name.endsWith('country_code') && one !== null ? [String(one)] : codesIn(one),
      )

for (const code of ['US', 'us']) {
  test(`a country that was told as ${code} is answered in lower case, wherever it is`, async () => {
    const put = async (path: string, body: object) => (await app.call('PUT', shop.base + path, { body })).json
    const sold = await shop.buy({ country_code: code })
    const { user_id: userId } = await shop.licenseOf(sold.id)
    const { json: session } = await shop.open({
      ...shop.sandbox(),
      country_code: code,
      user_email: `${code}@e.org`,
    })
    const { carts } = await shop.get('/carts.json')
    const license = { ...(await shop.licenseOf(sold.id)), secret_key: sold.key }
    const active = await clientsOf(app).active(license)
    const developer = await asDeveloper(app)
    const account = {
      ...BANK_ACCOUNT,
      address_country_code: code,
      bank_country_code: code,
      address_state: null,
    }
    const replies = {
      checkout: session,
      cart: carts[0],
      changed: await put(`/carts/${carts[0].id}.json`, { country_code: code, last: 'B' }),
      purchase: sold.purchase,
      payment: await shop.get(`/payments.json?count=1`),
      subscription: await shop.subscriptionOf(sold.id),
      billing: await put(`/users/${userId}/billing.json`, { address_country_code: code }),
      install: await put(`/installs/${active.installId}.json`, { country_code: code }),
      account: (await developer('POST', '/bank_account.json', account)).json,
      events: await shop.get('/events.json?count=50'),
    }
    for (const [name, reply] of Object.entries(replies)) {
      const codes = new Set(codesIn(reply))
      assert.deepEqual([...codes], ['us'], `${name}: ${JSON.stringify(reply)}`)
    }
  })
}
