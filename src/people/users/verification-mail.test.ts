import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore } from '../../../test/callers.ts'
import { mailsTo } from '../../../test/mails.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('verification_mail')
})
after(() => app.close())

let count = 0

/** A user made with a token of the product; its address. */
async function create(more: object = {}): Promise<string> {
  const body = { email: `person${++count}@example.com`, name: 'Ada Lovelace', ...more }
  const { status, text } = await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
  assert.equal(status, 200, text)
  return body.email
}

test('a verification mail is sent unless it is not wanted or not needed', async () => {
  assert.equal((await mailsTo(app, await create())).length, 1)
  assert.equal((await mailsTo(app, await create({ send_verification_email: false }))).length, 0)
  assert.equal((await mailsTo(app, await create({ is_verified: true }))).length, 0)
})

test('whom a seller enters is not mailed unless that is asked for', async () => {
  const [developer, store] = [await asDeveloper(app), asStore(app)]
  const path = `/products/${app.seller.product.id}/users.json`
  for (const seller of [developer, store]) {
    const made = async (more: object) => {
      const email = `entered${++count}@example.com`
      const reply = await seller('POST', path, { email, name: 'En Tered', ...more })
      assert.equal(reply.status, 200, reply.text)
      return (await mailsTo(app, email)).length
    }
    assert.deepEqual([await made({}), await made({ send_verification_email: true })], [0, 1])
  }
})
