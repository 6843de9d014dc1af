import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestFolder } from '../../../test/folder.ts'
import { writeWhole } from './write-whole.ts'

test('a file is replaced with its mode, by a link as well, and what cannot be written leaves nothing', async () => {
  const folder = await createTestFolder('write_whole')
  const file = join(folder, 'file')
  await writeFile(file, 'before', { mode: 0o640 })
  await symlink('file', join(folder, 'link'))
  writeWhole(join(folder, 'link'), 'after')
  assert.equal(await readFile(file, 'utf8'), 'after')
  assert.equal((await stat(file)).mode & 0o777, 0o640)
  writeWhole('/dev/null', 'gone')
  await mkdir(join(folder, 'sub'))
  assert.throws(() => writeWhole(join(folder, 'sub'), 'x'), { code: 'EISDIR' })
  assert.throws(() => writeWhole(join(folder, 'none', 'x'), 'x'), { code: 'ENOENT' })
  assert.deepEqual((await readdir(folder)).toSorted(), ['file', 'link', 'sub'])
})

test('a signal that comes while a file is written leaves it whole, and ends the process', async (t) => {
  const folder = await createTestFolder('write_stopped')
  const size = 2 ** 27
  const code = `import { writeWhole } from ${JSON.stringify(import.meta.resolve('./write-whole.ts'))}
    writeWhole(${JSON.stringify(join(folder, 'file'))}, Buffer.alloc(${size}, 'x'))
    setInterval(() => {}, 1_000)`
  const begun = once(watch(folder, { signal: t.signal }), 'change')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  const ended = once(child, 'exit')
  await begun
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null])
  assert.deepEqual(await readdir(folder), ['file'])
  assert.equal((await stat(join(folder, 'file'))).size, size)
})
