import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { OF_OTHERS } from '../../../test/archives-of-others.ts'
import { descriptor, exactZip, field, type Part } from '../../../test/exact-archives.ts'
import { opened, taken } from '../../../test/opened-archives.ts'

const AFTER = 0x0008

for (const [tool, zip] of Object.entries(OF_OTHERS))
  test(tool, async () => {
    const archive = await opened(Buffer.from(zip, 'base64'))
    const files = archive.entries.filter(({ isFolder }) => !isFolder)
    assert.deepEqual(files.map(({ name }) => name).toSorted(), ['a/empty', 'a/z.bin', 'a/ä.txt', 'a/å.txt'])
    const contents = await Promise.all(files.map((one) => archive.read(one)))
    archive.close()
    assert.deepEqual(contents.map(({ length }) => length).toSorted(), [0, 2, 2, 300])
  })

test('the Archive Utility of macOS: described after the file but for its packed size, names in parts', async () => {
  const name = 'a/e\u0301.txt'
  const content = Buffer.from('hello')
  const { length } = deflateRawSync(content)
  const times = field(0x5855, Buffer.alloc(12))
  const folder = (name: string): Part => ({
    name,
    madeBy: 0x0315,
    attributes: 0o040755 * 0x10000,
    extra: times,
  })
  const file = (name: string): Part => ({
    name,
    content,
    isPacked: true,
    flags: AFTER,
    local: { crc: 0, packedSize: length, size: 0, extra: times },
    after: descriptor(crc32(content), length, 5),
    madeBy: 0x0315,
    attributes: 0o100644 * 0x10000,
  })
  const zip = exactZip([folder('a/'), file(name), folder('__MACOSX/'), file(`__MACOSX/a/._e\u0301.txt`)])
  assert.deepEqual(await taken(zip), ['a/', name, '__MACOSX/', `__MACOSX/a/._e\u0301.txt`])
})

test('the Explorer of Windows: names of its code page, without a word of it', async () => {
  const file = (hex: string): Part => ({
    name: Buffer.concat([Buffer.from('a/'), Buffer.from(hex, 'hex')]),
    content: 'hello'.repeat(20),
    isPacked: true,
    madeBy: 0x0014,
    attributes: 0x20,
  })
  // Of Western Europe, of Russia and of Japan.
  for (const hex of ['6672 8174e9'.replace(' ', ''), '8fe0a8a2a5e2', '93fa967b']) {
    const names = await taken(exactZip([file('31'), file(hex)]))
    assert.equal(names.length, 2)
  }
})
