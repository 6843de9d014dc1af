import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startSite } from './site.ts'

const DEV = join(import.meta.dirname, '../../web/dev.ts')

test('dev:web serves the pages as they are written, and passes calls on to the server', async (t) => {
  const server = await startSite({
    '/': { type: 'text/plain', body: 'of the server' },
    '/v1/ping.json': { type: 'application/json', body: '{"is":"called"}' },
  })
  t.after(server.close)
  const env = { ...process.env, KEYWRIGHT_DEV_SERVER: server.address, KEYWRIGHT_DEV_PORT: '0' }
  const child = spawn(process.execPath, [DEV], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let address = ''
  for await (const line of createInterface(child.stdout)) {
    address = /^The pages are at (http:\S+)\/, /.exec(line)?.[1] ?? ''
    if (address !== '') break
  }
  const page = await fetch(`${address}/checkout/product/1/`, { headers: { accept: 'text/html' } })
  const html = await page.text()
  assert.match(html, /<script type="module" src="\/checkout\/main\.tsx"><\/script>/)
  assert.match(html, /\/@vite\/client/)
  const script = await fetch(`${address}/checkout/main.tsx`)
  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  const called = await fetch(`${address}/v1/ping.json`)
  assert.deepEqual(await called.json(), { is: 'called' })
})
