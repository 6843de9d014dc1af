// Runs beside others.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { writesEvents } from '../../../test/contract/seen.ts'
import { read, streamOf } from '../../../test/event-stream.ts'
import { happen } from '../../../test/webhooks.ts'
import { transaction } from '../../context.ts'
import { systemScope } from '../../access/scope.ts'
import { deliverEvents } from '../delivery/deliver-events-job.ts'
import { runDue, startWorker, type Worker } from '../../jobs/worker.ts'
import { recordEvent } from './record.ts'

let app: TestApp
let worker: Worker
before(async () => {
  app = await startTestApp('stream')
  writesEvents(app.ctx.database, 'user.name.changed')
  worker = startWorker(app.ctx, [deliverEvents])
})
after(async () => {
  await worker.stop()
  await app.close()
})

test('a reader gets what happens from now on, in order, each as the log answers it', async () => {
  await happen(app, [1])
  await runDue(app.ctx, [deliverEvents])
  const reader = await read(app)
  await happen(app, [2, 3])
  await reader.has(2)
  reader.close()
  const [first, second] = reader.seen.map(({ data }) => JSON.parse(data))
  assert.deepEqual([first.user_id, second.user_id], ['2', '3'])
  assert.equal(reader.seen[0]?.event, 'user.name.changed')
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/events/${first.id}.json`)
  assert.deepEqual(first, json)
})

test('a reader that comes again goes on after the last event that it had', async () => {
  const all = await read(app, { after: '0' })
  await happen(app, [4, 5, 6])
  await all.has(6)
  all.close()
  const again = await read(app, { after: all.seen[2]?.id ?? '' })
  await again.has(3)
  again.close()
  assert.deepEqual(again.seen, all.seen.slice(3))
})

test('who has read nothing yet is told where it began, and misses nothing when it comes again', async () => {
  const closing = new AbortController()
  const headers = { authorization: `Bearer ${app.seller.product.token}` }
  const response = await fetch(streamOf(app), { headers, signal: closing.signal })
  const began = response.headers.get('last-event-id') ?? ''
  const first = await response.body?.getReader().read()
  assert.equal(new TextDecoder().decode(first?.value), `retry: 1000\nid: ${began}\n\n`)
  closing.abort()
  await happen(app, [7])
  const again = await read(app, { after: began })
  await again.has(1)
  again.close()
  assert.equal(JSON.parse(again.seen[0]?.data ?? '').user_id, '7')
})

test('a stream is for who may list the events: no other token, no user, and what it begins at must be an id', async () => {
  assert.equal((await read(app, { authorization: `Bearer ${app.seller.other.token}` })).status, 401)
  assert.equal((await read(app, { authorization: 'Bearer ' })).status, 401)
  assert.equal((await read(app, { after: 'x' })).status, 400)
  const developer = await asDeveloper(app)
  const bad = await developer('GET', `/products/${app.seller.product.id}/events/stream?last_event_id=x`)
  assert.equal(bad.status, 400)
})

test('writers side by side: a reader misses none of their events and gets each once', async () => {
  const reader = await read(app)
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const writer = async (n: number) => {
    for (let count = 0; count < 25; count++) {
      await transaction(app.ctx, async (tx) => {
        await recordEvent(tx, scope, { type: 'user.name.changed', userId: n, data: { count } })
        if ((n + count) % 3 === 0) await tx.db.selectFrom('users').select('id').execute()
      })
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => writer(n + 100)))
  await reader.has(200)
  reader.close()
  const seqs = reader.seen.map(({ id }) => Number(id))
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
  const keys = reader.seen.map(({ data }) => {
    const { user_id: user, data: payload } = JSON.parse(data)
    return `${user} ${payload.count}`
  })
  assert.equal(new Set(keys).size, 200)
})

test('what a reader does not take stays in the database, not in memory', async () => {
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.other.id })
  await app.write(async (tx) => {
    for (let n = 0; n < 400; n++) {
      await recordEvent(tx, scope, { type: 'user.name.changed', data: { text: 'x'.repeat(30_000) } })
    }
  })
  await runDue(app.ctx, [deliverEvents])
  const path = streamOf(app).replace(/products\/\d+/, `products/${app.seller.other.id}`)
  const headers = { authorization: `Bearer ${app.seller.other.token}`, 'last-event-id': '0' }
  const answers: ServerResponse[] = []
  const note = (message: unknown) => void answers.push((message as { response: ServerResponse }).response)
  subscribe('http.server.request.start', note)
  const slow = request(path, { headers }).end()
  const [response] = (await once(slow, 'response')) as [IncomingMessage]
  response.pause()
  unsubscribe('http.server.request.start', note)
  const [answer = assert.fail()] = answers
  // Another one that takes all of them meanwhile: as many could have been written for the slow one.
  const quick = await read(app, { after: '0', url: path, authorization: headers.authorization })
  await quick.has(400)
  quick.close()
  const held = answer.writableLength
  slow.destroy()
  assert.ok(held < 2_000_000, `${held} bytes of 12 million wait in memory`)
})

test('streams end when the server stops, which waits for none of them', async () => {
  const stopping = await startTestApp('stream_stops')
  const reader = await read(stopping)
  assert.equal(reader.status, 200)
  const startedAt = performance.now()
  await stopping.close()
  await reader.ended
  assert.ok(performance.now() - startedAt < 2_000)
})
