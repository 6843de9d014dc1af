// Runs on sqlite.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestApp } from '../../test/app.ts'

test('R14: a connection on which nothing was ever asked holds no stop up', { timeout: 40_000 }, async () => {
  const app = await startTestApp('unasked')
  const { hostname, port } = new URL(app.address)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  // The server knows of it by now: it has answered one that came after it.
  assert.equal((await app.call('GET', '/ping.json', { token: null })).status, 200)
  const ended = once(socket, 'close')
  await app.close()
  await ended
})
