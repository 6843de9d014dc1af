// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import type { WebOperation } from '../http/other-replies.ts'
import { buildServer } from '../http/server.ts'
import { createLog } from '../log.ts'
import { startServer } from '../start.ts'
import { replyUnbuilt } from './pages.ts'

test('a page that is being built is no fault in the log; one that cannot be built is', async (t) => {
  const lines: { readonly level: string; readonly status?: number; readonly operation?: string }[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const { ctx, drop } = await testContext('web_unbuilt', { log })
  const running = await startServer(ctx)
  t.after(async () => {
    await running.stop()
    await drop()
  })
  const operations = (['building', 'failed'] as const).map((why): WebOperation => ({
    reply: 'web',
    id: why,
    paths: [`/${why}`],
    handle: async () => replyUnbuilt(why),
  }))
  const server = buildServer(running.server.frame, operations, () => {})
  t.after(() => server.close())
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  for (const { id } of operations) assert.equal((await fetch(`${address}/${id}`)).status, 503)
  const told = lines.filter(({ status }) => status === 503).map(({ operation, level }) => [operation, level])
  assert.deepEqual(told, [
    ['building', 'info'],
    ['failed', 'error'],
  ])
})
