import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pluginZip } from './archives.ts'
import type { Serving } from './serve.ts'

/** A disk of its own that a test fills and empties. */
export interface Disk {
  fill(pid: number): void | Promise<void>
  empty(pid: number): void | Promise<void>
  remove(): void | Promise<void>
}

/**
 * Small, and really full: only root may mount one, null for anybody else. `size` in MB; `owner` is the id of who may
 * write there, root unless given.
 */
export function mountedDisk(
  folder: string,
  { size, owner = 0 }: { size: number; owner?: number },
): Disk | null {
  try {
    const options = `size=${size}m,mode=700,uid=${owner}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  return {
    fill() {
      for (const bytes of [65_536, 4_096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          // No more of this size.
        }
      }
    },
    empty: () => rmSync(filler),
    remove: () => void execFileSync('umount', ['-l', folder]),
  }
}

/** More than a busy machine takes for a call that waits for nothing. */
const SOON_MS = 6_000

/** The answer of a call that waits for no room, whatever else waits. */
async function soon(call: Promise<Response>): Promise<Response> {
  const begun = performance.now()
  const answer = await call
  const took = performance.now() - begun
  assert.ok(took < SOON_MS, `answered after ${took} ms: ${answer.url}`)
  return answer
}

export function callsOf({ address }: Serving, product: { readonly id: number; readonly token: string }) {
  const base = `${address}/v1/products/${product.id}`
  const headers = { authorization: `Bearer ${product.token}` }
  return {
    read: () => soon(fetch(`${base}/users.json`, { headers })),
    write: (name: string) => {
      const body = JSON.stringify({ email: `${name}@example.com`, name: 'Some One' })
      const json = { ...headers, 'content-type': 'application/json' }
      return soon(fetch(`${base}/users.json`, { method: 'POST', headers: json, body }))
    },
    upload: async () => {
      const body = new FormData()
      const archive = await pluginZip({ files: { 'example/large': randomBytes(3_000_000) } })
      body.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip')
      return fetch(`${base}/tags.json`, { method: 'POST', headers, body })
    },
    ready: () => soon(fetch(`${address}/readyz`)),
  }
}

export type Calls = ReturnType<typeof callsOf>

/** Whether an answer says that there is no room; a write finds some where one that was refused gave it back. */
async function isNoRoom(answer: Response): Promise<boolean> {
  if (answer.status === 200) return false
  await assertNoRoom(answer)
  return true
}

async function assertNoRoom(answer: Response): Promise<void> {
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  assert.deepEqual([answer.status, error.code], [503, 'maintenance_mode'], error.message)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.match(error.message, /no room/)
}

export async function assertFull(calls: Calls, name: string): Promise<void> {
  // Until what is left of each page and file is used up.
  for (let n = 0, refused = 0; refused < 10; n++) {
    refused = (await calls.write(`${name}.${n}`)).status === 200 ? 0 : refused + 1
  }
  const answers = Array.from({ length: 30 }, async (_, n) => {
    assert.equal((await calls.read()).status, 200)
    const isRefused = await isNoRoom(await calls.write(`${name}.more.${n}`))
    if (n % 10 === 0) await assertNoRoom(await calls.upload())
    assert.equal((await calls.read()).status, 200)
    return isRefused
  })
  const refused = (await Promise.all(answers)).filter(Boolean)
  assert.ok(refused.length >= 25, `${refused.length} of 30 were refused`)
  const ready = await calls.ready()
  assert.deepEqual(
    [ready.status, await ready.json()],
    [503, { status: 'not ready', reason: 'the disk is full' }],
  )
}

export async function assertServed(calls: Calls, name: string): Promise<void> {
  const ready = await calls.ready()
  assert.equal(ready.status, 200, await ready.text())
  for (const answer of [await calls.write(name), await calls.read()]) assert.equal(answer.status, 200)
}
