import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { Context } from '../context.ts'
import { zipBytes, type Written } from '../deployments/archive/zip-writer.ts'
import { TooManyBytes } from '../lib/receive.ts'
import type { WantedArchive } from '../lists/hooks.ts'
import { exportAccount } from './export-account.ts'
import { withFolder } from './incoming.ts'

const DEFLATED = 8
const MODE = 0o600
/** What the facts of a file in a ZIP file can say. */
const MOST_BYTES = 0xffff_ffff

/**
 * Hands the bytes of a ZIP file of an export (`exportAccount`) to `take`. Until then its files lie in a folder of this
 * process, readable by its owner alone, of which nothing is left; memory does not grow with them.
 */
export async function archiveAccount<T>(
  ctx: Context,
  wanted: WantedArchive,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  return withFolder(ctx, async (folder) => {
    const { kinds } = await exportAccount(ctx, { ...wanted, folder })
    const rows = kinds.reduce((sum, kind) => sum + kind.rows, 0)
    return take(zipBytes(packed(folder, () => wanted.onPart({ rows, progress: 1 }))))
  })
}

/** Awaited after each piece; what it throws ends it. */
type Beat = () => Promise<void>

/** The files of a folder, each packed as it is asked for. */
async function* packed(folder: string, beat: Beat): AsyncGenerator<Written, void, undefined> {
  for (const name of (await readdir(folder)).toSorted()) {
    const path = join(folder, name)
    const raw = await pack(path, `${path}.packed`, beat)
    await rm(path)
    try {
      yield { name, mode: MODE, raw }
    } finally {
      raw.stream.destroy()
    }
    await rm(`${path}.packed`)
  }
}

/** Packs a file into another one. TooManyBytes where it is too large to stand in a ZIP file. */
async function pack(from: string, to: string, beat: Beat) {
  let [crc, size, packedSize] = [0, 0, 0]
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await beat()
        crc = crc32(chunk, crc)
        size += chunk.length
        if (size > MOST_BYTES) throw new TooManyBytes(`more than ${MOST_BYTES} bytes`)
        yield chunk
      }
    },
    createDeflateRaw(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        packedSize += chunk.length
        yield chunk
      }
    },
    createWriteStream(to, { flags: 'wx', mode: MODE }),
  )
  return { method: DEFLATED, crc, packedSize, size, stream: createReadStream(to) }
}
