// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { HOUR, MINUTE, SECOND, toRfc2822 } from '../../src/lib/time.ts'
import { GENEROUS } from '../rates.ts'
import type { Answer, Call } from './client.ts'
import { signed } from './signing.ts'
import { startWorld, type World } from './world.ts'

const BURST = 5
const rate = { ...GENEROUS, failed: { perSecond: 1, burst: BURST } }

let world: World
const users = () => `/v1/products/${world.seller.product.id}/users.json`
const good = (): Call => ({
  method: 'GET',
  path: users(),
  headers: { authorization: `Bearer ${world.seller.product.token}` },
})
const bad = (headers: Record<string, string | string[]> = {}): Call => ({
  method: 'GET',
  path: users(),
  headers: { authorization: 'Bearer kw_guessed', ...headers },
})

/** One after another, so that it is certain which is the first to be refused. */
async function statuses(count: number, call: (index: number) => Call): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index++) found.push((await world.send(call(index))).status)
  return found
}

const limited = [...Array<number>(BURST).fill(401), 429, 429]

/** Every bucket is full again. */
const refill = () => world.ctx.clock.advance(MINUTE)

/** Every header by which an address is passed on, by one proxy or another. */
const spoofed = (ip: string) => ({
  'x-forwarded-for': ip,
  'x-real-ip': ip,
  'x-client-ip': ip,
  'true-client-ip': ip,
  'cf-connecting-ip': ip,
  'x-forwarded': ip,
  'x-forwarded-host': ip,
  'x-originating-ip': ip,
  forwarded: `for=${ip}`,
  via: `1.1 ${ip}`,
})

describe('S35: failed authentications by address, without a proxy', () => {
  before(async () => {
    world = await startWorld('limits', { config: { rate } })
  })
  after(() => world.close())
  beforeEach(refill)

  test('after the burst 429 with Retry-After and RateLimit; after that time one more', async () => {
    assert.deepEqual(await statuses(BURST + 2, () => bad()), limited)
    const answer = await world.send(bad())
    assert.equal(answer.json.error.code, 'too_many_requests')
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(answer.headers['ratelimit'], '"default";r=0;t=1')
    assert.equal(answer.headers['ratelimit-policy'], `"default";q=${BURST};w=${BURST}`)
    world.ctx.clock.advance(SECOND)
    assert.deepEqual(await statuses(2, () => bad()), [401, 429])
  })

  test('no header gives a caller another address', async () => {
    assert.deepEqual(await statuses(BURST + 2, (index) => bad(spoofed(`198.51.100.${index}`))), limited)
  })

  test('a good credential is served while its address is refused others, so nobody is locked out', async () => {
    assert.deepEqual(await statuses(BURST + 2, () => bad()), limited)
    assert.deepEqual(await statuses(10, good), Array<number>(10).fill(200))
  })

  test('every way to fail is counted', async () => {
    const date = toRfc2822(world.ctx.clock.real())
    const { product } = world.seller
    const { id } = world.people.ada
    const ways: Readonly<Record<string, () => Call>> = {
      'no credential': () => ({ method: 'GET', path: users() }),
      'no form of a credential': () => bad({ authorization: 'Basic eDp5' }),
      'a wrong signature': () =>
        signed(
          { ...product, secretKey: 'sk_guess' },
          { method: 'GET', path: users() },
          { date: toRfc2822(world.ctx.clock.real()), signedType: null },
        ),
      'an old signature': () =>
        signed(
          product,
          { method: 'GET', path: users() },
          { date: toRfc2822(world.ctx.clock.real() - HOUR), signedType: null },
        ),
      'a signature in the query': () => ({
        method: 'GET',
        path: `${users()}?authorization=FS+${product.id}:pk:x&auth_date=${encodeURIComponent(date)}`,
      }),
      'an access token': () => bad({ authorization: `FSA ${world.seller.developer.id}:guessed` }),
      'another scope of the operation': () => ({ ...bad(), path: `/v1/installs/1/users.json` }),
      'another product': () => ({ ...good(), path: `/v1/products/${world.seller.other.id}/users.json` }),
      'a path of nobody with a token': () => ({ ...good(), path: '/v1/nothing.json' }),
      'a path that does not decode': () => ({ ...bad(), path: '/v1/products/%zz/users.json' }),
      'a body that its signature does not cover': () =>
        signed(
          product,
          { method: 'PUT', path: `/v1/products/${product.id}/users/${id}.json`, body: '{}' },
          {
            date: toRfc2822(world.ctx.clock.real()),
            signedType: 'application/json',
            md5: '',
          },
        ),
    }
    for (const [name, call] of Object.entries(ways)) {
      refill()
      assert.deepEqual(await statuses(BURST + 2, call), limited, name)
    }
  })
})

