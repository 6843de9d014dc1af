// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, uploadOf, zipOf } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { signed, signedInQuery } from '../../../test/security/signing.ts'
import { toRfc2822 } from '../../lib/time.ts'

/** The requests of the tools that sellers deploy with, as `docs/interface.md` 12.1 has them. */
let app: TestApp
before(async () => {
  app = await startTestApp('deploy_tools')
  const { developer, product } = app.seller
  await app.write((tx) => createOffer(tx, { developerId: developer.id, productId: product.id }, 'pro'))
})
after(() => app.close())

const base = () => `/v1/developers/${app.seller.developer.id}/plugins/${app.seller.product.id}`

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

async function send({ path, ...init }: Sent) {
  const response = await fetch(app.address + path, init as RequestInit)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null
  return { status: response.status, type: response.headers.get('content-type'), bytes, json }
}

/** Signed by the developer; `GMT` and an empty Content-MD5 are how some write them. */
function byDeveloper({ body, ...call }: Sent, { isGmt = false } = {}) {
  const now = app.ctx.clock.real()
  const date = isGmt ? new Date(now).toUTCString() : toRfc2822(now)
  const type = call.headers?.['content-type'] ?? (body === undefined ? null : 'application/json')
  const isForm = type?.startsWith('multipart/') === true
  // The bodies of forms are not summed up by any of them.
  const unsummed = isForm || body === undefined ? call : { ...call, body }
  const { headers } = signed(app.seller.developer, unsummed, { date, signedType: type })
  const md5 = isGmt ? { 'content-md5': '' } : {}
  return send({ ...call, ...(body !== undefined && { body }), headers: { ...headers, ...md5 } as never })
}

const form = async (version: string, options: Parameters<typeof uploadOf>[1]) =>
  uploadOf(await pluginZip({ version }), options)

async function accessToken(): Promise<string> {
  const { id } = app.seller.developer
  const { json } = await byDeveloper({ method: 'GET', path: `/v1/developers/${id}/token.json` })
  return `FSA ${id}:${json.access}`
}

test('deploy.php: an upload with `data`, a release as JSON, and a download by a signed address', async () => {
  assert.deepEqual((await byDeveloper({ method: 'GET', path: `${base()}/tags.json` })).json, { tags: [] })
  const upload = await form('1.0', { data: { add_contributor: false } })
  const { status, json } = await byDeveloper({ method: 'POST', path: `${base()}/tags.json`, ...upload })
  assert.deepEqual([status, json.version, json.release_mode], [200, '1.0', 'pending'])
  const path = `${base()}/tags/${json.id}`
  const body = '{"release_mode":"released"}'
  const released = await byDeveloper({ method: 'PUT', path: `${path}.json`, body })
  assert.deepEqual([released.status, released.json.release_mode], [200, 'released'])
  for (const build of ['', '?is_premium=true']) {
    const call = { method: 'GET', path: `${path}.zip${build}` } as const
    const date = toRfc2822(app.ctx.clock.real())
    const zip = await send({ method: 'GET', path: signedInQuery(app.seller.developer, call, date).path })
    assert.deepEqual([zip.status, zip.type], [200, 'application/zip'], call.path)
  }
  const list = await byDeveloper({ method: 'GET', path: `${base()}/tags.json?count=50` })
  assert.equal(list.json.tags[0].version, '1.0')
})

test('gulp and grunt: plain fields, CRLF, a date in GMT and an empty Content-MD5', async () => {
  for (const [version, add_contributor] of [
    ['1.1', 'true'],
    ['1.2', 'false'],
  ] as const) {
    const upload = await form(version, { fields: { add_contributor }, lineEnd: '\r\n' })
    const call = { method: 'POST', path: `${base()}/tags.json`, ...upload } as const
    const { status, json } = await byDeveloper(call, { isGmt: true })
    assert.deepEqual([status, json?.version, json?.plugin_id], [200, version, String(app.seller.product.id)])
  }
  const again = await byDeveloper({
    method: 'POST',
    path: `${base()}/tags.json`,
    ...(await form('1.2', { lineEnd: '\r\n' })),
  })
  assert.equal(again.json.error.message, 'The product has a version 1.2.')
})

test('the gulp of xplodedthemes: an access token, `tags.jsonnull`, a release as a form, and a download by query', async () => {
  const authorization = await accessToken()
  const { body, headers } = await form('1.3', { fields: { add_contributor: 'true' }, lineEnd: '\r\n' })
  const uploaded = await send({
    method: 'POST',
    path: `${base()}/tags.jsonnull`,
    body,
    headers: { ...headers, authorization },
  })
  assert.deepEqual([uploaded.status, uploaded.json?.version], [200, '1.3'])
  const { id } = uploaded.json
  const released = await send({
    method: 'PUT',
    path: `${base()}/tags/${id}.json?fields=id,release_mode,version`,
    body: 'release_mode=released',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(released.json, { id, release_mode: 'released', version: '1.3' })
  const query = new URLSearchParams({ authorization, beautify: 'true', is_premium: 'true' })
  const zip = await send({ method: 'GET', path: `${base()}/tags/${id}.zip?${query}` })
  assert.deepEqual([zip.status, zip.type], [200, 'application/zip'])
})

test('what is not asked for as premium is never premium: the free build, or 404, and the latest one that has it', async () => {
  const upload = uploadOf(await zipOf({ 'app.js': 'pro()' }), { data: { version: '1.4' } })
  const { json } = await byDeveloper({ method: 'POST', path: `${base()}/tags.json`, ...upload })
  assert.deepEqual([json.has_free, json.has_premium], [false, true])
  const path = `${base()}/tags/${json.id}`
  await byDeveloper({ method: 'PUT', path: `${path}.json`, body: '{"release_mode":"released"}' })
  const date = toRfc2822(app.ctx.clock.real())
  const get = async (address: string) =>
    send({
      method: 'GET',
      path: signedInQuery(app.seller.developer, { method: 'GET', path: address }, date).path,
    })
  for (const query of ['', '?is_premium=false', '?is_premium=']) {
    const { status, type } = await get(`${path}.zip${query}`)
    assert.deepEqual([status, type], [404, 'application/json; charset=utf-8'], query)
  }
  assert.equal((await get(`${path}.zip?is_premium=true`)).status, 200)
  const latest = async (query: string) => (await get(`${base()}/tags/latest.json${query}`)).json
  assert.deepEqual([(await latest('')).version, (await latest('?is_premium=true')).version], ['1.3', '1.4'])
  assert.ok(!(await latest('')).url.includes('is_premium'))
  await byDeveloper({ method: 'DELETE', path: `${path}.json` })
})

test('the toolkit of wp-cli: what it lists, and a deletion at the address of the archive', async () => {
  const { tags } = (await byDeveloper({ method: 'GET', path: `${base()}/tags.json?count=25` })).json
  const [{ id, created, updated, downloaded, ...tag }] = tags
  assert.deepEqual(
    [tag.version, tag.sdk_version, tag.requires_platform_version, tag.tested_up_to_version, tag.release_mode],
    ['1.3', '2.13.4', '6.1', '6.9', 'released'],
  )
  assert.deepEqual([downloaded, typeof created, updated], [1, 'string', created])
  const gone = await byDeveloper({ method: 'DELETE', path: `${base()}/tags/${id}.zip` })
  assert.equal(gone.status, 204)
  const list = await byDeveloper({ method: 'GET', path: `${base()}/tags.json` })
  assert.ok(!list.json.tags.some((one: { id: string }) => one.id === id))
})
