import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createTestFolder } from '../../test/folder.ts'

const FILES = 40

/** Opens file after file at the same moment as the other threads that run this. */
const opener = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { folder, module, turns } = workerData
  const arrived = new Int32Array(turns)
  import(module).then(async ({ connectPatiently }) => {
    for (let turn = 0; turn < ${FILES}; turn++) {
      Atomics.add(arrived, turn, 1)
      while (Atomics.load(arrived, turn) < 2);
      const database = await connectPatiently({ engine: 'sqlite', file: folder + '/' + turn })
      await database.close()
    }
  })`

test('two that open a new file at the same moment both get it', async (t) => {
  const folder = await createTestFolder('open')
  t.after(() => rm(folder, { recursive: true }))
  const turns = new SharedArrayBuffer(4 * FILES)
  const module = join(import.meta.dirname, 'connect-patiently.ts')
  const open = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(opener, { eval: true, workerData: { folder, module, turns } })
      worker.on('error', reject).on('exit', resolve)
    })
  assert.deepEqual(await Promise.all([open(), open()]), [0, 0])
})
