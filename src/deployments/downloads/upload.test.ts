// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip, upload, uploadOf, zipOf } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { Bucket, serveBucket } from '../../../test/bucket.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { HOSTILE } from '../../../test/hostile-archives.ts'
import { expectOk } from '../../../test/installs.ts'
import { signed } from '../../../test/security/signing.ts'
import { prepareVersion } from '../versions/deploy-version.ts'
import { systemScope } from '../../access/scope.ts'
import { readS3Settings } from '../../lib/s3-settings.ts'
import { toRfc2822 } from '../../lib/time.ts'
import { storageOf } from '../storage/open.ts'
import type { StoredFile } from '../storage/storage.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('upload')
  const { developer, product } = app.seller
  await app.write((tx) => createOffer(tx, { developerId: developer.id, productId: product.id }, 'pro'))
})
after(() => app.close())

const tags = async () =>
  (await app.call('GET', `/products/${app.seller.product.id}/tags.json?count=50`)).json.tags

async function storedFiles(): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for await (const file of app.ctx.storage.list()) files.push(file)
  return files
}

/** What was received and neither kept nor removed. */
const left = () => readdir(join(app.ctx.config.dataDir, 'incoming')).catch(() => [])

async function setType(type: 'plugin' | 'widget', id = app.seller.product.id): Promise<void> {
  await app.ctx.database.transaction((db) =>
    db.updateTable('products').set({ type }).where('id', '=', id).execute(),
  )
}

test('the archive of a plugin says its version, what it needs and its SDK; it is pending at first', async () => {
  const zip = await pluginZip({ version: '1.0' })
  const { status, json, text } = await upload(app, zip, { data: { add_contributor: false } })
  assert.equal(status, 200, text)
  const { id, created, developer_id: developer, slug, ...rest } = json
  assert.deepEqual(rest, {
    updated: null,
    plugin_id: String(app.seller.product.id),
    premium_slug: 'example',
    version: '1.0',
    sdk_version: '2.13.4',
    requires_platform_version: '6.1',
    requires_programming_language_version: '7.4',
    tested_up_to_version: '6.9',
    downloaded: 0,
    has_free: true,
    has_premium: true,
    release_mode: 'pending',
    limit: null,
    uniques: 0,
    is_incremental: false,
    is_sandbox: false,
  })
  assert.match(created, /^2026-01-31/)
  assert.equal(developer, String(app.seller.developer.id))
  assert.ok(slug)
  assert.deepEqual((await tags())[0], json)
  assert.deepEqual(await left(), [])
  const events = (
    await app.call('GET', `/products/${app.seller.product.id}/events.json?type=plugin.version.deployed`)
  ).json.events
  assert.deepEqual(events[0].data, { file: 'example.zip', version: '1.0', release_mode: 'pending', tag: id })
})

test('a version is retrieved by its seller, and not found by another', async () => {
  const [listed] = await tags()
  const { product, other } = app.seller
  const found = await app.call('GET', `/products/${product.id}/tags/${listed.id}.json`)
  assert.deepEqual([found.status, found.json], [200, listed])
  const foreign = await app.call('GET', `/products/${other.id}/tags/${listed.id}.json`, {
    token: other.token,
  })
  assert.equal(foreign.status, 404)
})

test('every way in which clients send a body is taken: plain fields, either line end, a signature', async () => {
  const plain = await upload(app, await pluginZip({ version: '1.1' }), {
    fields: { add_contributor: 'true' },
    lineEnd: '\r\n',
  })
  assert.equal(plain.json?.version, '1.1', plain.text)
  const { body, headers } = uploadOf(await pluginZip({ version: '1.2' }), {
    data: { add_contributor: false },
  })
  const { developer, product } = app.seller
  const path = `/v1/developers/${developer.id}/plugins/${product.id}/tags.json`
  const call = { method: 'POST', path, headers }
  const signing = { date: toRfc2822(app.ctx.clock.real()), signedType: headers['content-type'] }
  const { headers: all } = signed(developer, call, signing)
  const response = await fetch(app.address + path, {
    method: 'POST',
    body,
    headers: all as Record<string, string>,
  })
  assert.equal(response.status, 200, await response.clone().text())
})

test('the same version twice is refused, and of two uploads of one at once one is left', async () => {
  const again = await upload(app, await pluginZip({ version: '1.0', files: { 'example/more.php': '<?php' } }))
  assert.deepEqual([again.status, again.json.error.code], [400, 'tag_version_taken'])
  const bytes = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      pluginZip({ version: '1.3', files: { [`example/${name}.php`]: '<?php' } }),
    ),
  )
  const replies = await Promise.all(bytes.map((zip) => upload(app, zip)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  assert.equal((await tags()).filter(({ version }: { version: string }) => version === '1.3').length, 1)
})

