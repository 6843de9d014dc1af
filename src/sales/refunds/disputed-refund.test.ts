// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asDeveloper } from '../../../test/callers.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { DisputedShop, partOf, type Move } from '../../../test/disputed-refunds.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { offerFor } from '../../../test/licenses.ts'
import { leftOfPayment, undoneOf } from '../../../test/reports.ts'
import { eventsAbout, scopeOf } from '../../../test/sales.ts'
import { failRefund } from './fail-refund.ts'
import { takeReports } from '../charges/gateway-reports.ts'

let shop: DisputedShop
before(async () => {
  shop = await DisputedShop.open('disputed_refund')
})
after(() => shop.app.close())

interface Story {
  /** What the seller gives back, in hundredths of the payment. */
  readonly refunds: readonly number[]
  /** Which of them fail. */
  readonly fails: readonly number[]
  readonly disputed: number
}

const STORIES: Readonly<Record<string, Story>> = {
  'all given back and disputed': { refunds: [100], fails: [0], disputed: 100 },
  'a part given back, all disputed': { refunds: [60], fails: [0], disputed: 100 },
  'a part given back, another disputed': { refunds: [65], fails: [0], disputed: 55 },
  'a part given back, so much as is left disputed': { refunds: [60], fails: [0], disputed: 40 },
  'two parts given back, one of which fails': { refunds: [35, 60], fails: [0], disputed: 100 },
  'two parts given back, which both fail': { refunds: [35, 60], fails: [1, 0], disputed: 80 },
}

const ENDS = ['open', 'won', 'lost'] as const
type End = (typeof ENDS)[number]

/** The orders in which it may be told; in the first the books have all that is disputed. */
function ordersOf({ refunds, fails, disputed }: Story, end: End): Move[][] {
  const asked = refunds.map((part): Move => ['refund', part])
  const unanswered = refunds.map((part): Move => ['lost refund', part])
  const failed = fails.map((n): Move => ['fail', n])
  const opened: Move = ['dispute', disputed]
  const closed: Move[] = end === 'open' ? [] : [[end, disputed]]
  const atOnce: Move[][] = end === 'open' ? [] : [asked.concat(closed, failed), asked.concat(failed, closed)]
  return [
    asked.concat(failed, [opened], closed),
    asked.concat([opened], failed, closed),
    asked.concat([opened], closed, failed),
    asked.concat(failed.slice(0, 1), [opened], failed.slice(1), closed),
    unanswered.concat([opened], closed, failed),
    ...atOnce,
  ]
}

for (const [what, story] of Object.entries(STORIES)) {
  for (const end of ENDS) {
    test(`R02: ${what}, ${end}: the books say the same in whatever order it is told, and how often`, async () => {
      const [first = [], ...others] = ordersOf(story, end)
      const same = await shop.played(first)
      const { payment } = await shop.sold()
      const given = story.refunds.filter((_, n) => !story.fails.includes(n))
      const kept = payment.gross + payment.tax - given.reduce((sum, part) => sum + partOf(payment, part), 0)
      assert.equal(same.left, end === 'won' ? kept : kept - Math.min(kept, partOf(payment, story.disputed)))
      for (const moves of others) assert.deepEqual(await shop.played(moves), same, JSON.stringify(moves))
      await shop.assertClean()
    })
  }
}

test('R04: a dispute and failures of refunds that are told at once by two processes leave the same books', async () => {
  const other = anotherProcess(shop.app)
  try {
    const rounds = Object.values(STORIES).flatMap((story) => ENDS.map((end) => ({ story, end })))
    for (const { story, end } of rounds) {
      const { payment } = await shop.sold()
      const [moves = []] = ordersOf(story, end)
      for (const move of moves.filter(([kind]) => kind === 'refund')) await shop.make(payment, move)
      const told = moves.filter(([kind]) => kind !== 'refund' && (end === 'open' || kind !== 'dispute'))
      const reports = await Promise.all(told.map((move) => shop.reportOf(payment, move)))
      const twice = [...reports, ...reports.map((one) => ({ ...one, id: `${one.id} again` }))]
      await Promise.all(
        twice.map((report, n) => takeReports(n % 2 ? other.ctx : shop.app.ctx, 'test', [report])),
      )
      await shop.jobs()
      await shop.assertWithin(payment)
      const left = await leftOfPayment(shop.app, payment)
      assert.deepEqual({ left, ...(await shop.totalsOf(payment)) }, await shop.played(moves))
    }
    await shop.assertClean()
  } finally {
    await other.close()
  }
})

