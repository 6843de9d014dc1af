import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, eventsOf, expectOk, keysOf } from '../../../test/installs.ts'
import { mailsOf } from '../../../test/licenses.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('moved_meanwhile')
})
after(() => app.close())

const act = (link: string) => fetch(app.address + link, { method: 'POST', redirect: 'manual' })

test('a change that was asked of one owner moves nothing of whom the seller gave the install to meanwhile', async () => {
  const path = `/products/${app.seller.product.id}/installs`
  const [owner, meanwhile] = [await createOwner(app), await createOwner(app)]
  const install = await createInstallOf(app, owner, { url: 'https://moved.example' })
  const call = asInstall(app, keysOf(install))
  expectOk(await call('PUT', `/users/${owner.id}.json`, { email: 'next@example.com' }))
  const links = (await mailsOf(app, 'ownership_change')).map(
    ({ text }) => /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(text)?.[1] ?? assert.fail(text),
  )
  assert.equal(links.length, 2)
  expectOk(await app.call('PUT', `${path}/${install.id}.json`, { body: { user_id: meanwhile.id } }))
  const statuses = []
  for (const link of links) statuses.push((await act(link)).status)
  const now = expectOk(await app.call('GET', `${path}/${install.id}.json`)).json
  assert.equal(now.user_id, String(meanwhile.id))
  assert.equal(statuses.at(-1), 404)
  const types = (await eventsOf(app, install.id)).map(({ type }) => type)
  assert.equal(
    types.filter((type) => type === 'install.ownership.completed').length,
    1,
    'by the seller alone',
  )
})
