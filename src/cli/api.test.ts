import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openAccount, openAnswering, openClient, type Client } from '../../test/client.ts'

let app: TestApp
let client: Client
let product: string
before(async () => {
  app = await startTestApp('api_command')
  client = await openAccount(app, 'api_command')
  product = String(app.seller.product.id)
  for (const n of [1, 2, 3, 4, 5])
    await client.ask([
      'api',
      'POST',
      `/products/${product}/users.json`,
      '-f',
      `email=u${n}@example.com`,
      '-f',
      'name=Ada Lovelace',
    ])
})
after(() => app.close())

const users = () => `/products/${product}/users.json`

test('the account is filled in, a path from /v1 on is taken as it is, and text and typed arguments arrive as such', async () => {
  const found = await client.ask(['api', 'GET', users(), '-f', 'count=2'])
  assert.equal(found.users.length, 2)
  const whole = `/v1/developers/${app.seller.developer.id}${users()}`
  assert.deepEqual(await client.ask(['api', 'GET', whole, '-F', 'count=2']), found)
  const texts = ['-f', 'name=typed', '-f', 'title=7']
  const typed = ['-F', 'is_featured=true', '-F', 'trial_period=14', '-F', 'description=null']
  const plan = await client.ask(['api', 'POST', `/products/${product}/plans.json`, ...texts, ...typed])
  assert.deepEqual([plan.title, plan.is_featured, plan.trial_period, plan.description], ['7', true, 14, null])
})

test('an argument fills an object or a list, or is what a file has, and what is none is wrong usage', async (t) => {
  const bodies: unknown[] = []
  const url = await openAnswering(t, async (request, response) => {
    bodies.push(await json(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const own = await openClient('api_fields', { url })
  const file = join(own.env['XDG_CONFIG_HOME'] ?? '', 'text')
  await writeFile(file, 'what it has')
  const fields = [
    '-F',
    'sums[usd]=5',
    '-f',
    'sums[eur]=4',
    '-f',
    'tags[]=a',
    '-F',
    'tags[]=false',
    '-F',
    `note=@${file}`,
  ]
  await own.ask(['api', 'PUT', '/x.json', ...fields])
  assert.deepEqual(bodies, [{ sums: { usd: 5, eur: '4' }, tags: ['a', false], note: 'what it has' }])
  for (const field of ['alone', '=x', 'a[b][c]=1'])
    assert.equal((await own.run(['api', 'PUT', '/x.json', '-f', field])).code, 2)
})

test('a body comes from a file, headers are sent and shown, and a part of an answer is printed alone', async () => {
  const file = join(client.env['XDG_CONFIG_HOME'] ?? '', 'plan.json')
  await writeFile(file, JSON.stringify({ name: 'of-file', title: 'Of a file' }))
  const args = [
    'api',
    'POST',
    `/products/${product}/plans.json`,
    '--input',
    file,
    '-H',
    'Idempotency-Key: a-random-key-of-mine',
  ]
  const first = await client.run([...args, '--get', 'id'])
  assert.match(first.stdout, /^\d+\n$/, first.stderr)
  assert.equal((await client.run([...args, '--get', 'id'])).stdout, first.stdout)
  const { stdout } = await client.run(['api', 'GET', '/v1/ping.json', '-i'], {
    env: { KEYWRIGHT_URL: app.address, KEYWRIGHT_TOKEN: app.seller.product.token },
  })
  assert.match(stdout, /^HTTP\/1\.1 401 /)
})

test('--all goes through every page, as one document or an object a line, by offset and by the last entry', async () => {
  const pages = await client.ask(['api', 'GET', users(), '-f', 'count=2', '--all'])
  assert.deepEqual(
    pages.users.map(({ email }: { email: string }) => email),
    [5, 4, 3, 2, 1].map((n) => `u${n}@example.com`),
  )
  const { stdout } = await client.run(['api', 'GET', users(), '-f', 'count=2', '--all', '--jsonl'])
  assert.equal(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id).length,
    5,
  )
  await app.recorded()
  const audit = await client.ask([
    'api',
    'GET',
    '/audit.json',
    '-f',
    'action=users/create',
    '-f',
    'count=2',
    '--all',
  ])
  assert.equal(new Set(audit.entries.map(({ id }: { id: string }) => id)).size, 5)
  assert.equal(audit.entries.length, 5)
})

test('the token of a product fills in its product', async () => {
  const url = app.address
  const { token } = app.seller.product
  const own = await openClient('api_product', { url, token, opens: product, product })
  assert.equal((await own.ask(['api', 'GET', '/users.json', '-f', 'count=1'])).users.length, 1)
  assert.equal((await own.ask(['api', 'GET', users(), '-f', 'count=1'])).users.length, 1)
  const { code, stderr } = await own.run(['audit', '--json'])
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, 'token_of_product'])
})

test('a refusal ends with 1, its code and the id of the request; who is not let in and what does not answer with 3', async () => {
  const refused = await client.run(['api', 'GET', `/products/${product}/licenses/999999.json`, '--json'])
  assert.equal(refused.code, 1)
  const { error } = JSON.parse(refused.stderr)
  assert.deepEqual([error.status, typeof error.request_id], [404, 'string'])
  assert.equal(JSON.parse(refused.stdout).error.code, error.code)
  const said = await client.run(['api', 'GET', `/products/${product}/licenses/999999.json`])
  assert.match(said.stderr, /^Error: .* \(not_found, request req_\w+\)\n.+\n.+\/docs\/errors\/not_found\n$/)
  const env = { KEYWRIGHT_URL: app.address, KEYWRIGHT_TOKEN: 'kw_none' }
  assert.equal((await client.run(['license', 'find'], { env })).code, 3)
  const unreachable = await client.run(['whoami', '--json'], {
    env: { ...env, KEYWRIGHT_URL: 'http://127.0.0.1:1' },
  })
  assert.deepEqual([unreachable.code, JSON.parse(unreachable.stderr).error.code], [3, 'unreachable'])
  assert.equal((await client.run(['api', 'GET'])).code, 2)
  assert.equal((await client.run(['api', 'FETCH', '/x.json'])).code, 2)
})

test('who is busy is asked again when it says, a write with the same key, and each call asks to be told what is misspelt', async (t) => {
  const seen: { readonly key: unknown; readonly strict: unknown }[] = []
  const url = await openAnswering(t, ({ headers }, response) => {
    seen.push({ key: headers['idempotency-key'], strict: headers['x-keywright-strict'] })
    const isBusy = seen.length < 3
    response.writeHead(isBusy ? ([429, 503][seen.length - 1] ?? 200) : 200, {
      'content-type': 'application/json',
      ...(isBusy && { 'retry-after': '0' }),
    })
    response.end('{"id":"1"}')
  })
  const busy = await openClient('api_busy', { url })
  assert.deepEqual(await busy.ask(['api', 'POST', '/products.json', '-f', 'title=x']), { id: '1' })
  assert.equal(seen.length, 3)
  assert.ok(
    typeof seen[0]?.key === 'string' &&
      seen.every(({ key, strict }) => key === seen[0]?.key && strict === '1'),
  )
  await busy.ask(['api', 'GET', '/products.json'])
  assert.equal(seen.at(-1)?.key, undefined)
})
