import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readlink, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pluginZip, release, upload, zipOf } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
let install: Install
/** Of version 1.0, as uploaded. */
let id: string
let zip: Buffer

before(async () => {
  app = await startTestApp('download')
  const owner = await createOwner(app)
  const license = await licenseOn(app, await offerFor(app, 5), { body: { email: owner.email } })
  install = await createInstallOf(app, owner, { version: '0.9', license_key: license.secret_key })
  zip = await pluginZip({ version: '1.0' })
  id = (await upload(app, zip)).json.id
  await app.call('PUT', at(`/tags/${id}.json`), { body: { release_mode: 'released' } })
})
after(() => app.close())

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

async function download(rest: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${app.seller.product.token}`
  const response = await fetch(`${app.address}/v1${at(rest)}`, { headers: { authorization, ...headers } })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

const counters = async (tag = id) => {
  const { tags } = (await app.call('GET', at('/tags.json?count=50'))).json
  const { downloaded, uniques } = tags.find((one: { id: string }) => one.id === tag)
  return { downloaded, uniques }
}

test('S32: what is downloaded is what was uploaded, as a file of a harmless name that nothing sniffs at', async () => {
  const { status, headers, bytes } = await download(`/tags/${id}.zip?is_premium=true`)
  assert.equal(status, 200)
  assert.ok(bytes.equals(zip))
  const shown = [
    'content-type',
    'content-disposition',
    'x-content-type-options',
    'cache-control',
    'accept-ranges',
  ]
  assert.deepEqual(
    shown.map((name) => headers.get(name)),
    ['application/zip', 'attachment; filename="example.1.0.zip"', 'nosniff', 'private, no-cache', 'bytes'],
  )
  assert.equal(headers.get('etag'), `"${createHash('sha256').update(zip).digest('hex')}"`)
  assert.equal(headers.get('content-length'), String(zip.length))
})

test('without a wish the free build is downloaded, which is another file', async () => {
  const { bytes, headers } = await download(`/tags/${id}.zip`)
  assert.ok(!bytes.equals(zip))
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.1\.0\.zip"$/)
  const report = (await app.call('GET', at(`/tags/${id}/report.json`))).json
  const parts = [{ file: 'example/example.php', part: 'block', line: 8 }]
  assert.deepEqual(report, { files: [], parts, no_free: null })
  const latest = await download('/tags/latest.zip')
  assert.ok(latest.bytes.equals(bytes))
  for (const tag of [id, 'latest'])
    assert.ok((await download(`/tags/${tag}.zip?is_premium=true`)).bytes.equals(zip))
  const links = ['', '?is_premium=true'].map(async (query) => {
    const { json } = await app.call('GET', at(`/tags/latest.json${query}`))
    return new URL(json.url).searchParams.get('is_premium')
  })
  assert.deepEqual(await Promise.all(links), [null, 'true'])
})

test('S32: the folder of an archive is no part of a header or of a path', async () => {
  const header = '<?php /* Plugin Name: Odd\nVersion: 0.1 */'
  const odd = await zipOf({ '..";filename=ü%0d/odd.php': header, '..";filename=ü%0d/a.txt': 'a' })
  const tag = (await upload(app, odd)).json.id
  const { headers } = await download(`/tags/${tag}.zip?is_premium=true`)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="filename-0d.0.1.zip"')
})

test('a part is downloaded, from any place; a part of another file is not taken', async () => {
  const part = await download(`/tags/${id}.zip?is_premium=true`, { range: 'bytes=10-19' })
  assert.equal(part.status, 206)
  assert.ok(part.bytes.equals(zip.subarray(10, 20)))
  assert.equal(part.headers.get('content-range'), `bytes 10-19/${zip.length}`)
  const etag = part.headers.get('etag') ?? ''
  const rest = await download(`/tags/${id}.zip?is_premium=true`, { range: 'bytes=20-', 'if-range': etag })
  assert.ok(Buffer.concat([zip.subarray(0, 20), rest.bytes]).equals(zip))
  const other = await download(`/tags/${id}.zip?is_premium=true`, {
    range: 'bytes=20-',
    'if-range': '"other"',
  })
  assert.deepEqual([other.status, other.bytes.length], [200, zip.length])
  const beyond = await download(`/tags/${id}.zip?is_premium=true`, { range: `bytes=${zip.length}-` })
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${zip.length}`])
  const known = await download(`/tags/${id}.zip?is_premium=true`, { 'if-none-match': etag })
  assert.deepEqual([known.status, known.bytes.length], [304, 0])
})

