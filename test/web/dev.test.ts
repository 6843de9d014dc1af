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
    '/dashboard/1': {
      type: 'text/html',
      body: '<script type="application/json" id="data">{"prefix":"/shop","mayBeSignedIn":true}</script>',
    },
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
  const app = await fetch(`${address}/dashboard/1`, { headers: { accept: 'text/html' } })
  const signedIn = await app.text()
  assert.match(signedIn, /<script type="module" src="\/dashboard\/main\.tsx"><\/script>/)
  assert.match(signedIn, /id="data">\{"prefix":"","mayBeSignedIn":true\}</)
  const portal = await fetch(`${address}/portal/`, { headers: { accept: 'text/html' } })
  assert.match(await portal.text(), /src="\/portal\/main\.tsx"/)
  assert.match(await (await fetch(`${address}/ui/Frame.tsx`)).text(), /react_jsx/)
  const called = await fetch(`${address}/v1/ping.json`)
  assert.deepEqual(await called.json(), { is: 'called' })
})
