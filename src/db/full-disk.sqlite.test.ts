// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { createTestFolder } from '../../test/folder.ts'
import { assertFull, assertServed, callsOf, type Disk, mountedDisk } from '../../test/full-disk.ts'
import { serve } from '../../test/serve.ts'
import { transaction } from '../context.ts'

/** No file of the server grows any more, as on a disk that is full; needs no rights. */
function limitedDisk(): Disk {
  const limit = (pid: number, bytes: string) =>
    void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  return { fill: (pid) => limit(pid, '1'), empty: (pid) => limit(pid, 'unlimited'), remove() {} }
}

const DISKS: Readonly<Record<string, (folder: string) => Disk | null>> = {
  'a disk that is full': (folder) => mountedDisk(folder, { size: 12 }),
  'files that may not grow': limitedDisk,
}

for (const [name, diskOf] of Object.entries(DISKS)) {
  test(`with ${name} reads go on, writes are 503, and all is served with the first room, also after a kill`, async (t) => {
    const folder = await createTestFolder('full_disk')
    // Who may not mount has the other way.
    const disk = diskOf(folder) ?? limitedDisk()
    const { ctx, databaseOptions, drop } = await testContext('full_disk')
    const { product } = await transaction(ctx, (tx) => createSeller(tx))
    await ctx.database.close()
    assert.ok(databaseOptions.engine === 'sqlite')
    const file = join(folder, 'data', 'keywright.db')
    await mkdir(dirname(file), { mode: 0o700 })
    await copyFile(databaseOptions.file, file)
    await drop().catch(() => {})
    let serving = await serve({ engine: 'sqlite', file })
    t.after(async () => {
      await serving.stop()
      await disk.remove()
      await rm(folder, { recursive: true, force: true })
    })
    const pid = () => serving.process.pid ?? assert.fail('It has no process.')
    await assertServed(callsOf(serving, product), 'before')
    await disk.fill(pid())
    await assertFull(callsOf(serving, product), 'during')
    assert.deepEqual(await readdir(join(folder, 'data', 'incoming')).catch(() => []), [])
    await disk.empty(pid())
    await assertServed(callsOf(serving, product), 'after')
    await disk.fill(pid())
    await assertFull(callsOf(serving, product), 'again')
    const killed = once(serving.process, 'exit')
    serving.process.kill('SIGKILL')
    await killed
    // It starts without room, too.
    serving = await serve({ engine: 'sqlite', file })
    await disk.fill(pid())
    await assertFull(callsOf(serving, product), 'killed')
    await disk.empty(pid())
    await assertServed(callsOf(serving, product), 'well')
  })
}
