// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { GENEROUS } from '../../../test/rates.ts'
import { HOUR, SECOND } from '../../lib/time.ts'

/** As it is where nothing is set. */
const BUYERS = { perSecond: 0.02, burst: 20 }

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('guessed_often', {
    config: {
      trustProxy: ['127.0.0.0/8', '::1/128'],
      rate: { ...GENEROUS, buyers: BUYERS },
    },
  })
  shop = await changeShop(app)
  const loyal = { code: 'LOYAL', discount: 10, discount_type: 'percentage', user_type: 'customer' }
  const once = { code: 'ONCE', discount: 10, discount_type: 'percentage', is_one_per_user: true }
  for (const body of [loyal, once]) {
    assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  }
})
after(() => app.close())

const open = async (email: string, coupon: string) => {
  const who = { user_email: email, country_code: 'us', plan_id: shop.plans.basic, coupon }
  const { json, text } = await shop.open({ ...shop.sandbox(), ...who })
  assert.ok(json.id, text)
  return json.id as string
}

const payFrom = (ip: string, id: string, token = 'test_succeeds'): Promise<Reply> =>
  app.call('POST', `/checkout/sessions/${id}/pay.json`, {
    token: null,
    body: { payment_token: token },
    headers: { 'x-forwarded-for': ip },
  })

const guess = async (ip: string, email: string) => {
  const { json, text } = await payFrom(ip, await open(email, 'LOYAL'))
  assert.ok(['coupon_not_applicable', 'too_many_requests'].includes(json.error.code), text)
  return json.error.code === 'coupon_not_applicable'
}

/** How many of as many tries a second are let through, by turns from these addresses. */
async function letThrough(
  email: string,
  { tries, everyMs }: { tries: number; everyMs: number },
  ips: string[],
) {
  let through = 0
  for (let n = 0; n < tries; n++) {
    app.ctx.clock.advance(everyMs)
    if (await guess(ips[n % ips.length] ?? '', email)) through++
  }
  return through
}

/** The owner types the address, has a card declined twice, and pays with the third. */
async function buys(ip: string, email: string, cards: string[]) {
  const id = await open(email, 'ONCE')
  const said: string[] = []
  for (const card of cards) {
    const { json } = await payFrom(ip, id, card)
    said.push(json.error?.code ?? json.state)
  }
  return said
}

test('an owner is let through, for however many hours a stranger tries at the address', async () => {
  const email = 'owner@example.com'
  const stranger = ['2001:db8:5:1::1', '2001:db8:5:2::2', '2001:db8:5:3::3']
  const through = await letThrough(email, { tries: 300, everyMs: 50 * SECOND }, stranger)
  assert.ok(through > 50 && through < 90, `${through} of a quarter of 320`)
  const cards = ['test_declined', 'test_declined', 'test_succeeds']
  assert.deepEqual(await buys('198.51.100.1', email, cards), ['payment_declined', 'payment_declined', 'paid'])
})

test('an owner is let through beside strangers in several places that use up what an address takes', async () => {
  const email = 'sought@example.com'
  const strangers = Array.from({ length: 32 }, (_, n) => `203.0.113.${n}`)
  await letThrough(email, { tries: 400, everyMs: 5 * SECOND }, strangers)
  await letThrough(email, { tries: 32, everyMs: 0 }, strangers)
  assert.deepEqual(await buys('198.51.100.1', email, ['test_succeeds']), ['paid'])
})

test('tries at one address are bounded, from however many addresses and networks they come', async () => {
  const all = { tries: 120, everyMs: 0 }
  const places: Readonly<Record<string, readonly [most: number, ipOf: (n: number) => string]>> = {
    'a /64': [5, (n) => `2001:db8:6:1::${n}`],
    'a /48': [5, (n) => `2001:db8:7:${n}::1`],
    'many networks': [20, (n) => `2001:db8:${100 + n}::1`],
  }
  for (const [what, [most, ipOf]] of Object.entries(places)) {
    app.ctx.clock.advance(HOUR)
    const email = `${what.replaceAll(/\W/g, '')}@example.com`
    const ips = Array.from({ length: all.tries }, (_, n) => ipOf(n + 1))
    assert.equal(await letThrough(email, all, ips), most, what)
    app.ctx.clock.advance(100 * SECOND)
    assert.ok((await letThrough(email, all, ips)) <= 2, what)
  }
})
