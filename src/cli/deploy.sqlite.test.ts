import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluginZip, SMALL_ZIP } from '../../test/archives.ts'
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
  const plain = ['deploy', file, '--product', product, '--server', addressOf(server)]
  const shown = await place.ask(plain, { env })
  assert.deepEqual([shown.id, shown.release_mode], [first.id, 'released'], 'it is what it is on the server')
  const other = await place.run([...plain, '--requires', '6.0', '--json'], { env })
  assert.deepEqual([other.code, JSON.parse(other.stderr).error.code], [1, 'tag_version_taken'])
  const own = `${addressOf(server)}/v1/products/${product}/tags/${first.id}.json`
  assert.equal((await fetch(own, { method: 'DELETE', headers: bearer(token) })).status, 204)
  const anew = await place.ask([...args, addressOf(server)], { env })
  const again = await place.ask([...args, addressOf(server)], { env })
  assert.deepEqual([anew.release_mode, again.id], ['released', anew.id])
  assert.notEqual(anew.id, first.id, 'what was deleted is uploaded again')
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
