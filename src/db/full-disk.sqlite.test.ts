import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { createTestFolder } from '../../test/folder.ts'
import { serve, type Serving } from '../../test/serve.ts'
import { transaction } from '../context.ts'

/** A disk of its own that a test fills and empties. */
interface Disk {
  readonly folder: string
  fill(pid: number): void
  empty(pid: number): void
  remove(): void
}

/** Small, and really full: only root may mount one. */
function mountedDisk(folder: string): Disk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (const size of [65_536, 4_096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size))
        } catch {
          // No more of this size.
        }
      }
    },
    empty: () => execFileSync('rm', [filler]),
    remove: () => execFileSync('umount', ['-l', folder]),
  }
}

/** No file of the server grows any more, as on a disk that is full; needs no rights. */
function limitedDisk(folder: string): Disk {
  const limit = (pid: number, bytes: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  return { folder, fill: (pid) => limit(pid, '1'), empty: (pid) => limit(pid, 'unlimited'), remove() {} }
}

const DISKS: Readonly<Record<string, (folder: string) => Disk | null>> = {
  'a disk that is full': mountedDisk,
  'files that may not grow': limitedDisk,
}

function callsOf({ address }: Serving, product: { readonly id: number; readonly token: string }) {
  const base = `${address}/v1/products/${product.id}`
  const headers = { authorization: `Bearer ${product.token}` }
  return {
    read: () => fetch(`${base}/users.json`, { headers }),
    write: (name: string) => {
      const body = JSON.stringify({ email: `${name}@example.com`, name: 'Some One' })
      const json = { ...headers, 'content-type': 'application/json' }
      return fetch(`${base}/users.json`, { method: 'POST', headers: json, body })
    },
    upload: () => {
      const body = new FormData()
      body.append('file', new Blob([Buffer.alloc(3_000_000, 7)]), 'archive.zip')
      return fetch(`${base}/tags.json`, { method: 'POST', headers, body })
    },
    ready: () => fetch(`${address}/readyz`),
  }
}

async function assertNoRoom(answer: Response): Promise<void> {
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  assert.deepEqual([answer.status, error.code], [503, 'maintenance_mode'], error.message)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.match(error.message, /no room/)
}

async function assertFull(calls: ReturnType<typeof callsOf>, name: string): Promise<void> {
  // Until what is left of a page or file is used up.
  for (let n = 0; (await calls.write(`${name}.${n}`)).status === 200; n++);
  const answers = Array.from({ length: 30 }, async (_, n) => {
    assert.equal((await calls.read()).status, 200)
    await assertNoRoom(await calls.write(`${name}.more.${n}`))
    if (n % 10 === 0) await assertNoRoom(await calls.upload())
    assert.equal((await calls.read()).status, 200)
  })
  await Promise.all(answers)
  const ready = await calls.ready()
  assert.deepEqual(
    [ready.status, await ready.json()],
    [503, { status: 'not ready', reason: 'the disk is full' }],
  )
}

async function assertServed(calls: ReturnType<typeof callsOf>, name: string): Promise<void> {
  const ready = await calls.ready()
  assert.equal(ready.status, 200, await ready.text())
  for (const answer of [await calls.write(name), await calls.read()]) assert.equal(answer.status, 200)
}

for (const [name, diskOf] of Object.entries(DISKS)) {
  test(`with ${name} reads go on, writes are 503, and all is served with the first room, also after a kill`, async (t) => {
    const folder = await createTestFolder('full_disk')
    // Who may not mount has the other way.
    const disk = diskOf(folder) ?? limitedDisk(folder)
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
      disk.remove()
      await rm(folder, { recursive: true, force: true })
    })
    const pid = () => serving.process.pid ?? assert.fail('It has no process.')
    await assertServed(callsOf(serving, product), 'before')
    disk.fill(pid())
    await assertFull(callsOf(serving, product), 'during')
    assert.deepEqual(await readdir(join(folder, 'data', 'incoming')).catch(() => []), [])
    disk.empty(pid())
    await assertServed(callsOf(serving, product), 'after')
    disk.fill(pid())
    await assertFull(callsOf(serving, product), 'again')
    const killed = once(serving.process, 'exit')
    serving.process.kill('SIGKILL')
    await killed
    // It starts without room, too.
    serving = await serve({ engine: 'sqlite', file })
    disk.fill(pid())
    await assertFull(callsOf(serving, product), 'killed')
    disk.empty(pid())
    await assertServed(callsOf(serving, product), 'well')
  })
}
