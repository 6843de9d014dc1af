// Runs on sqlite.
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, setPassword, tryLogin } from '../../../test/logins.ts'

/** Stands for Google: answers what the test says, and remembers what it was asked. */
let answer: (response: ServerResponse, url: string) => void
const asked: URLSearchParams[] = []
const fake = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    asked.push(new URLSearchParams(Buffer.concat(chunks).toString()))
    answer(response, request.url ?? '')
  })
})

let app: TestApp
before(async () => {
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
  const verifyUrl = `http://127.0.0.1:${(fake.address() as AddressInfo).port}/siteverify`
  app = await startTestApp('recaptcha', {
    config: { recaptcha: { secret: 'the-recaptcha-secret', verifyUrl, timeoutMs: 300 } },
  })
  await setPassword(app)
})
after(async () => {
  await app.close()
  fake.closeAllConnections()
  fake.close()
})

const says =
  (text: string, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
const given = { body: { recaptcha_token: 'a-token' } }

test('where it is set a login needs a token, which is verified with the secret and the address', async () => {
  answer = says('{"success": true}')
  const without = await tryLogin(app)
  assert.deepEqual([without.status, without.json.error.details[0].field], [402, 'recaptcha_token'])
  const nowhere = await tryLogin(app, { account: null })
  assert.deepEqual([nowhere.status, nowhere.json.error.details[0].field], [402, 'recaptcha_token'])
  assert.equal(asked.length, 0)
  await logIn(app, given)
  assert.deepEqual(Object.fromEntries(asked[0] ?? []), {
    secret: 'the-recaptcha-secret',
    response: 'a-token',
    remoteip: '127.0.0.1',
  })
})

test('a token that is none is 400, before the password says anything', async () => {
  answer = says('{"success": false, "error-codes": ["invalid-input-response"]}')
  const right = await tryLogin(app, given)
  const wrong = await tryLogin(app, { body: { recaptcha_token: 'x', password: 'wrong' } })
  assert.deepEqual([right.status, right.json.error.code], [400, 'recaptcha_invalid'])
  assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'recaptcha_invalid'])
})

test('whatever else the service does lets nobody in, soon and without a word of it', async () => {
  const misbehaves: Record<string, typeof answer> = {
    'an error': says('oops', 500),
    'no JSON': says('<html>'),
    'no answer in it': says('{}'),
    'a list': says('[true]'),
    nothing: says(''),
    'a redirect': (response, url) =>
      url === '/siteverify'
        ? void response.writeHead(302, { location: '/elsewhere' }).end()
        : says('{"success": true}')(response),
    'too much': says(`{"success": true, "x": "${'x'.repeat(100_000)}"}`),
    silence: () => {},
    'half an answer': (response) => void response.writeHead(200).write('{"success": tr'),
    'a broken connection': (response) => void response.socket?.destroy(),
  }
  for (const [what, how] of Object.entries(misbehaves)) {
    answer = how
    const start = performance.now()
    const { status, json, headers, text } = await tryLogin(app, given)
    assert.deepEqual([status, json.error.code], [503, 'recaptcha_unavailable'], what)
    assert.ok(headers.get('retry-after') && !text.includes('oops') && !text.includes('secret'), what)
    assert.ok(performance.now() - start < 5_000, what)
  }
})

test('success in any other form than true is no success', async () => {
  for (const value of ['"true"', '1', '{}', 'null']) {
    answer = says(`{"success": ${value}}`)
    assert.equal((await tryLogin(app, given)).status, 400, value)
  }
})
