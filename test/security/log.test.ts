// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../../src/log.ts'
import { toRfc2822 } from '../../src/lib/time.ts'
import { jsonBody, type Call } from './client.ts'
import { rawExchange } from './raw.ts'
import { allowedRequest, mainMounts } from './requests.ts'
import { confirmationTokensOf, issuedIn, spellingsOf } from './secrets.ts'
import { signed, signedInQuery } from './signing.ts'
import { startWorld, type World } from './world.ts'

const lines: string[] = []
let world: World
before(async () => {
  world = await startWorld('log', {
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    config: { trustProxy: ['127.0.0.1'] },
  })
})
after(() => world.close())

const PASSWORD = 'the pass phrase nobody may log'
const CARD = '4242424242424242'
const users = () => `/v1/products/${world.seller.product.id}/users.json`
const bearer = () => `Bearer ${world.seller.product.token}`

describe('S39: the log', () => {
  /** Calls in which every kind of secret travels, right and wrong ones, in every place a client may put them. */
  async function calls(): Promise<Call[]> {
    const { product, developer } = world.seller
    const { ada } = world.people
    const [token = ''] = await confirmationTokensOf(world)
    const body = (value: object) => ({ method: 'POST', path: users(), ...jsonBody(value) })
    const withToken = (call: Call): Call => ({
      ...call,
      headers: { ...call.headers, authorization: bearer() },
    })
    const get = (path: string, authorization?: string): Call => ({
      method: 'GET',
      path,
      ...(authorization !== undefined && { headers: { authorization } }),
    })
    const date = toRfc2822(world.ctx.clock.real())
    const accessToken = `FSA ${developer.id}:${world.access.live}`
    const account = `/v1/developers/${developer.id}/products/${product.id}/users.json`
    return [
      ...(await Promise.all(mainMounts().map((mount) => allowedRequest(world, mount)))),
      withToken(body({ email: 'log@example.com', name: 'Some Body', password: PASSWORD })),
      withToken(body({ email: 'nobody', password: PASSWORD, card: CARD })),
      withToken(body({ password: PASSWORD, card: CARD })),
      withToken({ ...body({}), body: `{"email":"x@example.com","password":"${PASSWORD}",` }),
      withToken({ ...body({}), headers: { 'content-type': 'text/plain' }, body: PASSWORD }),
      withToken(
        get(`${users()}?search=${encodeURIComponent(PASSWORD)}&password=${encodeURIComponent(PASSWORD)}`),
      ),
      signed(product, get(users()), { date, signedType: null }),
      signed(product, get(users()), { date: 'long ago', signedType: null }),
      signedInQuery(product, get(users()), world.ctx.clock.now()),
      signedInQuery(ada.keys, get(`/v1/users/${ada.id}.json`), world.ctx.clock.now()),
      get(`${account}?authorization=${encodeURIComponent(accessToken)}`),
      get(account, accessToken),
      get(`${users()}?authorization=${encodeURIComponent(bearer())}`),
      get(`${users()}?token=${product.token}&secret_key=${product.secretKey}`),
      get(users(), `Bearer ${product.secretKey}`),
      get(users(), `Basic ${Buffer.from(`${product.id}:${product.secretKey}`).toString('base64')}`),
      get(users(), `FS ${product.id}:${product.secretKey}:${product.secretKey}`),
      get(`/v1/${product.token}`, bearer()),
      get(`/v1/products/${product.token}/users.json`, bearer()),
      get(`/${encodeURIComponent(product.secretKey)}/x`),
      get(`/confirm-email/${token}/`),
      get(`/confirm-email/${token}?x=${token}`),
      { method: 'POST', path: `/confirm-email/${token}` },
      get(`/confirm-email/${token}`),
    ]
  }

  test('no line names a secret, a password, a token, a key or a signature of any call', async () => {
    const sent = await calls()
    const statuses = new Set<number>()
    for (const call of sent) statuses.add((await world.send(call)).status)
    const raw = `GET ${users()} HTTP/1.1\nAuthorization: ${bearer()}\n\n`
    await rawExchange(world.address, [raw], { patience: 300 })
    await breakKey()
    await world.stop()
    assert.ok(lines.length > sent.length, 'the log was captured')
    for (const status of [200, 400, 401, 402, 404, 415])
      assert.ok(statuses.has(status), `${status} is among them`)
    const log = lines.join('')
    assert.ok(log.includes('"level":"error"'), 'an error of ours is among them')
    const issued = [...(await issuedIn(world)), ...signaturesOf(sent)]
    issued.push({ what: 'password', value: PASSWORD }, { what: 'card', value: CARD })
    for (const { what, value } of issued) {
      for (const spelling of spellingsOf(value)) assert.ok(!log.includes(spelling), what)
    }
  })

  /** A row whose key does not open: a 500 in which a sealed secret is at hand. */
  async function breakKey() {
    const { bea } = world.people
    const path = users().replace('.json', `/${bea.id}.json`)
    await world.ctx.database.transaction((db) =>
      sql`update product_users set secret_key = ${world.seller.product.secretKey} where user_id = ${bea.id}`.execute(
        db,
      ),
    )
    assert.equal(
      (await world.send({ method: 'GET', path, headers: { authorization: bearer() } })).status,
      500,
    )
  }

  const signaturesOf = (sent: readonly Call[]) =>
    sent.flatMap(({ headers, path }) => {
      const texts = [headers?.['authorization'], new URLSearchParams(path.split('?')[1]).get('authorization')]
      return texts.flatMap((text) => {
        const [, signature] = /^FSP? \d+:[^:]+:(.{20,})$/.exec(String(text)) ?? []
        return signature === undefined ? [] : [{ what: 'signature', value: signature }]
      })
    })
})

