import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { zipOf } from '../../../test/archives.ts'
import { field, u32 } from '../../../test/exact-archives.ts'
import { CENTRAL, changed, changedBoth, END, HOSTILE, renamed } from '../../../test/hostile-archives.ts'
import { opened, refused } from '../../../test/opened-archives.ts'
import { openArchive } from './archive.ts'
import { LIMITS } from './safety.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keywright-archive-'))
})
after(() => rm(folder, { recursive: true }))

/** A field that gives a file another name, for readers that take it. */
const unicodePath = (name: string, raw: string): Buffer =>
  field(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32(raw)), Buffer.from(name)]))

/** An archive of one file, with a field added to the list of entries or to what stands before the file. */
function withField(zip: Buffer, field: Buffer, place: 'list' | 'file'): Buffer {
  const copy = Buffer.from(zip)
  const start = place === 'list' ? copy.indexOf(CENTRAL) : 0
  const [lengths, head] = place === 'list' ? [start + 28, 46] : [26, 30]
  const at = start + head + copy.readUInt16LE(lengths) + copy.readUInt16LE(lengths + 2)
  copy.writeUInt16LE(copy.readUInt16LE(lengths + 2) + field.length, lengths + 2)
  const grown = copy.indexOf(END) + (place === 'list' ? 12 : 16)
  copy.writeUInt32LE(copy.readUInt32LE(grown) + field.length, grown)
  return Buffer.concat([copy.subarray(0, at), field, copy.subarray(at)])
}

/** An archive of one file, packed so that its first byte comes alone, after blocks of nothing that fill a read. */
async function slowZip(content: Buffer): Promise<Buffer> {
  const nothing = Buffer.alloc(13_106 * 5, Buffer.from('000000ffff', 'hex'))
  const one = Buffer.concat([Buffer.from('000100feff', 'hex'), content.subarray(0, 1)])
  const packed = Buffer.concat([nothing, one, deflateRawSync(content.subarray(1))])
  const zip = await zipOf({ 'a/logo.png': packed }, { compress: false })
  const deflated = changedBoth(zip, 10, Buffer.from([8, 0]))
  return changedBoth(changedBoth(deflated, 16, u32(crc32(content))), 24, u32(content.length))
}

test('an archive is read by the names, sizes and bytes of its files', async () => {
  const archive = await opened(await zipOf({ 'a/': '', 'a/b.txt': 'hello', 'a/c.txt': 'x'.repeat(10_000) }))
  assert.deepEqual(
    archive.entries.map(({ name, size, isFolder }) => [name, size, isFolder]),
    [
      ['a/', 0, true],
      ['a/b.txt', 5, false],
      ['a/c.txt', 10_000, false],
    ],
  )
  const [, b, c] = archive.entries
  assert.ok(b && c)
  assert.equal((await archive.read(b)).toString(), 'hello')
  assert.equal((await archive.read(c, 10)).toString(), 'x'.repeat(10))
  archive.close()
})

