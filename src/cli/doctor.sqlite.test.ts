// Runs slowly.
import assert from 'node:assert/strict'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { doctor } from '../../test/doctor.ts'

test('before the first start it only says so, and makes nothing', async (t) => {
  const place = await openPlace(t, 'doctor-empty')
  const { code, bad } = await doctor(place)
  assert.equal(code, 0)
  assert.deepEqual(bad, { 'data folder': 'warn', disk: 'warn', secret: 'warn', database: 'warn' })
  assert.deepEqual(await readdir(place.folder), [])
})

test('a secret or folder that others can read is found', async (t) => {
  const place = await openPlace(t, 'doctor-modes')
  await place.ask(['migrate'])
  const data = join(place.folder, 'data')
  assert.equal((await stat(data)).mode & 0o777, 0o700)
  assert.equal((await stat(join(data, 'secret'))).mode & 0o777, 0o600)
  await chmod(data, 0o755)
  await chmod(join(data, 'secret'), 0o640)
  const { code, bad } = await doctor(place)
  assert.equal(code, 1)
  assert.deepEqual(bad, { 'data folder': 'warn', secret: 'fail' })
})

const PAGE = 4096

test('a damaged database file is found', async (t) => {
  const place = await openDemoPlace(t, 'doctor-damage')
  const path = join(place.folder, 'data', 'keywright.db')
  const bytes = await readFile(path)
  for (let page = PAGE; page < bytes.length; page += PAGE) {
    if (bytes.subarray(page, page + PAGE).includes('mai.nguyen@example.com'))
      bytes.fill(0xa5, page, page + 64)
  }
  await writeFile(path, bytes)
  const { code, bad } = await doctor(place)
  assert.equal(code, 1)
  assert.equal(bad['integrity'], 'fail')
})

test('a secret that is gone, empty or cut off is named on every line that needs it, with what to do', async (t) => {
  const place = await openDemoPlace(t, 'doctor-cut-secret')
  const file = join(place.folder, 'data', 'secret')
  for (const text of ['', 'twenty characters…', null]) {
    await (text === null ? rm(file) : writeFile(file, text))
    const { bad, checks } = await doctor(place)
    assert.deepEqual(bad, { secret: 'fail', 'stored keys': 'fail', gateways: 'fail' })
    for (const { message, fix } of checks.filter(({ status }) => status === 'fail')) {
      assert.ok(message.startsWith(file), message)
      assert.match(fix ?? '', /^Put the secret back from a copy/)
    }
  }
})
