import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../src/context.ts'
import { testContext } from './app.ts'
import { createSeller } from './factories.ts'
import { lastFirst } from './last-first.ts'
import { serve, type Serving } from './serve.ts'

const CREATIONS = 1000
const KILLS = 20

test('kill -9 during a thousand creations: what was answered is there with its event, and no event without its user', async (t) => {
  const opened = await testContext('kill', { at: Date.now() })
  const atEnd = lastFirst(t)
  atEnd(() => opened.drop())
  const { ctx } = opened
  const seller = await transaction(ctx, (tx) => createSeller(tx))
  const answered: string[] = []
  let server: Serving | null = null
  atEnd(() => server?.stop())
  let kills = 0
  for (let n = 0; n < CREATIONS;) {
    server ??= await serve(opened.databaseOptions)
    const { process, address } = server
    const emails = Array.from({ length: 10 }, () => `kill${n++}@example.com`)
    const results = emails.map(async (email) => {
      const response = await fetch(`${address}/v1/products/${seller.product.id}/users.json`, {
        method: 'POST',
        headers: { authorization: `Bearer ${seller.product.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email, name: 'Kill Nine' }),
      })
      if (response.status === 200) answered.push(email)
    })
    if (n % (CREATIONS / KILLS) === 0) {
      await sleep(Math.random() * 15)
      const exited = once(process, 'exit')
      process.kill('SIGKILL')
      kills++
      await Promise.allSettled([exited, ...results])
      server = null
    } else {
      await Promise.all(results)
    }
  }
  assert.equal(kills, KILLS)
  const users = await ctx.db.selectFrom('users').select(['id', 'email']).execute()
  const events = await ctx.db
    .selectFrom('events')
    .select('user_id')
    .where('type', '=', 'user.created')
    .execute()
  const stored = new Set(users.map(({ email }) => email))
  assert.deepEqual(
    answered.filter((email) => !stored.has(email)),
    [],
    'answered and lost',
  )
  assert.ok(answered.length >= CREATIONS - 10 * KILLS, `${answered.length} were answered`)
  const told = events.map(({ user_id: id }) => id).toSorted()
  assert.deepEqual(told, users.map(({ id }) => id).toSorted(), 'one event for each user')
})
