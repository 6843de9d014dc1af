// Runs on sqlite.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
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

/** Sends the first half of a body; its answer, and what sends the rest. */
async function sendHalf(path: string, body: Buffer, headers: OutgoingHttpHeaders) {
  const sent = request(`${server.address}/v1/products/${seller.product.id}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length, authorization: `Bearer ${seller.product.token}` },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  await new Promise((written) => sent.write(body.subarray(0, body.length / 2), written))
  const status = answered.then(([response]) => (response.resume(), response.statusCode))
  return { status, finish: () => sent.end(body.subarray(body.length / 2)) }
}

test('an archive may take longer than a request may, any other body may not', async () => {
  const { body, headers } = uploadOf(await pluginZip({ version: '1.0' }))
  const archive = await sendHalf('/tags.json', body, headers)
  const user = Buffer.from(JSON.stringify({ email: 'slow@example.com', name: 'Slow' }))
  const other = await sendHalf('/users.json', user, { 'content-type': 'application/json' })
  assert.equal(await other.status, 408)
  archive.finish()
  assert.equal(await archive.status, 200, 'it was begun before the other one')
})
