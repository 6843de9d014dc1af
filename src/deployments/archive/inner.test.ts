import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { zipOf } from '../../../test/archives.ts'
import { exactZip, u16 } from '../../../test/exact-archives.ts'
import { refused, taken } from '../../../test/opened-archives.ts'
import { InnerSearch } from './inner.ts'

const AGAIN = /packed more than 4 times smaller once more/
const STUB = 'MZ This program unpacks itself.\r\n'

const inFile = (content: Buffer, name = 'a/setup.exe') => zipOf({ [name]: content })
const behind = (stub: string | Buffer, archive: Buffer) =>
  Buffer.concat([Buffer.from(stub as string), archive])
/** Packs a hundred times. */
const lean = (start: string) => Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(200_000)])

/** An archive of a file that stays as it is, and so packs once more. */
const stored = () => zipOf({ 'b/zeros': Buffer.alloc(200_000) }, { compress: false })

describe('S31: an archive in the archive that packs once more is refused behind other bytes too', () => {
  test('a ZIP file behind a program of any length', async () => {
    const inner = await stored()
    for (const length of [1, 3, 29, 30, 100, 70_000])
      await refused(inFile(behind(Buffer.alloc(length, STUB), inner)), AGAIN)
  })

  test('with more bytes after it, and under any name', async () => {
    const inner = behind(STUB, Buffer.concat([await stored(), Buffer.alloc(100_000)]))
    for (const name of ['a/logo.png', 'a/page.php', 'a/b', 'a/disk.tar'])
      await refused(inFile(inner, name), AGAIN)
  })

  test('a ZIP file of which only the list of entries, or only the file, says how it is packed', async () => {
    const part = { name: 'b', content: Buffer.alloc(200_000) }
    await refused(inFile(behind(STUB, exactZip([{ ...part, local: { method: 0xffff } }]))), AGAIN)
    await refused(inFile(behind(STUB, exactZip([{ ...part, central: { method: 0xffff } }]))), AGAIN)
  })

  const others = {
    gzip: gzipSync(Buffer.alloc(5)).subarray(0, 4).toString('hex'),
    bzip2: '425a6839314159265359',
    'bzip2 of nothing': '425a683917724538509000000000',
    xz: 'fd377a585a00',
    '7z': '377abcaf271c',
    'the older RAR': '526172211a0700',
    RAR: '526172211a070100',
    Zstandard: zstdCompressSync(Buffer.alloc(5)).subarray(0, 4).toString('hex'),
  }
  for (const [format, start] of Object.entries(others))
    test(`${format} behind a program`, () => refused(inFile(behind(STUB, lean(start))), AGAIN))

  test('one that is read in pieces, wherever these end', async () => {
    const list = (await stored()).subarray(200_000)
    const from = list.indexOf('504b0102', 'hex')
    const starts = [
      (await stored()).subarray(0, 30),
      list.subarray(from, from + 30),
      ...Object.values(others).map(lean),
    ]
    for (const start of starts) {
      const bytes = behind(STUB, start)
      for (let length = 1; length < STUB.length + 30; length++) {
        const search = new InnerSearch({ fileName: 'a/1', uncompressedSize: 1_000, compressedSize: 1 })
        for (const chunk of [bytes.subarray(0, length), bytes.subarray(length)]) search.add(chunk)
        assert.equal(search.sign, 'has the beginning of one in it')
      }
    }
  })

  test('many small ones, each of them behind a program', async () => {
    const small = behind(STUB, await zipOf({ b: Buffer.alloc(4_000) }, { compress: false }))
    await refused(
      zipOf(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a/${n}.exe`, small]))),
      AGAIN,
    )
  })
})

test('whoever packed an archive into the archive is told which file it is, and why', async () => {
  const archive = gzipSync(Buffer.from('small'))
  const files = {
    'a/größe.zip': [Buffer.alloc(200_000), 'is named like one'],
    'a/logo.png': [Buffer.concat([archive, Buffer.alloc(200_000)]), 'begins like one'],
    'a/disk.tar': [
      behind(STUB, Buffer.concat([archive, Buffer.alloc(200_000)])),
      'has the beginning of one in it',
    ],
  } as const
  for (const [name, [content, sign]] of Object.entries(files)) {
    const reason = `has an archive in it that is packed more than 4 times smaller once more: ${name}, which ${sign}; pack it tighter or leave it out`
    await refused(
      zipOf({ 'a/1.gz': archive, [name]: content, 'a/2.zip': archive }),
      new RegExp(`^${reason}$`),
    )
    await refused(exactZip([{ name, content, isPacked: true }]), new RegExp(`: ${name}, `))
  }
  const small = Object.fromEntries(['1', '2', '3'].map((name) => [`a/${name}.zip`, Buffer.alloc(4_000)]))
  await refused(
    zipOf(small),
    /^has archives in it that together are packed more than 4 times smaller once more: the last is a\/3\.zip, which is named like one; pack them tighter or leave some out$/,
  )
})

test('a program that unpacks itself is taken where its archive is packed', async () => {
  const inner = await zipOf({ 'b/text.txt': 'text '.repeat(50_000), 'b/noise': randomBytes(20_000) })
  const program = behind(randomBytes(20_000), inner)
  assert.deepEqual(await taken(await inFile(program)), ['a/setup.exe'])
})

test('code and data that name the signatures of archives are taken, however they pack', async () => {
  const signs = 'PK\x03\x04 PK\x01\x02 PK\x05\x06 \x1f\x8b\x08 BZh91 7z\xbc\xaf Rar! \xfd7zXZ (\xb5/'
  const code = `e.LOCAL="PK\x03\x04",e.CENTRAL="PK\x01\x02",e.END="PK\x05\x06",e.GZIP="\x1f\x8b\x08",e.PACKED="${signs}";`
  const constants = Buffer.concat([
    Buffer.from('PK\x03\x04\0\0PK\x01\x02\0\0', 'latin1'),
    Buffer.alloc(200_000),
  ])
  const files = {
    'a/zip.min.js': code.repeat(2_000),
    'a/zip.php': Buffer.from(code.repeat(2_000), 'latin1'),
    'a/constants.bin': behind(STUB, constants),
  }
  assert.equal((await taken(await zipOf(files))).length, 3)
})

test('a file full of what begins like an archive costs no more than its length', () => {
  const sizes = { fileName: 'a/1.bin', uncompressedSize: 1e9, compressedSize: 1e6 }
  for (const filler of [
    Buffer.from('PK\x03\x04'),
    Buffer.from('1f8bff', 'hex'),
    Buffer.from('BZh91AY&S'),
    u16(0),
  ]) {
    const search = new InnerSearch(sizes)
    search.add(Buffer.from(STUB))
    const chunk = Buffer.alloc(16_384, filler)
    const before = process.cpuUsage()
    for (let read = 0; read < 64 * 1024 * 1024; read += chunk.length) search.add(chunk)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 5e6, `${filler.toString('hex')}: ${user + system} µs`)
    assert.equal(search.sign, null)
  }
})
