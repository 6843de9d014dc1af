import { crc32, deflateRawSync } from 'node:zlib'

/** What stands in both places that describe a file. */
interface Header {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly extra: Buffer
}

/** A file of an archive; one place may say other things of it than the other. */
export interface Part extends Partial<Header> {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  readonly isPacked?: boolean
  /** Instead of what is packed or stored of the content. */
  readonly packed?: Buffer
  readonly local?: Partial<Header>
  readonly central?: Partial<Header>
  readonly centralName?: string | Buffer
  /** After its bytes. */
  readonly after?: Buffer
  /** That of its header. */
  readonly place?: number
  readonly madeBy?: number
  readonly attributes?: number
}

interface Options {
  readonly comment?: Buffer
  /** Between the list of entries and what ends it. */
  readonly between?: Buffer
  /** With the records of ZIP64. */
  readonly isWide?: boolean
  /** Written over the last record, from its place on. */
  readonly end?: Readonly<Record<number, Buffer>>
  /** Written over the record of ZIP64 and the locator after it. */
  readonly wideEnd?: Readonly<Record<number, Buffer>>
}

export const u16 = (value: number): Buffer => number(value, 2)
export const u32 = (value: number): Buffer => number(value, 4)

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function number(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntLE(value, 0, length)
  return bytes
}

/** A field of a header. */
export const field = (id: number, content: Buffer): Buffer =>
  Buffer.concat([u16(id), u16(content.length), content])

/** An archive, byte for byte: nothing is written that is not told, and all that is. */
export function exactZip(parts: readonly Part[], options: Options = {}): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const { known, packed } = packedOf(part)
    const local = { ...known, ...part.local }
    const name = Buffer.from(part.name as string)
    const file = Buffer.concat([
      Buffer.from('504b03041400', 'hex'),
      facts(local, name),
      name,
      local.extra,
      packed,
      part.after ?? Buffer.alloc(0),
    ])
    files.push(file)
    list.push(listed(part, { ...known, ...part.central }, part.place ?? offset))
    offset += file.length
  }
  const directory = Buffer.concat(list)
  const body = Buffer.concat([...files, directory, options.between ?? Buffer.alloc(0)])
  return Buffer.concat([
    body,
    ending({ count: parts.length, length: directory.length, start: offset }, body, options),
  ])
}

function packedOf(part: Part) {
  const { content = '', isPacked = false, ...own } = part
  const bytes = Buffer.from(content as string)
  const packed = part.packed ?? (isPacked ? deflateRawSync(bytes) : bytes)
  const known = {
    flags: own.flags ?? 0,
    method: own.method ?? (isPacked ? 8 : 0),
    crc: own.crc ?? crc32(bytes),
    packedSize: own.packedSize ?? packed.length,
    size: own.size ?? bytes.length,
    extra: own.extra ?? Buffer.alloc(0),
  }
  return { known, packed }
}

const facts = ({ flags, method, crc, packedSize, size, extra }: Header, name: Buffer) =>
  Buffer.concat([
    u16(flags),
    u16(method),
    u32(0x21_0000),
    u32(crc),
    u32(packedSize),
    u32(size),
    u16(name.length),
    u16(extra.length),
  ])

function listed(part: Part, header: Header, place: number): Buffer {
  const name = Buffer.from((part.centralName ?? part.name) as string)
  return Buffer.concat([
    Buffer.from('504b0102', 'hex'),
    u16(part.madeBy ?? 0x0314),
    u16(20),
    facts(header, name),
    Buffer.alloc(6),
    u32(part.attributes ?? 0),
    u32(place),
    name,
    header.extra,
  ])
}

interface List {
  readonly count: number
  readonly length: number
  readonly start: number
}

/** The record that ends an archive, as it says where its list is. */
export const endOf = ({ count, length, start }: List): Buffer =>
  Buffer.concat([
    Buffer.from('504b050600000000', 'hex'),
    u16(count),
    u16(count),
    u32(length),
    u32(start),
    u16(0),
  ])

function ending(
  list: List,
  body: Buffer,
  { comment = Buffer.alloc(0), isWide = false, end, wideEnd }: Options,
) {
  const last = over(endOf(list), { ...end, 20: u16(comment.length) })
  return Buffer.concat([
    isWide ? over(wideEndOf(list, body.length), wideEnd) : Buffer.alloc(0),
    last,
    comment,
  ])
}

const wideEndOf = ({ count, length, start }: List, at: number) =>
  Buffer.concat([
    Buffer.from('504b0606', 'hex'),
    u64(44),
    u32(0x2d_002d),
    Buffer.alloc(8),
    ...[count, count, length, start].map(u64),
    Buffer.from('504b0607', 'hex'),
    u32(0),
    u64(at),
    u32(1),
  ])

function over(bytes: Buffer, changes: Readonly<Record<number, Buffer>> = {}): Buffer {
  for (const [at, value] of Object.entries(changes)) value.copy(bytes, Number(at))
  return bytes
}

/** What stands after a file that is described after it. */
export const descriptor = (
  crc: number,
  packedSize: number,
  size: number,
  { isSigned = true, isWide = false } = {},
) =>
  Buffer.concat([
    Buffer.from(isSigned ? '504b0708' : '', 'hex'),
    u32(crc),
    ...[packedSize, size].map(isWide ? u64 : u32),
  ])
