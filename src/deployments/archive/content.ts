import type { Entry, ZipFile } from 'yauzl'
import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { chunkCollector } from '../../lib/collect-garbage.ts'
import { noZip } from './ends.ts'
import { InnerSearch, PackedCheck } from './inner.ts'
import { progress } from './progress.ts'
import { ArchiveRefused } from './safety.ts'

/**
 * Reads the files of an archive to their ends, one after the other, each by the name that is shown: ArchiveRefused for
 * one that has other bytes than are declared, or that ends before its packed bytes do.
 */
export function contentCheck(zip: ZipFile): (entry: Entry, name: string) => Promise<void> {
  const collect = chunkCollector()
  const packed = new PackedCheck()
  return async (entry, name) => {
    let sum = 0
    const search = new InnerSearch(entry)
    for await (const chunk of unpacked(
      await zip.openReadStreamPromise(entry, { decodeFileData: false }),
      entry,
    )) {
      search.add(chunk)
      sum = crc32(chunk, sum)
      collect(chunk.length)
      progress()
    }
    if (search.sign !== null) packed.add(entry, `${name}, which ${search.sign}`)
    if (sum !== entry.crc32) throw new ArchiveRefused('has a file whose checksum is wrong')
  }
}

/** The library refuses fewer packed bytes than are declared, and stored ones that are not as many as unpacked ones. */
async function* unpacked(raw: Readable, { compressionMethod, compressedSize, uncompressedSize }: Entry) {
  if (compressionMethod === 0) {
    yield* raw as AsyncIterable<Buffer>
    return
  }
  const inflate = createInflateRaw()
  // What goes wrong in it is thrown where it is read.
  pipeline(raw, inflate, () => {})
  let size = 0
  for await (const chunk of inflate as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > uncompressedSize) throw noZip()
    yield chunk
  }
  if (size !== uncompressedSize) throw noZip()
  if (inflate.bytesWritten !== compressedSize)
    throw new ArchiveRefused('has a file that ends before its packed bytes do')
}
