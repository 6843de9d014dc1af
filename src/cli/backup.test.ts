import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluginZip, uploadOf } from '../../test/archives.ts'
import { addressOf, bearer, openPlace, usersOf } from '../../test/command-line.ts'
import { doctor } from '../../test/doctor.ts'

test('R13: a backup that is made while the server writes is restored with an equal hash, and works', async (t) => {
  const place = await openPlace(t, 'backup')
  const server = await place.start(['serve', '--demo'])
  const { product_id: product = '', api_token: token = '' } = server.value
  const tags = (address: string) => `${address}/v1/products/${product}/tags`
  const { body, headers } = uploadOf(await pluginZip({ version: '5.0' }))
  const init = { method: 'POST', body, headers: { ...headers, ...bearer(token) } }
  assert.equal((await fetch(`${tags(addressOf(server))}.json`, init)).status, 200)
  let written = 0
  const isDone = new AbortController()
  const writing = (async () => {
    for (let at = 0; !isDone.signal.aborted; at++) {
      const user = { email: `busy${at}@example.com`, name: 'Busy', send_verification_email: false }
      const type = { 'content-type': 'application/json', ...bearer(token) }
      const { status } = await fetch(usersOf(server), {
        method: 'POST',
        body: JSON.stringify(user),
        headers: type,
      })
      if (status === 200) written++
    }
  })()
  const folder = join(place.folder, 'copy')
  const made = await place.ask(['backup', folder])
  const during = written
  isDone.abort()
  await writing
  await server.stop()
  assert.ok(during > 0 && made.rows > 0 && made.archives > 0)
  const env = { KEYWRIGHT_DATA: join(place.folder, 'restored') }
  const restored = await place.ask(['restore', folder], { env })
  assert.deepEqual([restored.hash, restored.rows, restored.archives], [made.hash, made.rows, made.archives])
  const { bad } = await doctor(place, env)
  assert.deepEqual(bad, {})
  const again = await place.start(['serve'], { env })
  const latest = await fetch(`${tags(addressOf(again))}/latest.zip?type=all`, { headers: bearer(token) })
  assert.deepEqual([latest.status, latest.headers.get('content-type')], [200, 'application/zip'])
  await again.stop()
  const second = await place.run(['restore', folder, '--json'], { env })
  assert.deepEqual([second.code, JSON.parse(second.stderr).error.code], [1, 'not_empty'])
})

test('a backup that was changed is not restored, and one is made only into a new folder', async (t) => {
  const place = await openPlace(t, 'backup-damaged')
  await place.ask(['migrate'])
  const folder = join(place.folder, 'copy')
  await place.ask(['backup', folder])
  const again = await place.run(['backup', folder, '--json'])
  assert.deepEqual([again.code, JSON.parse(again.stderr).error.code], [1, 'no_folder'])
  const manifest = join(folder, 'backup.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"hash": ".{8}/, '"hash": "00000000'))
  const env = { KEYWRIGHT_DATA: join(place.folder, 'restored') }
  const refused = await place.run(['restore', folder, '--json'], { env })
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, 'damaged'])
})
