import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, upload, zipOf } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { expectOk } from '../../../test/installs.ts'
import { systemScope } from '../../access/scope.ts'
import { createPlan } from '../../catalogue/plans/service.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('free_build')
  const { developer, product } = app.seller
  await app.write((tx) => createOffer(tx, { developerId: developer.id, productId: product.id }, 'pro'))
})
after(() => app.close())

const plugin = (version: string) => `<?php\n/* Plugin Name: Example\nVersion: ${version} */\n`
const REST = {
  'example/readme.txt': '== Description ==\nIt works.',
  'example/freemius/start.php': "<?php $this_sdk_version = '2.13.4';",
}

test('functions of the SDK that are named like premium code make no free build of a sold plugin', async () => {
  const sdk = { 'example/freemius/a.php': '<?php class A { function is__premium_only() { return true; } }' }
  const { json, text } = await upload(
    app,
    await zipOf({ 'example/example.php': plugin('7.0'), ...REST, ...sdk }),
  )
  assert.deepEqual([json.has_free, json.has_premium], [false, true], text)
})

test('a version of a sold product that has no free build tells why', async () => {
  const { product } = app.seller
  const whyNot = async (zip: Buffer, version: string) => {
    const { json, text } = await upload(app, zip, { data: { version } })
    assert.equal(json.has_free, false, text)
    return (await app.call('GET', `/products/${product.id}/tags/${json.id}/report.json`)).json
  }
  const packed = (version: string, more: object) => zipOf({ 'example/example.php': plugin(version), ...more })
  const cases = [
    ['not_wordpress', await zipOf({ 'app.js': 'pro()' })],
    ['nothing_marked', await packed('6.1', REST)],
    ['no_readme', await pluginZip({ version: '6.2', readme: false })],
    ['no_sdk', await pluginZip({ version: '6.3', sdk: false })],
  ] as const
  for (const [n, [why, zip]] of cases.entries())
    assert.deepEqual(await whyNot(zip, `6.${n}`), { files: [], parts: [], no_free: why })
})

test('an uninstall.php is refused beside the SDK, and where a free build is cut, which it would clear up after', async () => {
  const own = { 'example/uninstall.php': '<?php' }
  const outcomeOf = async (options: Parameters<typeof pluginZip>[0]) => {
    const { json } = await upload(app, await pluginZip({ files: own, ...options }))
    return json.error?.code ?? [json.has_free, json.has_premium]
  }
  assert.equal(await outcomeOf({ version: '7.1' }), 'invalid_archive')
  assert.deepEqual(await outcomeOf({ version: '7.2', sdk: false }), [false, true])
  const settings = `/products/${app.seller.product.id}/settings`
  const setRequired = async (isRequired: boolean) => {
    const all = expectOk(await app.call('GET', `${settings}.json`)).json.settings
    const { id } = all.find(({ setting_type: type }: { setting_type: number }) => type === 5)
    const data = JSON.stringify({ is_sdk_required: isRequired })
    expectOk(await app.call('PUT', `${settings}/${id}.json`, { body: { data } }))
  }
  await setRequired(false)
  assert.equal(await outcomeOf({ version: '7.3', sdk: false }), 'invalid_archive')
  assert.deepEqual(await outcomeOf({ version: '7.4', sdk: false, files: {} }), [true, true])
  await setRequired(true)
})

test('of a sold product with a free plan nothing is free that was not cut: as a Mac packs it, or where WordPress does not look', async () => {
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  await app.write((tx) =>
    createPlan(tx, scope, {
      name: 'free',
      is_free_localhost: true,
      is_block_features: true,
      is_block_features_monthly: true,
      license_type: 0,
    }),
  )
  const files = { 'example/example.php': `${plugin('8.0')}if (fs()->is__premium_only()) { pro(); }`, ...REST }
  const mac = { '__MACOSX/._example': 'x', '__MACOSX/example/._example.php': 'x', '.DS_Store': 'x', ...files }
  const { json, text } = await upload(app, await zipOf(mac), { data: { version: '8.0' } })
  assert.deepEqual([json.has_free, json.premium_slug], [true, 'example'], text)
  const report = await app.call('GET', `/products/${product.id}/tags/${json.id}/report.json`)
  assert.deepEqual(report.json.parts, [{ file: 'example/example.php', part: 'block', line: 4 }])
  const atTop = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name.replace('example/', ''), content]),
  )
  const twoFolders = { 'example/example.php': plugin('8.1'), 'docs/index.html': 'x' }
  const onlySdk = {
    'example/a.php': '<?php',
    'example/freemius/start.php': REST['example/freemius/start.php'],
  }
  for (const packed of [atTop, twoFolders, onlySdk]) {
    const refused = await upload(app, await zipOf(packed), { data: { version: '8.1' } })
    assert.deepEqual([refused.status, refused.json.error?.code], [400, 'invalid_archive'], refused.text)
  }
  const other = await upload(app, await zipOf({ 'app.js': 'pro()' }), { data: { version: '8.2' } })
  assert.deepEqual([other.json.has_free, other.json.has_premium], [false, true], other.text)
})
