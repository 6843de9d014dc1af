import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { exactZip, field, u32, type Part } from '../../../test/exact-archives.ts'
import { refused, taken } from '../../../test/opened-archives.ts'

const UTF8 = 0x0800
const TWO = /two ways/

const named = (...names: readonly (string | Buffer | Part)[]) =>
  exactZip(
    names.map((name, index) => ({
      ...(typeof name === 'string' || Buffer.isBuffer(name) ? { name } : name),
      content: String(index),
    })),
  )
const bytes = (hex: string) => Buffer.concat([Buffer.from('a/'), Buffer.from(hex, 'hex')])

test('S31: what does not say that it is UTF-8 is that where its bytes are, and of an old code page otherwise', async () => {
  assert.deepEqual(await taken(named('a/é.php', 'a/日本.txt')), ['a/é.php', 'a/日本.txt'])
  assert.deepEqual(await taken(named(bytes('82'), bytes('8fe0a8'))), ['a/é', 'a/Åα¿'])
  assert.deepEqual(await taken(named('a/ä.txt', 'a/å.txt')), ['a/ä.txt', 'a/å.txt'])
  assert.deepEqual(await taken(named({ name: 'a/é.php', flags: UTF8 }, 'a/è.php')), ['a/é.php', 'a/è.php'])
})

test('S31: two files of one name to a reader of either kind', async () => {
  const one = /one name/
  await refused(named({ name: 'a/é.php', flags: UTF8 }, 'a/é.php'), one)
  await refused(named('a/É.php', { name: 'a/é.php', flags: UTF8 }), one)
  await refused(named('a/é.php', { name: 'a/├⌐.php', flags: UTF8 }), one)
  await refused(named('a/é.php', 'a/├⌐.php'), one)
  await refused(named({ name: 'a/é', flags: UTF8 }, bytes('82')), one)
  await refused(named('a/é', { name: 'a/├⌐/b', flags: UTF8 }), one)
})

test('S31: names that only one kind of reader shows as another, or that have control characters to it', async () => {
  await refused(named('a/logo\u202Egpj.php'), /shown as another one/)
  await refused(named('a/logo\u009b31m.php'), /leads elsewhere/)
  for (const hex of ['01', '0aff', '1bff', '7fff']) await refused(named(bytes(hex)), /leads elsewhere/)
  await refused(named({ name: Buffer.from('a/\xff', 'latin1'), flags: UTF8 }), /leads elsewhere/)
})

test('S31: a name that is UTF-8 by one of its flags only', async () => {
  await refused(named({ name: 'a/é.php', flags: UTF8, local: { flags: 0 } }), TWO)
  await refused(named({ name: 'a/é.php', local: { flags: UTF8 } }), TWO)
  assert.deepEqual(await taken(named({ name: 'a/e.php', local: { flags: UTF8 } })), ['a/e.php'])
})

test('S31: another name in the field for Unicode is one that was looked at', async () => {
  const path = (name: string) =>
    field(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32('a/é')), Buffer.from(name)]))
  for (const extra of [path('a/é'), path('a/├⌐')])
    assert.equal((await taken(named({ name: 'a/é', extra }))).length, 1)
  await refused(named({ name: 'a/é', extra: path('a/è') }), /two names/)
})
