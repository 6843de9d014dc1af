import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { buyerFacts } from './buyer-queries.ts'
import { unguard } from './guard-queries.ts'

let app: TestApp
const statements: string[] = []
before(async () => {
  app = await startTestApp('checkout_indexes', {
    onStatement: async (sql: string) => void statements.push(sql),
  })
})
after(() => app.close())

/** What is done to the statements that name a table, as SQLite plans them. */
async function plansOf(table: string, work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await work()
  const named = statements.filter((sql) => sql.includes(`"${table}"`))
  assert.ok(named.length > 0)
  const plans: string[] = []
  for (const sql of named) {
    const steps = await stepsOf(app.ctx.db, { sql })
    plans.push(...steps.filter((step) => step.includes(table)))
  }
  return plans
}

test('what a checkout kept is found by index when it is let go', async () => {
  const plans = await plansOf('checkout_guards', () => app.write((tx) => unguard(tx.db, 7)))
  for (const plan of plans)
    assert.match(plan, /SEARCH checkout_guards USING INDEX checkout_guards_of_checkout/)
})

test('what a person has redeemed is found by index', async () => {
  const { developer, product } = app.seller
  const body = { email: 'redeems@example.com', name: 'Some Body', send_verification_email: false }
  await app.call('POST', `/products/${product.id}/users.json`, { body })
  const owner = { developerId: developer.id, productId: product.id, userId: null, installId: null }
  const facts = () =>
    app.write((tx) =>
      buyerFacts(tx.db, owner, {
        emailFolded: 'redeems@example.com',
        environment: 0,
        withUnproven: false,
      }),
    )
  for (const plan of await plansOf('coupon_redemptions', facts))
    assert.match(plan, /SEARCH coupon_redemptions USING (COVERING )?INDEX coupon_redemptions_by_person/)
})
