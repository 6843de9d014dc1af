// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/app.ts'
import { visit } from '../../test/carts.ts'
import { poison } from '../../test/poison.ts'
import { ask } from '../../test/serve.ts'
import { recoverCarts } from '../sales/carts/recover-carts-job.ts'
import { runDue } from '../jobs/worker.ts'
import { HOUR } from '../lib/time.ts'

test('what was left alone for good is tried again after `jobs retry`, and what still fails stops no other', async (t) => {
  const app = await startTestApp('jobs_retry')
  t.after(() => app.close())
  const made = ['one', 'two', 'three'].map((name) => visit(app, { email: `${name}@example.com` }))
  const ids = (await Promise.all(made)).map(({ id }) => id).toSorted((a, b) => a - b)
  const [stays = 0, mended = 0] = ids
  await poison(app, 'carts', stays)
  const mend = await poison(app, 'carts', mended)
  const statuses = async () => {
    const rows = await app.ctx.db.selectFrom('carts').select('status').orderBy('id').execute()
    return rows.map(({ status }) => (status === 'visit' ? 'waits' : 'done'))
  }
  const work = async () => {
    app.ctx.clock.advance(6 * HOUR)
    await app.write(({ db }) =>
      db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', recoverCarts.name).execute(),
    )
    await runDue(app.ctx, [recoverCarts])
  }
  for (let n = 0; n < 24; n++) await work()
  await mend()
  await work()
  assert.deepEqual(await statuses(), ['waits', 'waits', 'done'])
  const { code, text } = await ask(app.databaseOptions, ['jobs', 'retry', '--json'])
  assert.deepEqual([code, JSON.parse(text)], [0, { retried: 2 }])
  await work()
  assert.deepEqual(await statuses(), ['waits', 'done', 'done'])
  const again = await ask(app.databaseOptions, ['jobs', 'retry', '--json'])
  assert.deepEqual(JSON.parse(again.text), { retried: 1 })
})