test('a repeated request with one Idempotency-Key adds one version, another file with it is refused', async () => {
  const send = async (zip: Buffer) => {
    const { body, headers } = uploadOf(zip)
    const path = `/products/${app.seller.product.id}/tags.json`
    return app.call('POST', path, { body, headers: { ...headers, 'idempotency-key': 'deploy-1.4' } })
  }
  const zip = await pluginZip({ version: '1.4' })
  const [first, second] = [await send(zip), await send(zip)]
  assert.deepEqual([first.status, second.status, second.json.id], [200, 200, first.json.id])
  const other = await send(await pluginZip({ version: '1.5' }))
  assert.deepEqual([other.status, other.json.error.code], [422, 'idempotency_key_reused'])
  assert.deepEqual(await left(), [])
})

test('what cannot be taken is refused with a reason, and nothing of it is stored', async () => {
  const before = (await storedFiles()).length
  const evil = await zipOf(
    { 'example/example.php': '<?php /* Plugin Name: x\nVersion: 9.0 */', 'example/link': 'x' },
    { mode: 0o120777 },
  )
  const refusals: [Buffer | null, number, string][] = [
    [evil, 400, 'invalid_archive'],
    [Buffer.from('no zip'), 400, 'invalid_archive'],
    [await zipOf({ 'readme.txt': 'x' }), 400, 'invalid_archive'],
    [await pluginZip({ version: 'latest' }), 400, 'invalid_argument'],
    [null, 402, 'missing_argument'],
  ]
  for (const [zip, status, code] of refusals) {
    const reply = await upload(app, zip, zip ? {} : { data: { add_contributor: true } })
    assert.deepEqual([reply.status, reply.json.error.code], [status, code], reply.text)
    assert.ok(reply.json.error.details.length > 0)
  }
  assert.equal((await storedFiles()).length, before)
  assert.deepEqual(await left(), [])
})

test('S31: no kind of hostile archive is taken; each is told the reason, and nothing of it is kept', async () => {
  const before = (await storedFiles()).length
  for (const [name, [archive, reason]] of Object.entries(HOSTILE)) {
    const { status, json, text } = await upload(app, await archive())
    assert.deepEqual([status, json.error?.code], [400, 'invalid_archive'], `${name}: ${text}`)
    assert.match(json.error.message, reason, name)
  }
  assert.equal((await storedFiles()).length, before)
  assert.deepEqual(await left(), [])
})

test('a sold plugin without a mark, and one without a readme, have no free build; one that is not sold is for all', async () => {
  const plain = {
    'example/example.php': '<?php /* Plugin Name: Example\nVersion: 6.0 */',
    'example/readme.txt': '== Description ==\nIt works.',
    'example/freemius/start.php': "<?php $this_sdk_version = '2.13.4';",
  }
  const builds = async (zip: Buffer, product = app.seller.product) => {
    const { json, text } = await upload(app, zip, { product })
    assert.equal(typeof json.has_free, 'boolean', text)
    return [json.has_free, json.has_premium]
  }
  assert.deepEqual(await builds(await zipOf(plain)), [false, true])
  assert.deepEqual(await builds(await pluginZip({ version: '6.1', readme: false })), [false, true])
  assert.deepEqual(await builds(await pluginZip({ version: '6.2', sdk: false })), [false, true])
  assert.deepEqual(await builds(await zipOf(plain), app.seller.other), [true, true])
})

test('what is no plugin and no theme says its version itself; a widget says which platform it needs, too', async () => {
  const { other } = app.seller
  await setType('widget', other.id)
  const zip = await zipOf({ 'widget.js': 'let a = 1' })
  const missing = await upload(app, zip, { product: other, data: { version: '1.0' } })
  assert.deepEqual([missing.status, missing.json.error.details[0].field], [402, 'requires_platform_version'])
  const data = {
    version: '1.0',
    requires_platform_version: '12',
    requires_programming_language_version: '22',
    tested_up_to_version: '13',
    sdk_version: '0.9.1',
    readme: '== Description ==\n<b>A</b> widget.\n\n== Upgrade Notice ==\n= 1.0 =\nNow.\n',
  }
  const { status, json, text } = await upload(app, zip, { product: other, data })
  assert.equal(status, 200, text)
  const { readme, ...said } = data
  assert.partialDeepStrictEqual(json, { ...said, has_free: true, has_premium: true })
  const path = `/products/${other.id}/tags/${json.id}.json`
  expectOk(await app.call('PUT', path, { token: other.token, body: { release_mode: 'released' } }))
  const query = 'readme=true&include_upgrade_notice=true'
  const update = await app.call('GET', `/products/${other.id}/updates/latest.json?${query}`, {
    token: other.token,
  })
  assert.deepEqual(
    [update.json.readme.sections, update.json.upgrade_notice],
    [{ description: '<p>&lt;b&gt;A&lt;/b&gt; widget.</p>' }, 'Now.'],
    readme,
  )
  const staged = await app.call('PUT', path, { token: other.token, body: { percentage_limit: 10 } })
  assert.deepEqual([staged.status, staged.json.error.code], [400, 'not_applicable'])
})

