// Runs on sqlite.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pluginZip, uploadOf } from '../../../test/archives.ts'
import { testContext } from '../../../test/app.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { transaction } from '../../context.ts'
import { startServer, type RunningServer } from '../../start.ts'

const TIMEOUTS = { headers: 150, request: 150, keepAlive: 1_000, idle: 5_000, taking: 5_000, check: 25 }

let made: Awaited<ReturnType<typeof testContext>>
let seller: Seller
let server: RunningServer
before(async () => {
  made = await testContext('slow_upload')
  seller = await transaction(made.ctx, (tx) => createSeller(tx))
  server = await startServer(made.ctx, { timeouts: TIMEOUTS })
})
after(async () => {
  await server.stop()
  await made.drop()
})

/** Sends a body in two halves, the second after the time that a request may take. */
async function sendSlowly(path: string, body: Buffer, headers: OutgoingHttpHeaders): Promise<number> {
  const sent = request(`${server.address}/v1/products/${seller.product.id}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${seller.product.token}` },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(body.subarray(0, body.length / 2))
  await sleep(500)
  sent.end(body.subarray(body.length / 2))
  const [response] = await answered
  response.resume()
  return response.statusCode ?? 0
}

test('an archive may take longer than a request may, any other body may not', async () => {
  const { body, headers } = uploadOf(await pluginZip({ version: '1.0' }))
  assert.equal(await sendSlowly('/tags.json', body, headers), 200)
  const user = Buffer.from(JSON.stringify({ email: 'slow@example.com', name: 'Slow' }))
  assert.equal(await sendSlowly('/users.json', user, { 'content-type': 'application/json' }), 408)
})