test('each download is counted once, its user once, and told; a part counts that has more than half and the end', async () => {
  const tag = await release(app, '1.1')
  const update = `/installs/${install.id}/updates/latest.zip`
  const first = await Promise.all(Array.from({ length: 6 }, () => download(`${update}?is_premium=true`)))
  assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await counters(tag), { downloaded: 6, uniques: 1 })
  const etag = first[0]?.headers.get('etag') ?? ''
  const few = Math.floor(Number(first[0]?.headers.get('content-length')) / 2) - 1
  const parts = ['bytes=5-9', 'bytes=0-0', 'bytes=0-9', 'bytes=-1', `bytes=-${few}`]
  for (const range of parts) {
    assert.equal((await download(`${update}?is_premium=true`, { range })).status, 206)
  }
  await download(update, { 'if-none-match': etag })
  const asked = await fetch(`${app.address}/v1${at(update)}?is_premium=true`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${app.seller.product.token}` },
  })
  assert.deepEqual([asked.status, asked.headers.get('etag')], [200, etag])
  assert.equal(asked.headers.get('content-length'), first[0]?.headers.get('content-length'))
  assert.deepEqual(await counters(tag), { downloaded: 6, uniques: 1 })
  await download(update, { range: 'bytes=10-' })
  await download(`/tags/${tag}.zip`)
  assert.deepEqual(await counters(tag), { downloaded: 8, uniques: 1 })
  const owner = await createOwner(app)
  const other = await createInstallOf(app, owner, { version: '0.9' })
  await download(`/installs/${other.id}/updates/latest.zip`)
  assert.deepEqual(await counters(tag), { downloaded: 9, uniques: 2 })
  const list = async (type: string) =>
    (await app.call('GET', at(`/events.json?count=50&type=${type}`))).json.events.filter(
      ({ data }: { data: { tag: string } }) => data.tag === tag,
    )
  assert.equal((await list('plugin.premium.downloaded')).length, 7)
  const [free] = await list('plugin.free.downloaded')
  assert.deepEqual([free.user_id, free.install_id], [String(owner.id), other.id])
})

test('a download that breaks off and goes on counts once, when its last bytes leave', async () => {
  const large = await pluginZip({ version: '1.2', files: { 'example/large.bin': randomBytes(16_000_000) } })
  const tag = (await upload(app, large)).json.id
  const path = `/tags/${tag}.zip?is_premium=true`
  const leaving = new AbortController()
  const begun = await fetch(`${app.address}/v1${at(path)}`, {
    headers: { authorization: `Bearer ${app.seller.product.token}` },
    signal: leaving.signal,
  })
  const { value: first = Buffer.alloc(0) } = (await begun.body?.getReader().read()) ?? {}
  leaving.abort()
  assert.ok(first.length > 0 && first.length < large.length)
  assert.deepEqual(await counters(tag), { downloaded: 0, uniques: 0 })
  const rest = await download(path, { range: `bytes=${first.length}-` })
  assert.equal(rest.status, 206)
  assert.ok(Buffer.concat([first, rest.bytes]).equals(large))
  assert.deepEqual(await counters(tag), { downloaded: 1, uniques: 0 })
})

test('a file that ends early breaks its answer off, and counts as no download', async () => {
  const tag = (await upload(app, await pluginZip({ version: '1.3' }))).json.id
  const path = `/tags/${tag}.zip?is_premium=true`
  const { headers, bytes } = await download(path)
  const sha256 = headers.get('etag')?.replaceAll('"', '') ?? ''
  const files = join(app.ctx.config.dataDir, 'files')
  const file = (await readdir(files, { recursive: true })).find((name) => name.endsWith(sha256)) ?? ''
  await truncate(join(files, file), bytes.length - 1)
  await assert.rejects(download(path))
  assert.deepEqual(await counters(tag), { downloaded: 1, uniques: 0 })
})

const held = async (): Promise<number> => {
  const paths = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(join(app.ctx.config.dataDir, 'files'))).length
}

const until = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return true
    await sleep(10)
  }
  return false
}

test(
  'a download that waits behind another answer holds no file',
  { skip: process.platform !== 'linux' },
  async () => {
    const { port, hostname } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    const ask = (rest: string) =>
      `GET /v1${at(rest)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.seller.product.token}\r\n\r\n`
    socket.write(ask('/events/stream') + ask(`/tags/${id}.zip`).repeat(3))
    await once(socket, 'data')
    await download(`/tags/${id}.zip`)
    assert.ok(await until(async () => (await held()) === 0))
    socket.destroy()
  },
)

test('the versions of an archive cannot be asked for by a name that leads elsewhere', async () => {
  const { url } = (await app.call('GET', at('/tags/latest.json'))).json
  const { search } = new URL(url)
  for (const name of ['..%2f..%2fsecret', '%2e%2e/%2e%2e/secret', 'x.zip/../../secret']) {
    const response = await fetch(`${app.address}/downloads/${id}/${name}${search}`)
    assert.ok(response.status === 404 || response.headers.get('content-type') === 'application/zip')
    assert.ok(!(await response.text()).includes('keywright.db'))
  }
  assert.equal((await fetch(`${app.address}/downloads/..%2f1/x.zip${search}`)).status, 404)
})
