import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { descriptor, exactZip, field, u32, u64, type Part } from '../../../test/exact-archives.ts'
import { refused, taken } from '../../../test/opened-archives.ts'

const GOOD: Part = { name: 'a/good.php', content: '<?php good();' }
const EVIL: Part = { name: 'a/evil.php', content: '<?php evil();' }
const AFTER = 0x0008
const TWO = /two ways/
const NONE = /belong to no file/

const content = 'x'.repeat(500)
const packed: Part = { name: 'a/x.php', content, isPacked: true }
const crc = crc32(content)
const { length } = deflateRawSync(Buffer.from(content))

test('S31: method, flags, sum and sizes that are others before the file than in the list', async () => {
  assert.deepEqual(await taken(exactZip([packed])), ['a/x.php'])
  for (const local of [
    { method: 0 },
    { method: 0, size: length },
    { flags: 0x0001 },
    { flags: 0x0040 },
    { flags: 0x2000 },
    { crc: 1 },
    { crc: 0 },
    { packedSize: 1 },
    { packedSize: 0 },
    { size: 1 },
    { size: 0 },
    { packedSize: 0xffffffff, size: 0xffffffff },
    { extra: field(1, u64(500)) },
    { extra: field(1, Buffer.concat([u64(500), u64(1)])) },
    { extra: field(1, Buffer.concat([u64(1), u64(length)])) },
  ])
    await refused(exactZip([{ ...packed, local }]), TWO)
  const both = field(1, Buffer.concat([u64(500), u64(length)]))
  await refused(exactZip([{ ...packed, local: { extra: Buffer.concat([both, both]) } }]), TWO)
  for (const local of [{ extra: both }, { extra: both, packedSize: 0xffffffff, size: 0xffffffff }])
    assert.deepEqual(await taken(exactZip([{ ...packed, local }])), ['a/x.php'])
})

test('S31: a description that is itself encrypted', async () => {
  await refused(exactZip([{ ...packed, flags: 0x2000 }]), /encrypted/)
  await refused(exactZip([{ ...packed, central: { flags: 0x2000 } }]), /encrypted/)
})

test('S31: a file in a file, for readers of a stream', async () => {
  const hidden = exactZip([EVIL]).subarray(0, 30 + 10 + 13)
  const front = Buffer.from('just text')
  const stored: Part = { name: 'a/t.txt', content: Buffer.concat([front, hidden]) }
  assert.deepEqual(await taken(exactZip([stored])), ['a/t.txt'])
  const shorter = { crc: crc32(front), packedSize: front.length, size: front.length }
  await refused(exactZip([{ ...stored, local: shorter }]), TWO)
  const begun = deflateRawSync(Buffer.from(content))
  const known = { ...packed, packed: Buffer.concat([begun, hidden]) }
  await refused(exactZip([known]), /ends before its packed bytes/)
  const described = Buffer.concat([begun, descriptor(crc, length, 500), hidden])
  const after = descriptor(crc, described.length, 500)
  const local = { crc: 0, packedSize: 0, size: 0 }
  await refused(
    exactZip([{ ...packed, flags: AFTER, packed: described, local, after }]),
    /ends before its packed bytes/,
  )
})

test('S31: zeros before a file that is described after it, in each way of writing that', async () => {
  for (const local of [
    { crc: 0, packedSize: 0, size: 0 },
    { crc: 0, packedSize: 0 },
    { crc: 0, size: 0 },
    {},
    { crc: 0, packedSize: 0xffffffff, size: 0xffffffff, extra: field(1, Buffer.alloc(16)) },
  ])
    for (const form of [{}, { isSigned: false }, { isWide: true }, { isSigned: false, isWide: true }]) {
      const part = { ...packed, flags: AFTER, local, after: descriptor(crc, length, 500, form) }
      assert.deepEqual(await taken(exactZip([part, GOOD])), ['a/x.php', 'a/good.php'])
      assert.deepEqual(await taken(exactZip([GOOD, part])), ['a/good.php', 'a/x.php'])
    }
  const empty = { name: 'a/empty', flags: AFTER }
  assert.deepEqual(await taken(exactZip([empty, GOOD])), ['a/empty', 'a/good.php'])
})

test('S31: other values after a file, none, or some where there are none to be', async () => {
  const local = { crc: 0, packedSize: 0, size: 0 }
  const part = { ...packed, flags: AFTER, local }
  for (const after of [
    descriptor(1, length, 500),
    descriptor(crc, 1, 500),
    descriptor(crc, length, 1),
    descriptor(crc, length, 1, { isWide: true }),
    Buffer.concat([u32(0), descriptor(crc, length, 500, { isSigned: false })]),
    Buffer.alloc(0),
  ])
    for (const files of [
      [{ ...part, after }, GOOD],
      [GOOD, { ...part, after }],
    ])
      await refused(exactZip(files), TWO)
  for (const size of [1, 11, 13, 25]) await refused(exactZip([{ ...part, after: Buffer.alloc(size) }]), NONE)
  await refused(exactZip([{ ...packed, after: descriptor(crc, length, 500) }, GOOD]), NONE)
  await refused(exactZip([{ ...packed, flags: AFTER, local: { ...local, size: 1 } }]), TWO)
  await refused(
    exactZip([{ ...part, local: { flags: 0, ...local }, after: descriptor(crc, length, 500) }]),
    TWO,
  )
})
