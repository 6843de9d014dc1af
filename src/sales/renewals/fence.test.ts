import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import { giveBackClaimed, holdClaimed, restClaimed } from './queries.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renewal_fence')
})
after(() => app.close())

test('who has lost a subscription to another process neither holds it, rests it nor gives it back', async () => {
  const { subscription } = await subscribed(app)
  const { id } = subscription
  const lease_until = app.ctx.clock.real() + 10_000
  const ours = { id, fence: 7, lease_until }
  await app.write(({ db }) =>
    db.updateTable('subscriptions').set({ fence: 8, lease_until }).where('id', '=', id).execute(),
  )
  await app.write(async ({ db }) => {
    assert.equal(await holdClaimed(db, ours), undefined)
    await restClaimed(db, ours, 0)
    await giveBackClaimed(db, [ours])
    assert.equal((await holdClaimed(db, { id, fence: 8 }))?.lease_until, lease_until)
    await giveBackClaimed(db, [{ ...ours, fence: 8 }])
    assert.equal((await holdClaimed(db, { id, fence: 8 }))?.lease_until, 0)
  })
})
