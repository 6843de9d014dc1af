import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, PASSWORD, setPassword } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'

/** What happens before the first statement about a password that was compared. */
let meanwhile: (() => Promise<unknown>) | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('own_address', {
    onStatement: async (statement) => {
      const work = /insert into login_failures/.test(statement) ? meanwhile : null
      if (work === null) return
      meanwhile = null
      await work()
    },
  })
  await setPassword(app)
})
after(() => app.close())

test('an address that was asked for with the old password while a new one is set is refused', async () => {
  const login = await logIn(app)
  const body = { current_password: PASSWORD, new_password: 'another pass phrase of mine' }
  meanwhile = async () => assert.equal((await login.call('PUT', '/password.json', { body })).status, 204)
  const ask = { email: 'too-late@example.com', current_password: PASSWORD }
  const { status } = await login.call('PUT', '/person.json', { body: ask })
  assert.deepEqual([status, meanwhile, await mailsTo(app, ask.email)], [401, null, []])
})
