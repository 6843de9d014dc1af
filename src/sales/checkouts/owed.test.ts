import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { MOVERS_ONCE, startMover } from '../../../test/movers.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { DAY } from '../../lib/time.ts'

/** The test gateway, on which it is without one of its own; and each that moves money. */
const KINDS = ['test', ...MOVERS_ONCE] as const
const TEST_TOKENS = {
  paid: 'test_succeeds',
  declinedLater: 'test_renewal_declined',
  confirmed: 'test_needs_confirmation',
} as const

for (const kind of KINDS) {
  describe(kind, () => {
    let app: TestApp
    let tokens: Readonly<Record<keyof typeof TEST_TOKENS, string>> = TEST_TOKENS
    let close: (() => void) | undefined
    let shop: ChangeShop
    before(async () => {
      app = await startTestApp(`checkout_owed_${kind}`)
      if (kind !== 'test') {
        const mover = await startMover(kind, () => app.ctx.clock.real())
        ;({ tokens, close } = mover)
        Object.assign(app.ctx, { gateways: mover.gateways })
      }
      shop = await changeShop(app)
    })
    beforeEach(() => app.ctx.clock.set(START))
    after(async () => {
      close?.()
      await app.close()
    })

    const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
    const UPDATE = { is_payment_method_update: true }

    /** A month of `basic` whose renewal failed once, the days after its end that are given. */
    async function owing(days = 0, body: object = {}) {
      const bought = await shop.buy({ billing_cycle: 'monthly', ...body }, tokens.declinedLater)
      app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
      await renewNow(app)
      app.ctx.clock.advance(days * DAY)
      assert.equal((await shop.subscriptionOf(bought.id)).outstanding_balance, 10)
      return bought
    }

    const skippedOf = async (id: string) =>
      (await shop.eventsOf(id)).filter((type) => type === 'subscription.periods.skipped').length

    test('of a renewal that is owed for long one period is paid, the one that holds today, and none again', async () => {
      // Ends on 28 February; on 16 June the periods up to 31 May are over.
      const bought = await owing(108)
      const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
      assert.deepEqual([session.quote.total, session.renewal.at], [10, '2026-06-30 10:00:00'])
      const { json: paid, text } = await shop.pay(session.id, tokens.paid)
      assert.deepEqual([paid.state, paid.payment?.gross], ['paid', 10], text)
      const [, active] = await shop.subscriptionsOf(bought.id)
      assert.deepEqual(
        [active?.period_start, active?.next_payment, active?.due_at, await skippedOf(bought.id)],
        ['2026-05-31 10:00:00', '2026-06-30 10:00:00', '2026-06-30 10:00:00', 1],
      )
      assert.equal((await shop.licenseOf(bought.id)).expiration, '2026-07-01 10:00:00')
      await renewNow(app)
      assert.equal((await shop.paymentsOf(bought.id)).length, 2)
      app.ctx.clock.set(Date.UTC(2026, 5, 30, 10))
      await renewNow(app)
      assert.equal((await shop.paymentsOf(bought.id)).length, 3)
    })

    test('what was owed and is confirmed after its period is over pays the one that holds the day', async () => {
      const bought = await owing()
      app.ctx.clock.set(Date.UTC(2026, 2, 31, 9, 30))
      const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
      assert.equal(session.renewal.at, '2026-03-31 10:00:00')
      assert.equal((await shop.pay(session.id, tokens.confirmed)).json.state, 'pending')
      app.ctx.clock.set(Date.UTC(2026, 2, 31, 10, 10))
      assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
      await renewNow(app)
      const [, active] = await shop.subscriptionsOf(bought.id)
      assert.deepEqual(
        [active?.period_start, active?.next_payment, await skippedOf(bought.id)],
        ['2026-03-31 10:00:00', '2026-04-30 10:00:00', 1],
      )
      assert.equal((await shop.paymentsOf(bought.id)).length, 2)
    })

    test('with charge_arrears what is owed is the period that failed, and the others follow it', async () => {
      const put = (isOn: boolean) =>
        app.call('PUT', `${shop.base}/settings.json`, {
          body: { setting_type: 6, data: JSON.stringify({ charge_arrears: isOn }) },
        })
      assert.equal((await put(true)).status, 200)
      const bought = await owing(108)
      const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
      assert.equal(session.renewal.at, '2026-03-31 10:00:00')
      assert.equal((await shop.pay(session.id, tokens.paid)).json.state, 'paid')
      const [, active] = await shop.subscriptionsOf(bought.id)
      assert.deepEqual([active?.next_payment, await skippedOf(bought.id)], ['2026-03-31 10:00:00', 0])
      assert.equal((await put(false)).status, 200)
    })

    test('who holds a license key and no more replaces no method of payment for nothing; its owner does', async () => {
      const bought = await shop.buy({}, tokens.paid)
      const [before] = await shop.subscriptionsOf(bought.id)
      const { json: session } = await shop.open({ license_key: bought.key, ...UPDATE, country_code: 'us' })
      assert.equal(session.quote.total, 0)
      for (const method of [null, tokens.paid]) {
        assert.deepEqual(codeOf(await shop.pay(session.id, method)), [400, 'owner_required'])
      }
      assert.deepEqual(await shop.subscriptionsOf(bought.id), [before])
      const { json: own } = await shop.openFor(bought.id, UPDATE, UPDATE)
      assert.equal((await shop.pay(own.id, tokens.paid)).json.state, 'paid')
      const [, active] = await shop.subscriptionsOf(bought.id)
      assert.notEqual(active?.payment_method_id, before?.payment_method_id)
    })

    test('the link of the mail about a failed renewal lets its buyer pay in another way', async () => {
      const bought = await owing()
      const mail = (await mailsTo(app, bought.email)).find(({ kind }) => kind === 'renewal_failed')
      const [address = ''] = /https?:\/\/\S*authorization=\S*/.exec(mail?.text ?? '') ?? []
      const { searchParams: params } = new URL(address)
      const { json: session, text } = await shop.open({
        license_id: params.get('license_id'),
        authorization: params.get('authorization'),
        ...UPDATE,
      })
      assert.equal(session.quote?.total, 10, text)
      assert.equal((await shop.pay(session.id, tokens.paid)).json.state, 'paid')
      assert.equal((await shop.subscriptionOf(bought.id)).outstanding_balance, 0)
    })

    test('whoever holds the key may pay what is owed, and is not told who the owner is', async () => {
      const bought = await owing(0, { zip_postal_code: '90210' })
      const opened = await shop.open({ license_key: bought.key, ...UPDATE })
      const paid = await shop.pay(opened.json.id, tokens.paid)
      assert.deepEqual([paid.json.state, paid.json.user, paid.json.purchase], ['paid', null, null], paid.text)
      for (const secret of [bought.email, 'Grace', '90210']) {
        assert.equal(`${opened.text}${paid.text}`.includes(secret), false, secret)
      }
    })
  })
}
