import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { endedOrWaiting } from '../../../test/lock-waits.ts'
import { inPortal } from '../../../test/portal-sessions.ts'

/** What another call does before the first statement of a kind. */
let meanwhile: { readonly before: RegExp; readonly work: () => Promise<unknown> } | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('switched_meanwhile', {
    onStatement: async (statement) => {
      if (meanwhile === null || !meanwhile.before.test(statement)) return
      const { work } = meanwhile
      meanwhile = null
      await work()
    },
  })
})
after(() => app.close())

test('who switches something off waits for a buyer who is doing it, and nothing of it is done afterwards', async () => {
  const email = 'ada@example.com'
  await userOf(app, email)
  const license = await licenseOf(app, 1, { body: { email } })
  const { call } = await inPortal(app, { id: license.user_id ?? '' })
  const own = `/products/${app.seller.product.id}`
  const ended: string[] = []
  let switching: Promise<Reply> | undefined
  meanwhile = {
    before: /^update "licenses"/,
    async work() {
      const body = { setting_type: 8, data: JSON.stringify({ portal_off: ['rotate_key'] }) }
      switching = app.call('PUT', `${own}/settings.json`, { body })
      void switching.then(() => ended.push('switch'))
      await endedOrWaiting(app.ctx.database, switching)
      assert.deepEqual(ended, [], 'it waits')
    },
  }
  const rotate = () => call('POST', `${own}/licenses/${license.id}/key.json`, {})
  expectOk(await rotate())
  expectOk(await (switching ?? Promise.reject(new Error('nothing was switched'))))
  assert.equal((await rotate()).json.error.code, 'off_in_portal')
})

test('a key that is shown no more from when a buyer makes another one is not in the answer', async () => {
  const email = 'bob@example.com'
  await userOf(app, email)
  const license = await licenseOf(app, 1, { body: { email } })
  const { call } = await inPortal(app, { id: license.user_id ?? '' })
  const own = `/products/${app.seller.product.id}`
  const say = (off: readonly string[]) =>
    app.call('PUT', `${own}/settings.json`, {
      body: { setting_type: 8, data: JSON.stringify({ portal_off: off }) },
    })
  expectOk(await say([]))
  meanwhile = { before: /for key share/, work: async () => expectOk(await say(['keys'])) }
  const rotated = expectOk(await call('POST', `${own}/licenses/${license.id}/key.json`, {}))
  assert.equal(meanwhile, null, 'it was switched off in between')
  assert.equal(rotated.json.secret_key, undefined)
})
