// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, release, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('updates_sdk')
})
after(() => app.close())

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

test('with is_sdk_required a site is offered only versions with the SDK, until it takes that back', async () => {
  const data = JSON.stringify({ is_sdk_required: false })
  expectOk(await app.call('PUT', at('/settings.json'), { body: { setting_type: 5, data } }))
  await release(app, '1.1')
  const bare = await upload(app, await pluginZip({ version: '1.2', sdk: false }))
  const released = { body: { release_mode: 'released' } }
  const { sdk_version } = expectOk(await app.call('PUT', at(`/tags/${bare.json.id}.json`), released)).json
  assert.equal(sdk_version, '')
  const owner = await createOwner(app)
  const sites = [await createInstallOf(app, owner), await createInstallOf(app, owner)] as const
  const offered = () =>
    Promise.all(
      sites.map(async ({ id }) => {
        const one = await app.call('GET', at(`/installs/${id}/updates/latest.json?newer_than=1.0`))
        const list = expectOk(await app.call('GET', at(`/installs/${id}/updates.json?version=1.0`)))
        return [one.json.version, list.json.tags.map(({ version }: { version: string }) => version)]
      }),
    )
  const [all, some] = [
    ['1.2', ['1.2', '1.1']],
    ['1.1', ['1.1']],
  ]
  assert.deepEqual(await offered(), [all, all])
  const site = asInstall(app, keysOf(sites[0]))
  const say = async (is_sdk_required: boolean) => expectOk(await site('PUT', '.json', { is_sdk_required }))
  await say(true)
  assert.deepEqual(await offered(), [some, all])
  expectOk(await site('PUT', '.json', { version: '1.1' }))
  const { status } = await site('GET', '/updates/latest.json?newer_than=1.1')
  assert.equal(status, 404)
  await say(false)
  assert.deepEqual(await offered(), [all, all])
})
