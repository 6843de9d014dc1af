import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { doctor } from '../../test/doctor.ts'
import { pluginZip, SMALL_ZIP, uploadOf } from '../../test/archives.ts'
import { addressOf, bearer, openPlace } from '../../test/command-line.ts'

test('a version is uploaded and released by one command, which may be repeated after it broke off', async (t) => {
  const place = await openPlace(t, 'deploy')
  const server = await place.start(['serve', '--demo'])
  const { product_id: product = '', api_token: token = '' } = server.value
  const env = { KEYWRIGHT_API_TOKEN: token }
  const file = join(place.folder, 'example.zip')
  await writeFile(file, await pluginZip({ version: '77.0' }))
  const args = ['deploy', file, '--product', product, '--release-mode', 'released', '--server']
  const broken = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => void broken.listen(0, '127.0.0.1', resolve))
  const { port } = broken.address() as { port: number }
  const cut = await place.run([...args, `http://127.0.0.1:${port}`, '--json'], { env })
  broken.close()
  assert.deepEqual([cut.code, JSON.parse(cut.stderr).error.code], [1, 'not_sent'])
  const first = await place.ask([...args, addressOf(server)], { env })
  const second = await place.ask([...args, addressOf(server)], { env })
  assert.deepEqual([first.version, first.release_mode, second.id], ['77.0', 'released', first.id])
  const tags = `${addressOf(server)}/v1/products/${product}/tags.json`
  const list = (await (await fetch(tags, { headers: bearer(token) })).json()) as {
    tags: { version: string; release_mode: string }[]
  }
  assert.deepEqual(
    list.tags.filter(({ version }) => version === '77.0').map(({ release_mode: mode }) => mode),
    ['released'],
  )
  await writeFile(file, SMALL_ZIP)
  const refused = await place.run([...args, addressOf(server), '--json'], { env })
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, 'invalid_archive'])
  await server.stop()
})

test('after a server was killed in the middle of an upload no version is visible, and the doctor is content', async (t) => {
  const place = await openPlace(t, 'deploy-killed')
  const server = await place.start(['serve', '--demo'])
  const { product_id: product = '', api_token: token = '' } = server.value
  const { body, headers } = uploadOf(await pluginZip({ version: '78.0' }))
  const url = new URL(`${addressOf(server)}/v1/products/${product}/tags.json`)
  const length = { 'content-length': body.length }
  const upload = request(url, { method: 'POST', headers: { ...headers, ...length, ...bearer(token) } })
  upload.on('error', () => {}).write(body.subarray(0, body.length / 2))
  const incoming = join(place.folder, 'data', 'incoming')
  while ((await readdir(incoming).catch(() => [])).length === 0) await sleep(5)
  await server.stop('SIGKILL')
  upload.destroy()
  const again = await place.start(['serve'])
  const tags = `${addressOf(again)}/v1/products/${product}/tags.json`
  const list = (await (await fetch(tags, { headers: bearer(token) })).json()) as { tags: unknown[] }
  assert.deepEqual(list.tags, [])
  const { checks } = await doctor(place)
  assert.equal(checks.find(({ check }) => check === 'archives')?.status, 'ok')
  await again.stop()
})
