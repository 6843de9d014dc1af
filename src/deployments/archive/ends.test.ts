import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipOf } from '../../../test/archives.ts'
import { endOf, exactZip, field, u16, u32, u64, type Part } from '../../../test/exact-archives.ts'
import { refused, taken } from '../../../test/opened-archives.ts'

const GOOD: Part = { name: 'a/good.php', content: '<?php good();' }
const EVIL: Part = { name: 'a/evil.php', content: '<?php evil();' }
const LIST = /another list of entries/
const NONE = /belong to no file/

test('S31: a record of ZIP64 and the last one that say the same are taken', async () => {
  assert.deepEqual(await taken(exactZip([GOOD], { isWide: true })), ['a/good.php'])
  const full = { 8: u32(0xffffffff), 12: u64(0xffffffffffffffffn) }
  assert.deepEqual(await taken(exactZip([GOOD], { isWide: true, end: full })), ['a/good.php'])
})

test('S31: a record of ZIP64 that names one list, and a last one that names another', async () => {
  const [good, evil] = [exactZip([GOOD]), exactZip([EVIL])]
  const [start, size] = [good.length - 22, good.readUInt32LE(good.length - 22 + 12)]
  const inner = Buffer.from(evil.subarray(0, -22))
  const list = inner.indexOf('504b0102', 'hex')
  u32(start).copy(inner, list + 42)
  const wide = exactZip([], {
    isWide: true,
    wideEnd: { 24: u64(1), 32: u64(1), 40: u64(size), 48: u64(start - size) },
  })
  u64(start + inner.length).copy(wide, 56 + 8)
  const end = endOf({ count: 1, length: inner.length - list, start: start + list })
  await refused(
    Buffer.concat([good.subarray(0, -22), inner, wide.subarray(0, 76), end]),
    /another list|no file/,
  )
})

test('S31: records that differ in any value, or stand elsewhere', async () => {
  const wide = (end: Record<number, Buffer>, wideEnd = {}) => exactZip([GOOD], { isWide: true, end, wideEnd })
  for (const [at, value] of Object.entries({
    4: u16(1),
    6: u16(1),
    8: u16(2),
    10: u16(0),
    12: u32(9),
    16: u32(0),
  }))
    await refused(wide({ [at]: value }), LIST)
  for (const at of [24, 32, 40, 48]) await refused(wide({}, { [at]: u64(0) }), LIST)
  await refused(wide({}, { 4: u64(45) }), LIST)
  await refused(wide({}, { 0: u32(0) }), LIST)
  await refused(wide({}, { 64: u64(0) }), LIST)
  await refused(wide({ 12: u64(0xffffffffffffffffn) }, { 48: u64(2n ** 64n - 100n) }), NONE)
  await refused(exactZip([GOOD], { end: { 8: u16(2) } }), /damaged/)
  await refused(exactZip([GOOD], { end: { 10: u16(2) } }), /damaged/)
})

test('S31: a place that no file has, of the record of ZIP64 or of a file', async () => {
  await refused(exactZip([GOOD], { isWide: true, wideEnd: { 64: u64(2n ** 64n - 1n) } }), LIST)
  const wide = exactZip([GOOD])
  const end = endOf({ count: 0xffff, length: 0xffffffff, start: 0xffffffff })
  const locator = Buffer.concat([Buffer.from('504b060700000000', 'hex'), u64(2n ** 64n - 1n), u32(1)])
  await refused(Buffer.concat([wide.subarray(0, -22), locator, end]), LIST)
  await refused(exactZip([{ ...GOOD, place: 0xffffffff }]), /damaged/)
})

test('S31: sizes and places of a file in the form for large ones, which PclZip does not know', async () => {
  const both = Buffer.concat([u64(13), u64(13)])
  const wide = { packedSize: 0xffffffff, size: 0xffffffff, extra: field(1, both) }
  await refused(exactZip([{ ...GOOD, central: wide }]), /form for more than 4 GB/)
  await refused(exactZip([{ ...GOOD, central: { extra: field(1, both) } }]), /form for more than 4 GB/)
  await refused(
    exactZip([{ ...GOOD, place: 0xffffffff, central: { extra: field(1, u64(2n ** 64n - 1n)) } }]),
    /form/,
  )
})

test('S31: bytes between the list and its end, and entries that are not counted', async () => {
  for (const length of [1, 76, 1_000])
    await refused(exactZip([GOOD], { between: Buffer.alloc(length) }), NONE)
  await refused(exactZip([GOOD, EVIL], { end: { 8: u16(1), 10: u16(1) } }), NONE)
  assert.equal((await taken(exactZip([GOOD], { comment: Buffer.alloc(1_024, 'c') }))).length, 1)
  await refused(exactZip([GOOD], { comment: Buffer.alloc(1_025, 'c') }), NONE)
  const listed = exactZip([GOOD])
  const list = listed.subarray(listed.indexOf('504b0102', 'hex'), -22)
  await refused(exactZip([GOOD], { between: list, end: { 12: u32(2 * list.length) } }), NONE)
})

test('S31: an archive in the comment, or in a file at the end, to which a reader could come first', async () => {
  await refused(exactZip([GOOD], { comment: exactZip([EVIL]) }), NONE)
  await refused(exactZip([GOOD], { comment: exactZip([GOOD]) }), NONE)
  const list = exactZip([EVIL]).subarray(30 + 10 + 13, -22)
  const at = 30 + 'a/good.php'.length + 30 + 'a/1.bin'.length
  const record = endOf({ count: 1, length: list.length, start: at + 13 })
  const files = [GOOD, { name: 'a/1.bin', content: Buffer.concat([list, record]) }]
  await refused(exactZip(files), LIST)
  await refused(exactZip(files, { comment: Buffer.from('0123456789') }), LIST)
  await refused(
    exactZip([GOOD, { name: 'a/1.bin', content: endOf({ count: 0, length: 0, start: 0 }) }]),
    LIST,
  )
  const full = { 8: u32(0xffffffff), 12: u64(0xffffffffffffffffn) }
  const withWide = (place: number | bigint) => {
    const wideEnd = { 64: u64(place) }
    return exactZip([GOOD, { name: 'a/1.bin', content: exactZip([], { isWide: true, end: full, wideEnd }) }])
  }
  await refused(withWide(at + 13), LIST)
  for (const place of [0, 2n ** 64n - 1n]) assert.equal((await taken(withWide(place))).length, 2)
})

test('S31: an archive as a file at the end leads no reader elsewhere, and is taken', async () => {
  const inner = await zipOf({ 'b/1.txt': '1'.repeat(50) })
  const files = [GOOD, { name: 'a/1.dat', content: inner }]
  for (const comment of [Buffer.alloc(0), Buffer.from('a comment')])
    assert.deepEqual(await taken(exactZip(files, { comment })), ['a/good.php', 'a/1.dat'])
})