describe('S31: what is refused before anything of it is used', () => {
  test('what is no ZIP file, is cut off, or has none in front', async () => {
    const zip = await zipOf({ 'a/b.txt': 'hello' })
    await refused(Buffer.alloc(0), /damaged, or no ZIP/)
    await refused(zip.subarray(0, -8), /damaged, or no ZIP/)
    await refused(zipOf({}), /no files/)
    const moved = Buffer.concat([Buffer.from('#!/bin/sh\n'), zip])
    const shifted = changed(moved, 42, u32(10))
    shifted.writeUInt32LE(moved.indexOf(CENTRAL), moved.indexOf(END) + 16)
    await refused(shifted, /does not begin/)
  })

  test('names that lead out of the archive, in either way of writing them', async () => {
    const zip = await zipOf({ 'aa/bb/c.txt': 'hello' })
    for (const name of [
      '../bb/c.txt',
      '/a/bb/c.txt',
      'aa\\bb\\c.tx',
      'C:/bb/c.txt',
      'aa/../c.txt',
      'aa/./bc.txt',
      'aa//bbc.txt',
      'aa/b\0/c.txt',
      'aa/b\n/c.txt',
      'aa/b\x01/c.txt',
      'aa/b\x7f/c.txt',
    ]) {
      const other = name.padEnd('aa/bb/c.txt'.length, 't')
      await refused(renamed(zip, 'aa/bb/c.txt', other), /leads elsewhere/)
    }
    await refused(renamed(zip, 'aa/bb/c.txt', 'aa/bb/d.txt', true), /two names/)
  })

  test('names that lead out where dots and blanks at the end of one are left out', async () => {
    const zip = await zipOf({ 'aa/bbbb/c.txt': 'hello' })
    for (const name of ['aa/.. ./c.txt', 'aa/..../c.txt', 'aa/    /c.txt', 'aa/bbbb/.. ..'])
      await refused(renamed(zip, 'aa/bbbb/c.txt', name), /leads elsewhere/)
  })

  test('another name in the field for Unicode, wherever it is', async () => {
    const inner = 'aa/../../c.txt'
    const zip = await zipOf({ 'aa/bb/ccc.txt': 'hello' })
    const led = renamed(zip, 'aa/bb/ccc.txt', '../../ccc.txt')
    await refused(withField(led, unicodePath('aa/bb/ccc.txt', '../../ccc.txt'), 'list'), /leads elsewhere/)
    for (const place of ['list', 'file'] as const) {
      await refused(
        withField(zip, unicodePath(inner, 'aa/bb/ccc.txt'), place),
        /two names|leads elsewhere|damaged/,
      )
      await refused(withField(zip, unicodePath('aa/bb/ddd.txt', 'aa/bb/ccc.txt'), place), /two names/)
      const same = withField(zip, unicodePath('aa/bb/ccc.txt', 'aa/bb/ccc.txt'), place)
      const archive = await opened(same)
      assert.equal(archive.entries[0]?.name, 'aa/bb/ccc.txt')
      archive.close()
    }
  })

  test('devices', async () => {
    await refused(zipOf({ 'a/pipe': '' }, { mode: 0o010644 }), /links or devices/)
  })

  test('links that a field makes of a file, wherever it is', async () => {
    const zip = await zipOf({ 'a/1.txt': '/etc/passwd' })
    const ofMode = field(0x756e, Buffer.concat([u32(0), Buffer.from('ffa10b000000', 'hex'), u32(0)]))
    const ofOwner = Buffer.alloc(12)
    const ofLink = field(0x000d, Buffer.concat([ofOwner, Buffer.from('/etc/passwd')]))
    for (const place of ['list', 'file'] as const) {
      await refused(withField(zip, ofMode, place), /links or devices/)
      await refused(withField(zip, ofLink, place), /links or devices/)
      const taken = await opened(withField(zip, field(0x000d, ofOwner), place))
      assert.equal(taken.entries.length, 1)
      taken.close()
    }
  })

  test('files that are a folder or the label of a disk by their type', async () => {
    const zip = await zipOf({ 'a/1.txt': '1' })
    for (const type of [0o040755 << 16, (0o100644 << 16) | 0x10, 0x10, 0x08]) {
      await refused(changed(zip, 38, u32(type >>> 0)), /take for a folder/)
    }
  })

  test('names that are shown in another direction than they are read', async () => {
    await refused(zipOf({ 'a/logo\u202Egpj.php': '1' }), /shown as another one/)
    const taken = await opened(await zipOf({ 'a/עברית.txt': '1', 'a/日本語.txt': '2' }))
    assert.equal(taken.entries.length, 2)
    taken.close()
  })

  test('names that are one on some systems, and a file where a folder is', async () => {
    await refused(zipOf({ 'a/ä.txt': '1', 'a/a\u0308.txt': '2' }), /one name/)
    await refused(zipOf({ 'a/ς.txt': '1', 'a/Σ.txt': '2' }), /one name/)
    await refused(zipOf({ 'a/ß.txt': '1', 'a/ẞ.txt': '2' }), /one name/)
    await refused(zipOf({ 'A/x.txt': '1', a: '2' }), /one name/)
    await refused(zipOf({ a: '2', 'A/x.txt': '1' }), /one name/)
    await refused(renamed(await zipOf({ 'a/bb': '1' }), 'a/bb', 'a/b/'), /folder with content/)
    await refused(renamed(await zipOf({ 'a/1.txt': '1', 'a/2.txt': '2' }), 'a/2.txt', 'a/1.txt'), /one name/)
  })

  test('sizes and sums that are not what is said', async () => {
    const zip = await zipOf({ 'a/1.txt': 'x'.repeat(500), 'a/2.txt': 'y'.repeat(500) })
    await refused(changedBoth(zip, 24, u32(20)), /damaged/)
    await refused(changedBoth(zip, 24, u32(600)), /damaged/)
    await refused(changedBoth(zip, 16, u32(1)), /checksum/)
    await refused(changed(zip, 10, Buffer.from([12, 0])), /not known/)
    await refused(changed(zip, 8, Buffer.from([1, 0])), /encrypted/)
  })

  test('too many entries, folders too deep, names too long, a list of entries that is too long', async () => {
    const zip = await zipOf({ 'a/1.txt': '1' })
    const many = Buffer.from(zip)
    many.writeUInt16LE(65_000, many.indexOf(END) + 8)
    many.writeUInt16LE(65_000, many.indexOf(END) + 10)
    await refused(many, /more than 20000 entries/)
    await refused(zipOf({ [`${'a/'.repeat(40)}b`]: '1' }), /deep/)
    await refused(zipOf({ [`a/${'b'.repeat(600)}`]: '1' }), /too long/)
    const path = join(folder, 'list.zip')
    await writeFile(
      path,
      await zipOf(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a/${at}`, '']))),
    )
    await assert.rejects(openArchive(path, { ...LIMITS, directory: 1_000 }), /list of entries/)
    await assert.rejects(openArchive(path, { ...LIMITS, entries: 49 }), /more than 49 entries/)
  })

  for (const [name, [archive, reason]] of Object.entries(HOSTILE))
    test(name, async () => refused(await archive(), reason))

  test('too many bytes of files, and archives that are packed again, whatever they are called', async () => {
    const path = join(folder, 'bomb.zip')
    await writeFile(path, await zipOf({ 'a/1': Buffer.alloc(600), 'a/2': Buffer.alloc(600) }))
    await assert.rejects(openArchive(path, { ...LIMITS, total: 1_000 }), /MB of files/)
    for (const start of ['504b0304', '1f8b08', '425a68', 'fd377a58', '377abcaf', '52617221', '28b52ffd']) {
      const unnamed = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(200_000)])
      await refused(zipOf({ 'a/logo.png': unnamed }), /4 times smaller once more/)
    }
    const slow = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(900_000)])
    await refused(slowZip(slow), /4 times smaller once more/)
    const harmless = await opened(await slowZip(Buffer.alloc(900_000)))
    harmless.close()
    const small = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a/${n}.zip`, Buffer.alloc(4_000)]))
    await refused(zipOf(small), /4 times smaller once more/)
    const picture = Buffer.concat([Buffer.from('89504e47', 'hex'), Buffer.alloc(200_000)])
    const archive = await opened(await zipOf({ 'a/logo.png': picture, 'a/small.zip': Buffer.alloc(900) }))
    archive.close()
  })

  test('entries that only other readers would see', async () => {
    const zip = await zipOf({ 'a/1.txt': '1', 'a/2.txt': '2'.repeat(10) })
    const filler = Buffer.alloc(3_000, CENTRAL)
    const end = zip.indexOf(END)
    await refused(Buffer.concat([zip.subarray(0, end), filler, zip.subarray(end)]), /belong to no file/)
    const hidden = await zipOf({ 'a/evil.php': 'evil' })
    const [start, more] = [zip.indexOf(CENTRAL), hidden.subarray(0, hidden.indexOf(CENTRAL))]
    const gap = Buffer.concat([zip.subarray(0, start), more, zip.subarray(start)])
    gap.writeUInt32LE(start + more.length, gap.indexOf(END) + 16)
    await refused(gap, /belong to no file/)
  })
})
