import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import type { RawFile } from './archive.ts'
import { progress } from './progress.ts'

const deflate = promisify(deflateRaw)

/** A file of an archive that is written: bytes, or what another archive has already packed. */
export type Written = { readonly name: string; readonly mode: number } & (
  { readonly bytes: Buffer } | { readonly raw: RawFile }
)

/** 1 January 1980, so that the same files are the same archive. */
const DATE = 0x21
const UTF8 = 0x0800
const UNIX = 3 << 8
const VERSION = 20
const STORED = 0
const DEFLATED = 8

interface Packed {
  readonly name: Buffer
  readonly mode: number
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly offset: number
}

/** The bytes of a ZIP file, which are always the same for the same files; below 4 GB, in the order that is given. */
export async function* zipBytes(files: AsyncIterable<Written>): AsyncGenerator<Buffer, void, undefined> {
  const written: Packed[] = []
  let offset = 0
  for await (const file of files) {
    const { content, ...facts } = 'raw' in file ? ofRaw(file.raw) : await ofBytes(file.bytes)
    const packed = { ...facts, name: Buffer.from(file.name), mode: file.mode, offset }
    written.push(packed)
    const head = localHeader(packed)
    offset += head.length + packed.packedSize
    yield head
    for await (const chunk of content) {
      progress()
      yield chunk as Buffer
    }
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield endRecord(written.length, directory.length, offset)
}

/** Packed beside the requests. */
async function ofBytes(bytes: Buffer) {
  const deflated = await deflate(bytes, { level: 9 })
  const isSmaller = deflated.length < bytes.length
  return {
    method: isSmaller ? DEFLATED : STORED,
    crc: crc32(bytes),
    packedSize: isSmaller ? deflated.length : bytes.length,
    size: bytes.length,
    content: [isSmaller ? deflated : bytes],
  }
}

const ofRaw = ({ method, crc, packedSize, size, stream }: RawFile) => ({
  method,
  crc,
  packedSize,
  size,
  content: stream,
})

/** What stands in both places of a file's facts, from the version that is needed to the length of its name. */
function commonFacts({ method, crc, packedSize, size, name }: Packed): Buffer {
  const facts = Buffer.alloc(24)
  facts.writeUInt16LE(VERSION, 0)
  facts.writeUInt16LE(UTF8, 2)
  facts.writeUInt16LE(method, 4)
  facts.writeUInt16LE(DATE, 8)
  facts.writeUInt32LE(crc, 10)
  facts.writeUInt32LE(packedSize, 14)
  facts.writeUInt32LE(size, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}

const localHeader = (packed: Packed): Buffer =>
  Buffer.concat([Buffer.from('504b0304', 'hex'), commonFacts(packed), Buffer.alloc(2), packed.name])

function directoryEntry(packed: Packed): Buffer {
  const head = Buffer.from('504b01020000', 'hex')
  head.writeUInt16LE(VERSION | UNIX, 4)
  const rest = Buffer.alloc(16)
  const isFolder = packed.name.at(-1) === 0x2f
  const mode = isFolder ? 0o040755 : 0o100000 | (packed.mode & 0o111 ? 0o755 : 0o644)
  rest.writeUInt32LE(((mode << 16) | (isFolder ? 0x10 : 0)) >>> 0, 8)
  rest.writeUInt32LE(packed.offset, 12)
  return Buffer.concat([head, commonFacts(packed), rest, packed.name])
}

function endRecord(count: number, length: number, offset: number): Buffer {
  const end = Buffer.from('504b0506'.padEnd(44, '0'), 'hex')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
