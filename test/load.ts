import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR } from '../src/lib/time.ts'
import { pluginZip, uploadOf } from './archives.ts'
import { addressOf, bearer, usersOf, type Place, type Started } from './command-line.ts'

/** What is done again and again until it is stopped. */
interface Load {
  /** Once it was done for the first time. */
  readonly begun: Promise<void>
  /** How often it was done so far. */
  done(): number
  /** Throws what it met. */
  stop(): Promise<void>
}

function keepDoing(work: (n: number) => Promise<void>): Load {
  const isDone = new AbortController()
  const begun = work(0)
  let done = 0
  const working = (async () => {
    await begun
    for (done = 1; !isDone.signal.aborted; done++) await work(done)
  })()
  // Who stops it hears of it.
  working.catch(() => {})
  const stop = () => {
    isDone.abort()
    return working
  }
  return { begun, done: () => done, stop }
}

/** Writes users as fast as it can. */
export function keepWriting(server: Started): Load {
  const headers = { 'content-type': 'application/json', ...bearer(server.value['api_token']) }
  return keepDoing(async (n) => {
    const user = { email: `busy${n}@example.com`, name: 'Busy\u2028\\u0000', send_verification_email: false }
    const init = { method: 'POST', body: JSON.stringify(user), headers }
    const { status } = await fetch(usersOf(server), init)
    assert.equal(status, 200)
  })
}

/** Where the versions of the demo's product are, without the ending. */
export const tagsOf = (server: Started) =>
  `${addressOf(server)}/v1/products/${server.value['product_id']}/tags`

/** Adds a version to the demo's product, with so many bytes beside the plugin; its id. */
export async function uploadTo(server: Started, version: string, size = 0): Promise<string> {
  const files = { 'example/picture.bin': randomBytes(size) }
  const { body, headers } = uploadOf(await pluginZip({ version, files }))
  const init = { method: 'POST', body, headers: { ...headers, ...bearer(server.value['api_token']) } }
  const response = await fetch(`${tagsOf(server)}.json`, init)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return (JSON.parse(text) as { id: string }).id
}

/** Deletes a version of the demo's product. */
export async function deleteFrom(server: Started, id: string): Promise<void> {
  const headers = bearer(server.value['api_token'])
  const { status } = await fetch(`${tagsOf(server)}/${id}.json`, { method: 'DELETE', headers })
  assert.equal(status, 204)
}

/**
 * Adds versions after this one as fast as it can; after every second one it deletes the one before, and one of the old
 * ones as long as there are. Each of these counts.
 */
export function keepUploading(server: Started, version: string, old: readonly string[]): Load {
  const left = [...old]
  const added: string[] = []
  const going: string[] = []
  return keepDoing(async (n) => {
    const gone = going.pop()
    if (gone !== undefined) return deleteFrom(server, gone)
    added.push(await uploadTo(server, `${version}.${n}`))
    if (added.length === 2) going.push(...added.splice(0, 2).slice(0, 1), ...left.splice(0, 1))
  })
}

/** Makes all archives so old that the next sweep removes those without a version. */
export async function ageArchives({ env }: Place): Promise<void> {
  const files = join(env['KEYWRIGHT_DATA'] ?? '', 'files')
  const then = new Date(Date.now() - 2 * HOUR)
  for (const name of await readdir(files, { recursive: true })) await utimes(join(files, name), then, then)
}
