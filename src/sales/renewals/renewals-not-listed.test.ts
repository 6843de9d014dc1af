// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ledgerFaults } from '../../../test/sales.ts'
import { moverShop, type MoverShop } from '../../../test/movers.ts'
import { DAY, fromUtcTime, HOUR } from '../../lib/time.ts'
import { tellCharge } from '../charges/tell-charge.ts'
import type { Way } from '../../../test/mover.ts'

let shop: MoverShop
before(async () => {
  shop = await moverShop('renewals_not_listed', 'wallets')
})
after(() => shop.close())

type Sold = Awaited<ReturnType<MoverShop['sold']>>

/** A renewal without an answer, which nobody asks about for longer than its gateway lists what it was asked for. */
async function unlisted(way: Way): Promise<{ readonly one: Sold; readonly id: number }> {
  const one = await shop.sold()
  await shop.goTo(fromUtcTime(one.next))
  shop.mover.lose('renewal', way)
  await shop.renew()
  shop.mover.forgetKeys()
  shop.app.ctx.clock.advance(31 * DAY)
  const [charge] = await shop.chargesOf(one)
  assert.ok(charge)
  return { one, id: charge.id }
}

const statesOf = async (one: Sold) => (await shop.chargesOf(one)).map(({ state }) => state)

async function followFor(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await shop.follow()
    shop.app.ctx.clock.advance(DAY)
  }
}

async function assertRenewedOnce(one: Sold): Promise<void> {
  assert.equal(shop.mover.charges().length, one.made + 1)
  assert.equal((await shop.renewalsOf(one)).length, 1)
  assert.deepEqual(await ledgerFaults(shop.app), [])
}

for (const way of ['there', 'back'] as const)
  test(`a renewal that its gateway does not list any more is never taken for unmade, lost on its way ${way}`, async () => {
    const { one } = await unlisted(way)
    await followFor(10)
    assert.deepEqual(await statesOf(one), ['pending'])
    assert.equal(shop.mover.charges().length, one.made + (way === 'back' ? 1 : 0))
  })

test('a renewal that somebody has found at its gateway is booked once, by the id that its pages show', async () => {
  const { one, id } = await unlisted('back')
  const [order = '', other = ''] = [shop.mover.charges().at(-1), shop.mover.charges().at(-2)]
  assert.equal(await tellCharge(shop.app.ctx, id, { shownId: other }), 'another')
  assert.equal(await tellCharge(shop.app.ctx, id, { shownId: 'NOSUCHORDER' }), 'another')
  assert.equal(await tellCharge(shop.app.ctx, id, { shownId: order }), null)
  await followFor(2)
  await assertRenewedOnce(one)
})

test('a renewal that somebody has not found at its gateway is charged once, when it is due still', async () => {
  const { one, id } = await unlisted('there')
  assert.equal(await tellCharge(shop.app.ctx, id, 'missing'), null)
  await shop.follow()
  shop.app.ctx.clock.advance(2 * HOUR)
  await shop.follow()
  assert.deepEqual(await statesOf(one), ['unmade'])
  await shop.goTo(fromUtcTime(one.next) + HOUR)
  await shop.renew()
  await assertRenewedOnce(one)
})

test('of two who say different things of a charge one is heard, and nobody once it is known', async () => {
  const { one, id } = await unlisted('back')
  const shownId = shop.mover.charges().at(-1) ?? ''
  const said = await Promise.all([
    tellCharge(shop.app.ctx, id, { shownId }),
    tellCharge(shop.app.ctx, id, { shownId }),
  ])
  assert.deepEqual(said.toSorted(), [null, 'decided'].toSorted())
  await followFor(2)
  assert.equal(await tellCharge(shop.app.ctx, id, 'missing'), 'decided')
  await assertRenewedOnce(one)
})

test('nobody is asked of a charge that its gateway still lists, or that is not there', async () => {
  const one = await shop.sold()
  await shop.goTo(fromUtcTime(one.next))
  shop.mover.lose('renewal', 'there')
  await shop.renew()
  const [charge] = await shop.chargesOf(one)
  assert.equal(await tellCharge(shop.app.ctx, charge?.id ?? 0, 'missing'), 'findable')
  assert.equal(await tellCharge(shop.app.ctx, 999_999, 'missing'), 'unknown')
})