test('what is missing of a dispute is told when it is booked: of one that is open by its own row, of one that is lost by another', async () => {
  const kinds = async (moves: readonly Move[]) => {
    const { payment } = await shop.sold()
    for (const move of moves) await shop.make(payment, move)
    const listed = await (
      await asDeveloper(shop.app)
    )('GET', `/products/${shop.app.seller.product.id}/payments.json?filter=chargebacks`)
    const mine = listed.json.payments.filter(
      (one: { bound_payment_id: string }) => one.bound_payment_id === String(payment.id),
    )
    const total = payment.gross + payment.tax
    return {
      total,
      undone: await undoneOf(shop.app, payment),
      told: await eventsAbout(shop.app, 'bound_payment_id', payment.id),
      listed: mine.map((one: { type: string }) => one.type),
    }
  }
  const open = await kinds([
    ['refund', 100],
    ['dispute', 100],
    ['fail', 0],
  ])
  assert.deepEqual(open.undone, [
    ['refund', -open.total],
    ['disputed', -open.total],
    ['refund', open.total],
  ])
  assert.deepEqual(open.told.slice(-2), ['payment.refund', 'payment.dispute.created'])
  const lost = await kinds([
    ['refund', 100],
    ['lost', 100],
    ['fail', 0],
  ])
  assert.deepEqual(lost.undone.slice(1), [
    ['disputed', 0],
    ['lost_dispute', 0],
    ['refund', lost.total],
    ['chargeback', -lost.total],
  ])
  assert.deepEqual(lost.told.slice(-2), ['payment.refund', 'payment.dispute.lost'])
  assert.deepEqual(lost.listed, ['chargeback', 'lost_dispute'])
})

test('of a few cents too, a dispute takes neither gross nor tax back when it is raised', async () => {
  const { pricingId } = await offerFor(shop.app, 1)
  await shop.app.write(({ db }) =>
    db.updateTable('pricing').set({ annual_price: 99 }).where('id', '=', pricingId).execute(),
  )
  for (const end of ['dispute', 'lost'] as const) {
    const { payment } = await shop.sold(pricingId)
    assert.deepEqual([payment.gross, payment.tax], [99, 19])
    const moves: Move[] = [
      ['refund', 77],
      ['refund', 2],
      [end, 23],
      ['fail', 0],
    ]
    for (const move of moves) await shop.make(payment, move)
    const rows = await shop.app.ctx.db
      .selectFrom('payments')
      .select(['type', 'gross', 'tax'])
      .where('bound_payment_id', '=', payment.id)
      .where('type', 'in', ['disputed', 'chargeback'])
      .orderBy('id')
      .execute()
    const booked = rows.map(({ gross, tax }) => [gross, tax])
    assert.deepEqual(booked.flat(), end === 'lost' ? [-21, -5, -1, 0] : [-22, -5])
    await shop.assertWithin(payment)
  }
  await shop.assertClean()
})

test('R04: what is missing of a dispute is booked with the failure of the refund as a whole or not at all', async (t) => {
  // Of its own: all of it is compared after each statement.
  const small = await DisputedShop.open('disputed_cut')
  t.after(() => small.app.close())
  for (const end of ['dispute', 'lost'] as const) {
    const { payment } = await small.sold()
    for (const move of [
      ['refund', 100],
      [end, 100],
    ] as const)
      await small.make(payment, move)
    await small.app.recorded()
    const row = await small.app.ctx.db
      .selectFrom('payments')
      .selectAll()
      .where('bound_payment_id', '=', payment.id)
      .where('type', '=', 'refund')
      .executeTakeFirstOrThrow()
    await cutEverywhere(small.app, 'fails', (tx) =>
      failRefund(tx, scopeOf(small.app), { payment, refund: row }),
    )
    assert.equal(await leftOfPayment(small.app, payment), 0)
    await small.assertClean()
  }
})
