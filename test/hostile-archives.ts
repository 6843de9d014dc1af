import { zipOf } from './archives.ts'
import { u32 } from './exact-archives.ts'

/** The archive with every occurrence of a name in it replaced by one of the same length. */
export function renamed(bytes: Buffer, from: string, to: string, onlyFirst = false): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(from); at !== -1; at = onlyFirst ? -1 : copy.indexOf(from, at + 1))
    copy.write(to, at)
  return copy
}

export const CENTRAL = Buffer.from('504b0102', 'hex')
export const END = Buffer.from('504b0506', 'hex')

/** With bytes changed in the list of entries, at an offset from the beginning of an entry. */
export function changed(bytes: Buffer, offset: number, value: Buffer, entry = 0): Buffer {
  const copy = Buffer.from(bytes)
  let at = copy.indexOf(CENTRAL)
  for (let skipped = 0; skipped < entry; skipped++) at = copy.indexOf(CENTRAL, at + 1)
  value.copy(copy, at + offset)
  return copy
}

/** As the one above, and before the file itself. */
export function changedBoth(bytes: Buffer, offset: number, value: Buffer): Buffer {
  const copy = changed(bytes, offset, value)
  value.copy(copy, copy.readUInt32LE(copy.indexOf(CENTRAL) + 42) + offset - 2)
  return copy
}

/** With another list of entries, and the end record of large archives (ZIP64) that tells its length. */
function withDirectory(zip: Buffer, directory: Buffer, entries: number): Buffer {
  const start = zip.indexOf(CENTRAL)
  const end = Buffer.alloc(56)
  end.write('504b0606', 'hex')
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(entries), at)
  end.writeBigUInt64LE(BigInt(directory.length), 40)
  end.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('504b0607', 'hex')
  locator.writeBigUInt64LE(BigInt(start + directory.length), 8)
  locator.writeUInt32LE(1, 16)
  const last = Buffer.alloc(22, 0xff)
  last.write('504b050600000000', 'hex')
  last.writeUInt16LE(0, 20)
  return Buffer.concat([zip.subarray(0, start), directory, end, locator, last])
}

/** Two megabytes of PHP that pack into some kilobytes: brackets in brackets, which cannot be followed. */
export const nestedPhp = () => `<?php ${'if(!'.repeat(400_000)}x__premium_only()${')'.repeat(400_000)}{}`

/** Four megabytes, nearly the most that is read, with as many conditions as fit before the one that is premium. */
export const longPhp = () => `<?php ${'if(y){if(z){}}'.repeat(290_000)} y__premium_only();`

type Archives = Buffer | Promise<Buffer>

const small = () => zipOf({ 'a/1.txt': '1' })
const entryIn = (zip: Buffer) => zip.subarray(zip.indexOf(CENTRAL), zip.indexOf(END))
const named = async (name: string) => renamed(await zipOf({ 'aa/bb.txt': '1' }), 'aa/bb.txt', name)

/** An archive of one small file with a list of a million entries, which says of itself how many they are. */
async function millionZip(told: number): Promise<Buffer> {
  const zip = await small()
  const entry = entryIn(zip)
  return withDirectory(zip, Buffer.alloc(1_000_000 * entry.length, entry), told)
}

/** Few entries with long comments: a list of tens of megabytes. */
async function longListZip(): Promise<Buffer> {
  const zip = await small()
  const comment = Buffer.alloc(65_535, 'c')
  const commented = Buffer.concat([entryIn(zip), comment])
  commented.writeUInt16LE(comment.length, 32)
  return withDirectory(zip, Buffer.alloc(500 * commented.length, commented), 500)
}

/** Two files, the bytes of the second of which are in the first one. */
async function overlapZip(): Promise<Buffer> {
  const inner = await zipOf({ 'a/2.txt': 'hello' }, { compress: false })
  const quoted = inner.subarray(0, inner.indexOf(CENTRAL))
  const outer = await zipOf({ 'a/1.txt': quoted, 'a/2.txt': 'hello' }, { compress: false })
  return changed(outer, 42, u32(outer.indexOf(quoted)), 1)
}

/** A file that goes on into the list of entries. */
async function directoryIntoZip(): Promise<Buffer> {
  const zip = await zipOf({ 'a/2.txt': 'hello' }, { compress: false })
  const longer = u32(zip.readUInt32LE(zip.indexOf(CENTRAL) + 20) + 30)
  return changedBoth(changedBoth(zip, 20, longer), 24, longer)
}

/** As 42.zip is made: sixteen archives in each of sixteen, and so on, the innermost ones of zeros. */
async function bombZip(layers: number): Promise<Buffer> {
  let layer = await zipOf({ '0.dll': Buffer.alloc(11 * 1024 * 1024) })
  for (let depth = 0; depth < layers; depth++) {
    const inner = layer
    layer = await zipOf(
      Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`lib ${at.toString(16)}.zip`, inner])),
    )
  }
  return layer
}

/** One of each kind that `docs/security-checks.md` S31 names, with the reason it is refused for. */
export const HOSTILE: Readonly<Record<string, readonly [() => Archives, RegExp]>> = {
  'a bomb in layers': [() => bombZip(4), /4 times smaller once more/],
  'a bomb': [() => bombZip(0), /100 times/],
  'files that overlap': [overlapZip, /share their bytes/],
  'a file in the list of entries': [directoryIntoZip, /list of entries/],
  'a name that leads out': [() => named('../bb.txt'), /leads elsewhere|damaged/],
  'an absolute name': [() => named('/aa/b.txt'), /leads elsewhere|damaged/],
  'a link': [() => zipOf({ 'a/link': '/etc/passwd' }, { mode: 0o120777 }), /links or devices/],
  'a million entries': [() => millionZip(1_000_000), /more than 20000 entries/],
  'a million entries that are not told': [() => millionZip(1), /list of entries|belong to no file/],
  'a huge list of entries': [longListZip, /list of entries/],
  'names that differ by case': [() => zipOf({ 'a/Readme.txt': '1', 'a/README.txt': '2' }), /one name/],
  'another kind of file': [() => Buffer.from('%PDF-1.7 and so on'), /no ZIP file/],
}