/** What a terminal or a reader of lines would obey. */
const CONTROLS = /[\p{Control}\u2028\u2029]/u

test('S40: nothing a caller sends begins a line of its own or adds a field', async (t) => {
  const fresh: string[] = []
  const other = await startWorld('log_lines', {
    log: createLog('info', { write: (line) => void fresh.push(line) }),
    config: { trustProxy: ['127.0.0.1'] },
  })
  t.after(() => other.close())
  fresh.length = 0
  const forged = '{"level":"info","msg":"forged"}'
  const hostile = [
    '%0d%0a',
    '%0a',
    '%00',
    '%1b%5b31m',
    '"',
    '\\',
    '\\n',
    '","level":"fatal"',
    '%e2%80%a8',
    '%c2%85',
    forged,
  ]
  for (const text of hostile) {
    await other.send({ method: 'GET', path: `/v1/x${encodeURI(text).replaceAll('%25', '%')}y` })
    const headers = { 'x-forwarded-for': `${text}`, 'user-agent': text, authorization: `FS 1:${text}` }
    await other.send({ method: 'GET', path: '/v1/products/1/users.json', headers })
  }
  for (const bytes of ['\u0085', '\u00a0', '\u00ff', '\t', '\u000b', '\u001b[31m', '\u007f']) {
    const raw = `GET /v1/x${bytes}y HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${bytes}\r\nConnection: close\r\n\r\n`
    await rawExchange(other.address, [Buffer.from(raw, 'latin1')])
  }
  await other.stop()
  const written = fresh.join('')
  assert.ok(fresh.length >= 2 * hostile.length)
  for (const line of written.trimEnd().split('\n')) {
    const { level, msg } = JSON.parse(line)
    assert.equal(level, 'info')
    assert.ok(msg === 'response' || msg === 'no request', line)
  }
  assert.doesNotMatch(written.replaceAll('\n', ''), CONTROLS)
  for (const row of await other.ctx.db.selectFrom('audit_log').selectAll().execute()) {
    assert.equal(typeof JSON.parse(row.details), 'object')
    assert.doesNotMatch(`${row.ip}${row.credential}${row.details}`, CONTROLS)
  }
})
