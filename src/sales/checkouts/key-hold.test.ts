import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { allowRedirects } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime, type UtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('key_hold')
  shop = await changeShop(app)
  await app.ctx.database.transaction((db) => allowRedirects(db, app))
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

type Bought = Awaited<ReturnType<ChangeShop['buy']>>

const nextOf = ({ purchase }: Bought): number => fromUtcTime(purchase.next_payment as UtcTime)
const goTo = (ms: number) => app.ctx.clock.set(ms)
const renewOn = (ms: number) => renewAt(app, toUtcTime(ms))
const becomes = ({ json }: Reply): string => json.error?.code ?? json.state
const WAITS = ['test_confirmation_failed', 'test_needs_confirmation'] as const
let tries = 0

/** Begins to pay as far as the bank, by another method each time, and leaves it there; at the price of that time. */
async function leaves(id: string): Promise<string> {
  const pay = () => shop.pay(id, WAITS[tries++ % 2], { return_url: 'https://shop.example/back' })
  const said = becomes(await pay())
  return said === 'checkout_repriced' ? becomes(await pay()) : said
}

/** A checkout of a dearer plan by the key of a license alone. */
async function byKey({ key }: Bought): Promise<string> {
  const { json, text } = await shop.open({ license_key: key, plan_id: shop.plans.pro, country_code: 'us' })
  assert.ok(json.id, text)
  return json.id
}

async function asOwner({ id }: Bought): Promise<string> {
  const { json, text } = await shop.openFor(id, { plan_id: shop.plans.pro })
  assert.ok(json.id, text)
  return json.id
}

/** How often a license was paid for. */
const paidOf = async ({ id }: Bought): Promise<number> => (await shop.paymentsOf(id)).length

test('who holds a key and no more keeps a renewal that is due for an hour from the first try, however often it tries', async () => {
  const [held, other] = [await shop.buy(), await shop.buy()]
  const due = nextOf(held)
  goTo(due - 20 * MINUTE)
  const id = await byKey(held)
  assert.equal(await leaves(id), 'pending')
  await renewOn(due)
  assert.deepEqual([await paidOf(held), await paidOf(other)], [1, 2], 'it is held, and no other is')
  goTo(due + 30 * MINUTE)
  assert.equal(await leaves(id), 'pending')
  goTo(due + 39 * MINUTE)
  assert.equal(await leaves(id), 'pending')
  goTo(due + 41 * MINUTE)
  assert.equal(await leaves(id), 'renewal_in_progress')
  assert.equal(await leaves(await byKey(held)), 'renewal_in_progress')
  await renewOn(due + 41 * MINUTE)
  assert.equal(await paidOf(held), 2)
  assert.equal(await leaves(await byKey(held)), 'pending', 'it may begin anew once that is renewed')
})

test('a hold that was used up months ago is none when the license is renewed', async () => {
  const held = await shop.buy()
  const due = nextOf(held)
  goTo(due - 100 * DAY)
  assert.equal(await leaves(await byKey(held)), 'pending')
  goTo(due - 61 * MINUTE)
  const id = await byKey(held)
  assert.equal(await leaves(id), 'pending', 'that it is begun is nobody’s loss')
  goTo(due - 20 * MINUTE)
  assert.equal(await leaves(id), 'renewal_in_progress')
  await renewOn(due)
  assert.equal(await paidOf(held), 2)
})

test('the owner’s change holds a renewal for an hour, whatever was begun by the key', async () => {
  const held = await shop.buy()
  const due = nextOf(held)
  goTo(due - 2 * HOUR)
  assert.equal(await leaves(await byKey(held)), 'pending')
  goTo(due - 20 * MINUTE)
  const id = await asOwner(held)
  assert.equal(await leaves(id), 'pending')
  await renewOn(due)
  assert.equal(await paidOf(held), 1)
  await renewOn(due + 50 * MINUTE)
  assert.equal(await paidOf(held), 2)
})

test('an owner is kept from a change by the key alone for an hour, not for as long as it is tried', async () => {
  const held = await shop.buy()
  app.ctx.clock.advance(10 * DAY)
  const id = await byKey(held)
  assert.equal(await leaves(id), 'pending')
  assert.equal(becomes(await shop.pay(await asOwner(held))), 'license_change_in_progress')
  app.ctx.clock.advance(61 * MINUTE)
  assert.equal(await leaves(id), 'pending')
  assert.equal(
    await leaves(await byKey(held)),
    'license_change_in_progress',
    'of two by the key one is begun',
  )
  assert.equal(becomes(await shop.pay(await asOwner(held))), 'paid')
  assert.equal(await paidOf(held), 2)
})

test('a change that was begun under a clock that was ahead holds nobody up when that comes back', async () => {
  const [held, ofOwner, renewed] = [await shop.buy(), await shop.buy(), await shop.buy()]
  const due = nextOf(held)
  goTo(due - 10 * DAY)
  for (const id of [await byKey(held), await asOwner(ofOwner)]) assert.equal(await leaves(id), 'pending')
  goTo(START + HOUR)
  assert.equal(becomes(await shop.pay(await asOwner(ofOwner))), 'paid')
  assert.equal(await leaves(await byKey(held)), 'pending', 'a key has its hour from now on')
  assert.equal(becomes(await shop.pay(await asOwner(held))), 'license_change_in_progress')
  goTo(START + 3 * HOUR)
  assert.equal(becomes(await shop.pay(await asOwner(held))), 'paid')
  goTo(due + 2 * HOUR)
  assert.equal(await leaves(await asOwner(renewed)), 'pending')
  goTo(due + MINUTE)
  await renewOn(due + MINUTE)
  assert.equal(await paidOf(renewed), 2)
})

test('of a change by key and a renewal at once one is charged, in the hour of the key and after it', async () => {
  const rounds = 6
  const all: Bought[] = []
  for (let n = 0; n < 2 * rounds; n++) all.push(await shop.buy())
  const due = nextOf(all[0] as Bought)
  const late = all.slice(rounds)
  goTo(due - 10 * DAY)
  for (const one of late) assert.equal(await leaves(await byKey(one)), 'pending')
  goTo(due)
  const sessions = await Promise.all(all.map(byKey))
  const [, ...replies] = await Promise.all([renewOn(due), ...sessions.map((id) => shop.pay(id))])
  const said = replies.map(becomes)
  for (const code of said) {
    assert.ok(['paid', 'renewal_in_progress', 'checkout_repriced'].includes(code), code)
  }
  assert.deepEqual(new Set(said.slice(rounds)).has('paid') && 'a key paid after its hour', false)
  await renewOn(due + 20 * MINUTE)
  const payments = await Promise.all(all.map(({ id }) => shop.paymentsOf(id)))
  assert.deepEqual(
    payments.map((rows) => rows.map(({ type }) => type).join()),
    all.map(() => 'payment,payment'),
  )
  assert.deepEqual(await ledgerFaults(app), [])
})