test('an app beside WordPress is any zip: it names no platform, and is released in stages', async () => {
  const { other } = app.seller
  const setAlias = (type_alias: string) =>
    app.ctx.database.transaction((db) =>
      db.updateTable('products').set({ type: 'widget', type_alias }).where('id', '=', other.id).execute(),
    )
  await setAlias('desktop')
  const zip = await zipOf({ 'setup.exe': 'MZ', 'plugin.php': '<?php // no header' })
  const missing = await upload(app, zip, { product: other })
  assert.deepEqual([missing.status, missing.json.error.details[0].field], [402, 'version'])
  const { status, json, text } = await upload(app, zip, { product: other, data: { version: '9.1' } })
  assert.equal(status, 200, text)
  assert.deepEqual([json.version, json.requires_platform_version], ['9.1', null])
  const path = `/products/${other.id}/tags/${json.id}.json`
  const body = { release_mode: 'released', percentage_limit: 50 }
  expectOk(await app.call('PUT', path, { token: other.token, body }))
  await setAlias('')
})

test('an upload that is cut off leaves nothing, and a larger one than is allowed is refused', async () => {
  const { body, headers } = uploadOf(await pluginZip({ version: '3.0' }))
  const url = `${app.address}/v1/products/${app.seller.product.id}/tags.json`
  const authorization = `Bearer ${app.seller.product.token}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization },
    body: body.subarray(0, -40),
  })
  assert.deepEqual(
    [response.status, ((await response.json()) as { error: { code: string } }).error.code],
    [400, 'invalid_multipart'],
  )
  assert.deepEqual(await left(), [])
  assert.ok(!(await tags()).some(({ version }: { version: string }) => version === '3.0'))
})

test('a version is deleted once, at either address, with its archives out of reach', async () => {
  const { id } = (await upload(app, await pluginZip({ version: '4.0' }))).json
  const path = `/products/${app.seller.product.id}/tags/${id}`
  const replies = await Promise.all([app.call('DELETE', `${path}.zip`), app.call('DELETE', `${path}.json`)])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, 404])
  assert.equal((await app.call('GET', `${path}.zip`)).status, 404)
})

test('an archive that is both builds is sent to a bucket once, and no build is left on the machine', async (t) => {
  const bucket = new Bucket()
  const service = await serveBucket(() => bucket)
  t.after(service.close)
  const text = (name: string) => service.env[name] ?? null
  const storage = storageOf({
    dataDir: app.ctx.config.dataDir,
    s3: readS3Settings({ text, address: text }),
  })
  const { developer, other } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: other.id })
  await setType('plugin', other.id)
  const sentFor = async (zip: Buffer) => {
    async function* chunks() {
      yield zip
    }
    const received = await storage.receive(chunks(), zip.length)
    bucket.calls.length = 0
    await prepareVersion({ ...app.ctx, storage }, scope, {
      body: {},
      file: { ...received, filename: 'a.zip' },
    })
    await storage.discard(received)
    return bucket.calls.filter((call) => call.startsWith('PUT')).length
  }
  const plain = { 'example/example.php': '<?php /* Plugin Name: Plain\nVersion: 31.0 */' }
  assert.equal(await sentFor(await zipOf(plain)), 1)
  const secret = "\nfs_dynamic_init( array( 'secret_key' => 'sk_1', 'public_key' => 'pk_1' ) );"
  const marked = `${plain['example/example.php']}${secret}\n/* <fs_premium_only> */ pro(); /* </fs_premium_only> */`
  assert.ok(
    (await sentFor(await zipOf({ 'example/example.php': marked, 'example/readme.txt': '=== A ===' }))) > 0,
  )
  assert.deepEqual(await left(), [])
})
