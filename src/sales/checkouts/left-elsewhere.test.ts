import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { newestCharge } from '../../../test/charges.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { buy, payCheckout } from '../../../test/reports.ts'
import { scopeOf } from '../../../test/sales.ts'
import { DAY, SECOND, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let pricingId: number
before(async () => {
  app = await startTestApp('left_elsewhere')
  pricingId = (await offerFor(app, 1)).pricingId
})
after(() => app.close())

for (const [what, ahead, isEnded] of [
  ['by a clock that was ahead', DAY, true],
  ['half a minute ago', -30 * SECOND, false],
  ['by another process, whose clock is ahead by seconds', 30 * SECOND, false],
] as const) {
  test(`a confirmation that was begun ${what} is ${isEnded ? 'ended' : 'left'} by who pays the same elsewhere`, async () => {
    const { email, reply } = await buy(app, pricingId, 'test_needs_confirmation')
    assert.equal(reply.json.state, 'pending', reply.text)
    const { id } = await newestCharge(app)
    const updated = toUtcTime(app.ctx.clock.real() + ahead)
    await app.write(({ db }) => db.updateTable('charges').set({ updated }).where('id', '=', id).execute())
    const other = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
    const { json, text } = await payCheckout(app, other, 'test_succeeds')
    assert.equal(json.state ?? json.error.code, isEnded ? 'paid' : 'already_purchased', text)
  })
}
