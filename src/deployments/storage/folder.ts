import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { link, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDurableFolder, syncFolder } from '../../lib/sync-folder.ts'
import { receiveInto } from '../../lib/receive.ts'
import type { ByteRange } from '../../lib/byte-range.ts'
import type { Storage, StoredFile } from './storage.ts'

const NAME = /^[0-9a-f]{64}$/
const CHUNK = 128 * 1024

/**
 * Files in a folder: `files/<2 hex>/<sha-256>`, and `incoming/` for what is not whole yet. The folders are made with
 * the first file.
 */
export function folderStorage(folder: string): Storage {
  const incoming = join(folder, 'incoming')
  const files = join(folder, 'files')
  const pathOf = (sha256: string) => join(files, sha256.slice(0, 2), sha256)
  const place = async () => {
    await makeDurableFolder(incoming)
    return join(incoming, randomUUID())
  }
  return {
    place,
    receive: async (chunks, maxBytes) => receiveInto(await place(), chunks, maxBytes),
    async keep({ path, sha256 }) {
      const shelf = join(files, sha256.slice(0, 2))
      await makeDurableFolder(shelf)
      const isMoved = await rename(path, pathOf(sha256)).then(() => true, nullIfGone)
      // It was kept before, or somebody removed what was received.
      if (!isMoved) await stat(pathOf(sha256))
      await syncFolder(shelf)
    },
    discard: ({ path }) => rm(path, { force: true }),
    async read(sha256, range) {
      const file = await open(pathOf(sha256)).catch(nullIfGone)
      return file && { chunks: chunksOf(file, range), close: () => file.close() }
    },
    async *list() {
      // A system puts files of its own into folders that people look at.
      const places = (await entriesOf(files)).filter((entry) => entry.isDirectory())
      for (const place of places) {
        for (const { name } of await entriesOf(join(files, place.name))) {
          const found = NAME.test(name) ? await stat(pathOf(name)).catch(nullIfGone) : null
          if (found) yield { sha256: name, size: found.size, keptAt: found.mtimeMs }
        }
      }
    },
    remove: (file) => removeUnlessKept(file, pathOf(file.sha256), join(incoming, randomUUID())),
    async clean(before) {
      let count = 0
      // One after another: as many at once as there may be would keep all that is read and written waiting.
      for (const { name } of await entriesOf(incoming)) {
        const path = join(incoming, name)
        const found = await stat(path).catch(nullIfGone)
        if (found && found.mtimeMs >= before) continue
        await rm(path, { force: true })
        count++
      }
      return count
    },
  }
}

/** Through one buffer, as many downloads at once would otherwise leave more behind than is cleaned up. */
async function* chunksOf(
  file: FileHandle,
  range: ByteRange | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  let at = range?.first ?? 0
  for (;;) {
    const wanted = range ? Math.min(CHUNK, range.last + 1 - at) : CHUNK
    const { bytesRead } = await file.read(buffer, 0, wanted, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Taken aside first: what is kept meanwhile is put in its place, or found here and put back. */
async function removeUnlessKept({ keptAt }: StoredFile, path: string, aside: string): Promise<boolean> {
  const found = await stat(path).catch(nullIfGone)
  if (!found || found.mtimeMs > keptAt) return false
  const isTaken = await rename(path, aside).then(() => true, nullIfGone)
  if (!isTaken) return false
  // Another process may clean it away, being as old as it is.
  const taken = await stat(aside).catch(nullIfGone)
  const isKeptAgain = taken !== null && taken.mtimeMs > keptAt
  if (isKeptAgain) await link(aside, path).catch(nullIfThere)
  await rm(aside, { force: true })
  return !isKeptAgain
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

function nullIfThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'EEXIST') return null
  throw error
}
