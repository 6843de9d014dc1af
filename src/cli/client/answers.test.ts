import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { accountToken, openAccount, openAnswering, openClient } from '../../../test/client.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('answers')
})
after(() => app.close())

const asError = (stderr: string) => JSON.parse(stderr).error

test('a refusal says code, message, fields, what to do and the address of the page of its code', async () => {
  const client = await openAccount(app, 'refused')
  const misspelt = ['api', 'POST', `/products/${app.seller.product.id}/plans.json`, '-f', 'tilte=x']
  const said = await client.run(misspelt)
  assert.equal(said.code, 1)
  const [message = '', help, page, ...others] = said.stderr.trimEnd().split('\n')
  assert.match(message, /^Error: .*tilte.*title.* \(unknown_argument, request req_\w+\)$/)
  assert.equal(help, 'Mend the names that error.details lists, or leave them out.')
  assert.equal(page, `${app.ctx.baseUrl}/docs/errors/unknown_argument`)
  assert.deepEqual(others, [])
  assert.ok((await fetch(`${app.address}/docs/errors/unknown_argument`)).ok)
  const error = asError((await client.run([...misspelt, '--json'])).stderr)
  assert.deepEqual(
    [error.code, error.status, error.help, error.documentation_url, error.details[0].field],
    ['unknown_argument', 400, help, page, 'tilte'],
  )
})

test('fields that the message does not name are listed below it', async (t) => {
  const error = {
    code: 'invalid_argument',
    message: 'Malformed.\u001b[31m',
    details: [{ field: 'email', message: 'must be\n an address' }],
  }
  const url = await openAnswering(t, (_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
  const { stderr } = await (await openClient('fields', { url, product: '1' })).run(['plan', 'find'])
  assert.deepEqual(stderr.split('\n').slice(0, 2), [
    'Error: Malformed.[31m (invalid_argument)',
    ' email: must be an address',
  ])
})

test('a token that lacks a right is told which one', async () => {
  const { token } = await accountToken(app, 'licenses.write')
  const account = String(app.seller.developer.id)
  const client = await openClient('rights', { url: app.address, token, account, product: '1' })
  const { code, stderr } = await client.run(['api', 'GET', '/tokens.json'])
  assert.equal(code, 3)
  assert.match(stderr, /^Error: The token lacks the right to read tokens\./)
})

test('what is no Keywright, leads elsewhere, or does not answer in time is told as such, and ends with 3', async (t) => {
  let reached = 0
  const elsewhere = await openAnswering(t, (_, response) => {
    reached++
    response.end('{}')
  })
  const html = { 'content-type': 'text/html' }
  const url = await openAnswering(t, ({ url: asked = '' }, response) => {
    if (/plans.json|stream/.test(asked)) response.writeHead(200, html).end('<h1>Welcome</h1>')
    else if (asked.includes('/coupons.json')) response.writeHead(301, { location: `${elsewhere}/x` }).end()
    else if (asked.includes('/licenses.json')) response.writeHead(502, html).end('<h1>Bad</h1>')
  })
  const client = await openClient('strange', { url, product: '1' })
  const ended = async (...args: string[]) => {
    const { code, stdout, stderr } = await client.run([...args, '--json'], {
      env: { KEYWRIGHT_TIMEOUT: '1' },
    })
    return [code, stdout, asError(stderr).code]
  }
  assert.deepEqual(await ended('plan', 'find'), [3, '', 'no_keywright'])
  assert.deepEqual(await ended('coupon', 'find'), [3, '', 'http_301'])
  assert.deepEqual(await ended('api', 'GET', '/products/1/coupons.json'), [3, '', 'http_301'])
  assert.equal(reached, 0, 'the token is sent to no other server')
  assert.deepEqual(await ended('license', 'find'), [3, '', 'http_502'])
  assert.deepEqual(await ended('customer', 'find'), [3, '', 'timeout'])
  assert.deepEqual(await ended('events', 'tail'), [3, '', 'no_keywright'])
})

test('a token of the environment that no header can have is shown nowhere', async () => {
  const client = await openClient('bad_token')
  const env = { KEYWRIGHT_URL: app.address, LOG_LEVEL: 'debug' }
  const ended = (token: string) => client.run(['whoami'], { env: { ...env, KEYWRIGHT_TOKEN: token } })
  for (const token of ['kw_secret\nx', 'kw_secr\u00e9t', 'kw_secret x']) {
    const { code, stderr } = await ended(token)
    assert.equal(code, 3)
    assert.match(stderr, /^Error: The token has a space or a character that no token has/)
    assert.ok(!stderr.includes('kw_sec'))
  }
  assert.equal((await ended(`${app.seller.product.token}\n`)).code, 0)
})

test('a part of an answer is text as it is, and JSON where that is asked for', async () => {
  const client = await openAccount(app, 'parts')
  const args = ['plan', 'create', '--name', 'part', '--title', 'A "part"', '--get', 'title']
  assert.equal((await client.run(args)).stdout, 'A "part"\n')
  const found = ['plan', 'find', '--get', 'plans.0.title', '--json']
  assert.equal((await client.run(found)).stdout, '"A \\"part\\""\n')
})

test('an id that is empty, as of a variable that was never set, or only dots, calls nothing', async (t) => {
  let asked = 0
  const url = await openAnswering(t, (_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const client = await openClient('ids', { url, product: '1' })
  for (const id of ['', '.', '..']) assert.equal((await client.run(['license', 'remove-note', id])).code, 2)
  assert.equal(asked, 0)
})
