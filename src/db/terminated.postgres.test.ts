// Runs beside others.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { testContext } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { lastFirst } from '../../test/last-first.ts'
import { serve } from '../../test/serve.ts'
import { transaction } from '../context.ts'

const CALLERS = 40
const ROUNDS = 12

test('a database that ends all connections under load, again and again, is 503 to callers and ends nothing here', async (t) => {
  const { ctx, databaseOptions, drop } = await testContext('terminated')
  const atEnd = lastFirst(t)
  atEnd(drop)
  const { product } = await transaction(ctx, (tx) => createSeller(tx))
  const serving = await serve(databaseOptions)
  atEnd(() => serving.stop())
  const ended = once(serving.process, 'exit').then(() => assert.fail('The server has ended.'))
  ended.catch(() => {})
  const url = `${serving.address}/v1/products/${product.id}/users.json`
  const headers = { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' }
  let sent = 0
  const call = async () => {
    const n = sent++
    const body = JSON.stringify({ email: `buyer${n}@example.com`, name: 'Some One' })
    const response = await fetch(url, n % 3 === 0 ? { method: 'POST', headers, body } : { headers })
    const text = await response.text()
    if (response.status === 200) return 'served'
    assert.equal(response.status, 503, text)
    assert.equal(response.headers.get('retry-after'), '1')
    return 'refused'
  }
  const stopping = new AbortController()
  const tally = { served: 0, refused: 0 }
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!stopping.signal.aborted) tally[await call()]++
  })
  const terminate = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = tally.served
      // The calls of this round are under way.
      while (tally.served < before + CALLERS) await sleep(5)
      await ctx.database.transaction((db) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db),
      )
    }
    stopping.abort()
  }
  await Promise.race([ended, Promise.all([terminate(), ...callers])])
  assert.ok(tally.refused > 0)
  assert.equal(await call(), 'served')
  const metrics = await (await fetch(`${serving.address}/metrics`)).text()
  assert.match(metrics, /^keywright_uncaught_errors_total 0$/m)
})
