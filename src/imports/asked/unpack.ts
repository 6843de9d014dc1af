import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../context.ts'
import { openArchive } from '../../deployments/archive/archive.ts'
import { NoExport, UNFINISHED } from '../files/manifest.ts'
import { READ } from './sources.ts'

interface Uploaded {
  readonly sha256: string
  readonly name: string
}

/** Awaited after each piece that was written; what it throws ends it. */
type Beat = () => Promise<void>

/**
 * Writes what was uploaded into a folder: the files of a ZIP file that may be read, wherever in it they stand, or the one
 * file by its name, whose path is answered. `ArchiveRefused` for a ZIP file that cannot be taken.
 */
export async function unpack(
  { storage }: Pick<Context, 'storage'>,
  { sha256, name }: Uploaded,
  folder: string,
  beat: Beat,
): Promise<string> {
  const path = join(folder, 'upload')
  const stored = await storage.read(sha256)
  if (!stored) throw new NoExport('The file that was uploaded is gone: upload it again.')
  try {
    await write(stored.chunks, path, beat)
  } finally {
    await stored.close()
  }
  if (/\.zip$/i.test(name)) await unpackAll(path, folder, beat)
  const alone = join(folder, basename(name))
  if (READ.test(name)) await rename(path, alone)
  return alone
}

/** Writes a file of methods of payment into a folder of its own, where no platform looks for its files; answers its path. */
export async function unpackMethods(
  ctx: Pick<Context, 'storage'>,
  uploaded: Uploaded,
  folder: string,
  beat: Beat,
): Promise<string> {
  const own = join(folder, 'payment-methods')
  await mkdir(own, { mode: 0o700 })
  return unpack(ctx, uploaded, own, beat)
}

async function unpackAll(path: string, folder: string, beat: Beat): Promise<void> {
  const archive = await openArchive(path)
  try {
    const names = new Set<string>()
    for (const entry of archive.entries) {
      const name = basename(entry.name)
      const isRead = (READ.test(name) && !name.startsWith('.')) || name === UNFINISHED
      if (entry.isFolder || !isRead) continue
      if (names.has(name)) throw new NoExport(`The file has two files in it that are called ${name}.`)
      names.add(name)
      await write(await archive.stream(entry), join(folder, name), beat)
    }
  } finally {
    archive.close()
  }
}

const write = (chunks: AsyncIterable<Uint8Array>, path: string, beat: Beat): Promise<void> =>
  pipeline(
    chunks,
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        await beat()
        // A chunk is good until the next is asked for.
        yield Buffer.from(chunk)
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  )
