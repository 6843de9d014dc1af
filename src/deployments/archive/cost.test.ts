// Runs slowly.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../test/archives.ts'
import { exactZip } from '../../../test/exact-archives.ts'
import { refused, taken } from '../../../test/opened-archives.ts'
import { openArchive } from './archive.ts'
import { buildOf } from './builds.ts'
import { isIn } from './paths.ts'
import { parseReadme } from './readme.ts'
import { ArchiveRefused } from './safety.ts'
import { headerOf } from './wordpress.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keywright-cost-'))
})
after(() => rm(folder, { recursive: true }))

/** Seconds of processor time, some twenty times what is needed. */
const BOUND = 5

async function isCheap(name: string, work: () => unknown): Promise<void> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  assert.ok(seconds < BOUND, `${name}: ${seconds} s`)
}

async function build(name: string, content: string): Promise<void> {
  const path = join(folder, 'archive.zip')
  const main = '<?php\n/* Plugin Name: Example */'
  await writeFile(path, await zipOf({ 'example/example.php': main, [`example/${name}`]: content }))
  const archive = await openArchive(path)
  try {
    await buildOf(archive, 'free')
  } catch (error) {
    assert.ok(error instanceof ArchiveRefused, String(error))
  } finally {
    archive.close()
  }
}

const LENGTH = 2_000_000
const many = (text: string) => text.repeat(LENGTH / text.length)
const php = (text: string) => `<?php x__premium_only(); ${text}`

/** Each is one line, or is refused for how many parts it has. */
const FILES: readonly (readonly [string, string])[] = [
  ['letters.js', many('x')],
  ['marks.js', many('/* <fs_premium_only> */')],
  ['sections.js', `${'/* <fs_premium_only> */a/* </fs_premium_only> */'.repeat(9_000)}${many('x')}`],
  ['lines.js', many('fs_premium_only_begin\nfs_premium_only_end\n')],
  ['spaces.php', php(`function${many(' ')}`)],
  ['modifiers.php', php(many('static '))],
  ['modified.php', php(`${many('public ')} function y__premium_only() {}`)],
  ['blocks.php', php(many('if (x__premium_only()) {}'))],
  ['nested.php', php(`${'if('.repeat(400_000)}1${')'.repeat(400_000)}`)],
  ['conditions.php', php(`${'if(!'.repeat(300_000)}x__premium_only()${')'.repeat(300_000)}{}`)],
  ['text.php', php(`'${many(String.raw`\'`)}${'\\'}`)],
  ['heredoc.php', php(`<<<${many('x')}\n`)],
  ['comments.php', php(many('/*'))],
  ['keys.php', `<?php fs_dynamic_init(\n'secret_key' => 'x'${many(' ')}x`],
]

for (const [name, content] of FILES)
  test(`a file of two megabytes costs no more than its length: ${name}`, () =>
    isCheap(name, () => build(name, content)))

test('a readme and a header of one long line cost no more than its length', async () => {
  const spaces = ' '.repeat(500_000)
  await isCheap('section', () => parseReadme(`==${spaces}x`))
  await isCheap('title', () => parseReadme(`== FAQ ==\n=${spaces.slice(0, 90_000)}x`))
  await isCheap('notice', () => parseReadme(`== Upgrade Notice ==\n=${spaces.slice(0, 90_000)}x`))
  await isCheap('header', () => headerOf(`Requires PHP: 7${spaces}x`, 'Requires PHP'))
})

test('many names and many paths cost no more than the names', async () => {
  const paths = new Set(Array.from({ length: 2_000 }, (_, n) => `example/path-${n}/`))
  await isCheap('paths', () => {
    for (let n = 0; n < 200_000; n++) assert.ok(!isIn(`example/other/${n}.txt`, paths))
  })
})

test('headers that name more than 2,000 paths for one build are refused', async () => {
  const path = join(folder, 'paths.zip')
  const header = (from: number) =>
    `<?php\n/* Plugin Name: Example\n@fs_premium_only ${Array.from({ length: 1_001 }, (_, n) => `/${(n + from).toString(36)}`)} */`
  await writeFile(path, await zipOf({ 'example/a.php': header(0), 'example/b.php': header(1_100) }))
  const archive = await openArchive(path)
  await assert.rejects(buildOf(archive, 'free'), /more than 2000 paths/)
  archive.close()
})

const MIB = 1024 * 1024
/** Most of what a header can hold: fields of four bytes, with nothing in them. */
const FIELDS = Buffer.alloc(0xfffc, Buffer.from('fefe0000', 'hex'))

/** An archive with so many bytes of extra fields in the list of entries, and so many before its files. */
function withFields(listed: number, before: number): Buffer {
  const upTo = (bytes: number, n: number) => FIELDS.subarray(0, Math.max(0, bytes - n * FIELDS.length))
  const count = Math.ceil(Math.max(listed, before) / FIELDS.length)
  return exactZip(
    Array.from({ length: count }, (_, n) => ({
      name: `a/${n}.txt`,
      central: { extra: upTo(listed, n) },
      local: { extra: upTo(before, n) },
    })),
  )
}

test('extra fields of more than 4 MB are refused before those of the next file are read', async () => {
  const more = /more than 4 MB of extra fields/
  await isCheap('fields', async () => {
    await refused(withFields(7 * MIB, 7 * MIB), more)
    await refused(withFields(4 * MIB + 4, 0), more)
    await refused(withFields(0, 4 * MIB + 4), more)
    await refused(withFields(2 * MIB, 2 * MIB + 4), more)
    assert.ok((await taken(withFields(2 * MIB, 2 * MIB))).length > 30)
  })
})
