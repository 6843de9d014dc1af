import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { createOwner, expectOk, newUid } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'

/** What happens before the statement that gives a person another address. */
let meanwhile: (() => Promise<unknown>) | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('joined_meanwhile', {
    onStatement: async (statement) => {
      const work = statement.startsWith('update "users" set "email" =') ? meanwhile : null
      if (work === null) return
      meanwhile = null
      await work()
    },
  })
})
after(() => app.close())

test('a link is over when the user comes into another product while it is followed', async () => {
  const { product, developer, store } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addon = await app.write((tx) => createAddon(tx, owner, 'Add-on'))
  const person = await createOwner(app)
  const path = `/products/${product.id}/users/${person.id}.json`
  const email = 'wanted@example.com'
  expectOk(await app.call('PUT', path, { body: { email } }))
  const [, link] = /http:\/\/keywright\.test(\/\S+)/.exec((await mailsTo(app, email))[0]?.text ?? '') ?? []
  const join = () => asUser(app, person)('POST', `/products/${addon}/installs.json`, { uid: newUid() })
  meanwhile = async () => expectOk(await join())
  const followed = await fetch(`${app.address}${link}`, { method: 'POST', redirect: 'manual' })
  assert.deepEqual([followed.status, meanwhile], [404, null])
  assert.equal((await app.call('GET', path)).json.email, person.email)
})
