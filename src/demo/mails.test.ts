// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { startSmtp } from '../../test/smtp.ts'
import { transaction } from '../context.ts'
import { systemScope } from '../access/scope.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY } from '../lib/time.ts'
import { fillDemo } from './demo.ts'
import { touchCart } from '../sales/carts/touch-cart.ts'

test('nobody whom the demo has invented is mailed, however it goes on; who tries it is', async (t) => {
  const server = await startSmtp()
  const { ctx, drop } = await testContext('demo_mails', {
    config: { mail: { smtp: server.settings, from: null } },
  })
  t.after(async () => {
    await drop()
    await server.close()
  })
  const demo = (await fillDemo(ctx)) ?? assert.fail()
  const scope = systemScope(demo)
  const buyer = { environment: 0, visitor: null } as const
  await transaction(ctx, async (tx) => {
    await touchCart(tx, scope, { ...buyer, email: 'ada@mail.example.org' })
    await touchCart(tx, scope, { ...buyer, email: 'ada@example.com' })
  })
  for (let days = 0; days < 12; days++) {
    await runDue(ctx)
    ctx.clock.advance(DAY)
  }
  assert.deepEqual(new Set(server.received.map(({ to }) => to)), new Set(['ada@mail.example.org']))
  assert.ok((await readdir(join(ctx.config.dataDir, 'mail'))).length > 3)
  const waiting = ctx.db.selectFrom('mails').select('id').where('state', '<>', 'sent')
  assert.deepEqual(await waiting.execute(), [])
})