describe('S35: behind a proxy that is trusted', () => {
  before(async () => {
    world = await startWorld('limits_proxy', { config: { rate, trustProxy: ['127.0.0.1'] } })
  })
  after(() => world.close())
  beforeEach(refill)

  const via = (forwarded: string | string[]) => () => bad({ 'x-forwarded-for': forwarded })

  test('each address that the proxy names has its own limit', async () => {
    assert.deepEqual(await statuses(BURST + 2, via('198.51.100.7')), limited)
    assert.deepEqual(await statuses(BURST + 2, via('198.51.100.8')), limited)
  })

  test('what the client wrote before it gives no other, in one header or in two', async () => {
    const numbered = (index: number) => `203.0.113.${index}, 10.0.0.${index}, 198.51.100.9`
    assert.deepEqual(await statuses(BURST + 2, (index) => via(numbered(index))()), limited)
    refill()
    const twice = (index: number) => via([`203.0.113.${index}`, '198.51.100.9'])()
    assert.deepEqual(await statuses(BURST + 2, twice), limited)
    refill()
    const { 'x-forwarded-for': _forwarded, ...others } = spoofed('x')
    const named = (index: number) =>
      bad({
        ...Object.fromEntries(Object.keys(others).map((name) => [name, `192.0.2.${index}`])),
        'x-forwarded-for': '198.51.100.9',
      })
    assert.deepEqual(await statuses(BURST + 2, named), limited)
  })

  test('an IPv6 network of /64 is one caller, an IPv4 address in IPv6 is that address', async () => {
    assert.deepEqual(await statuses(BURST + 2, (index) => via(`2001:db8:1:2::${index + 1}`)()), limited)
    assert.deepEqual(await statuses(1, via('2001:db8:1:3::1')), [401])
    refill()
    const spellings = [
      '198.51.100.9',
      '::ffff:198.51.100.9',
      '::FFFF:c633:6409',
      '0:0:0:0:0:ffff:198.51.100.9',
    ]
    assert.deepEqual(await statuses(BURST + 2, (index) => via(spellings[index % 4] ?? '')()), limited)
  })

  test('what is no address is one caller together', async () => {
    assert.deepEqual(await statuses(BURST + 2, (index) => via(`unknown-${index}`)()), limited)
  })
})

test('S35: a proxy that is not trusted is not listened to', async (t) => {
  world = await startWorld('limits_far_proxy', { config: { rate, trustProxy: ['10.0.0.0/8'] } })
  t.after(() => world.close())
  assert.deepEqual(
    await statuses(BURST + 2, (index) => bad({ 'x-forwarded-for': `10.0.0.${index}` })),
    limited,
  )
})

test('authenticated calls are limited by credential where that is configured, whatever address they name', async (t) => {
  const config = { rate: { ...GENEROUS, authenticated: { perSecond: 1, burst: 40 } } }
  world = await startWorld('limits_credential', { config: { ...config, trustProxy: ['127.0.0.1'] } })
  t.after(() => world.close())
  refill()
  const answers: Answer[] = []
  for (let index = 0; index < 42; index++) {
    answers.push(
      await world.send({
        ...good(),
        headers: { ...good().headers, 'x-forwarded-for': `198.51.100.${index}` },
      }),
    )
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array<number>(40).fill(200), 429, 429],
  )
  assert.equal(answers.at(-1)?.headers['retry-after'], '1')
  const other = { authorization: `Bearer ${world.seller.other.token}` }
  assert.equal(
    (
      await world.send({
        method: 'GET',
        path: `/v1/products/${world.seller.other.id}/users.json`,
        headers: other,
      })
    ).status,
    200,
  )
})
