// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'
import { startReceiver } from '../../test/webhooks.ts'

test('what is stopped forwards nothing more of what it has read, and waits for no answer', async (t) => {
  const place = await openPlace(t, 'listen')
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const asked = Promise.withResolvers<void>()
  receiver.answer = (response, { event }) => {
    if (event.id === '1') return response.end()
    return asked.resolve()
  }
  const events = ['1', '2', '3', '4'].map((id) => `id: ${id}\nevent: plan.created\ndata: {"id":"${id}"}\n\n`)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { child, ended } = place.launch(
    ['listen', '--product', '1', '--server', address, '--forward-to', receiver.url, '--json'],
    { env: { KEYWRIGHT_API_TOKEN: 'any' } },
  )
  await asked.promise
  const at = performance.now()
  child.kill('SIGINT')
  const { code, stdout } = await ended
  assert.equal(code, 0)
  assert.ok(performance.now() - at < 5_000, 'it waits for nobody who does not answer')
  assert.deepEqual(
    receiver.received.map(({ event }) => event.id),
    ['1', '2'],
  )
  assert.equal(stdout.trim(), '{"event_id":"1","type":"plan.created","status":200}')
})
