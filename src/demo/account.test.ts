// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { fillDemo, openDemo } from './demo.ts'

test('the demo seller has one bank account, however often the demo is filled', async (t) => {
  const { ctx, drop } = await testContext('demo_account')
  t.after(drop)
  await fillDemo(ctx)
  const demo = await fillDemo(ctx)
  assert.ok(demo)
  const accounts = await ctx.db.selectFrom('bank_accounts').select(['id', 'account_last4']).execute()
  assert.deepEqual(
    accounts.map(({ account_last4: last4 }) => last4),
    ['3000'],
  )
  assert.equal((await openDemo(ctx, demo)).examples['bank_account_id'], String(accounts[0]?.id))
})
