import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../test/archives.ts'
import { openArchive } from './archive.ts'
import { buildOf } from './builds.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keywright-builds-'))
})
after(() => rm(folder, { recursive: true }))

async function open(bytes: Buffer, name = 'archive.zip') {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return openArchive(path)
}

/** The files of a build by their names, with its report and bytes. */
async function built(files: Readonly<Record<string, string | Buffer>>, kind: 'free' | 'premium') {
  const archive = await open(await zipOf(files))
  const build = await buildOf(archive, kind)
  if (!build.bytes) return null
  const bytes = await buffer(build.bytes)
  archive.close()
  const read = await open(bytes, 'built.zip')
  const texts: Record<string, string> = {}
  for (const entry of read.entries) texts[entry.name] = (await read.read(entry)).toString('latin1')
  read.close()
  return { texts, report: build.report, bytes }
}

const FILES = {
  'example-premium/example.php':
    "<?php\n/**\n * Plugin Name: Example\n * Version: 1.0\n * @fs_premium_only /lib/pro.php, /pro/\n * @fs_ignore /vendor/\n */\nfs_dynamic_init( array(\n  'id' => '1',\n  'secret_key' => 'sk_abc',\n  'is_premium' => true,\n) );\nif ( fs()->is__premium_only() ) { pro(); }\n// fs_free_only_begin\nfree();\n// fs_free_only_end\n",
  'example-premium/readme.txt':
    '=== Example ===\nfs_premium_only_begin\nPro only.\nfs_premium_only_end\nFor all.\n',
  'example-premium/app.js':
    'all();\n/* <fs_premium_only> */\npro();\n/* </fs_premium_only> */\nmore();\n//<fs_premium_only>\r\npro();\n  // </fs_premium_only>\nlast();\n',
  'example-premium/lib/pro.php': '<?php pro();',
  'example-premium/lib/all.php': '<?php all();',
  'example-premium/pro/a.php': '<?php pro();',
  'example-premium/img__premium_only.png': 'png',
  'example-premium/deep__premium_only/b.txt': 'pro',
  'example-premium/vendor/v.php': '<?php if (is__premium_only()) { kept(); }',
  'example-premium/data.bin': Buffer.from([0, 255, 1, 254]),
}

test('the free build has no premium files, headers, sections, code and no secret key, in the folder of the free one', async () => {
  const free = await built(FILES, 'free')
  assert.ok(free)
  assert.deepEqual(Object.keys(free.texts).toSorted(), [
    'example/app.js',
    'example/data.bin',
    'example/example.php',
    'example/lib/all.php',
    'example/readme.txt',
    'example/vendor/v.php',
  ])
  const main = free.texts['example/example.php'] ?? ''
  for (const gone of ['sk_abc', 'secret_key', 'pro()', '@fs_premium_only', "'is_premium' => true"])
    assert.ok(!main.includes(gone), gone)
  assert.ok(main.includes('free();') && main.includes("'is_premium' => false"))
  assert.equal(free.texts['example/readme.txt'], '=== Example ===\nFor all.\n')
  assert.equal(free.texts['example/app.js'], 'all();\n\nmore();\n\nlast();\n')
  assert.equal(free.texts['example/vendor/v.php'], '<?php if (is__premium_only()) { kept(); }')
  assert.equal(free.texts['example/data.bin'], '\0\xff\x01\xfe')
  assert.deepEqual(free.report.files, [
    'example-premium/lib/pro.php',
    'example-premium/pro/a.php',
    'example-premium/img__premium_only.png',
    'example-premium/deep__premium_only/b.txt',
  ])
  assert.deepEqual(
    free.report.parts.map(({ file, part }) => [file.split('/')[1], part]),
    [
      ['example.php', 'block'],
      ['readme.txt', 'section'],
      ['app.js', 'section'],
      ['app.js', 'section'],
    ],
  )
})

test('the premium build has everything but the secret key and what is for the free one', async () => {
  const premium = await built(FILES, 'premium')
  const main = premium?.texts['example-premium/example.php'] ?? ''
  assert.ok(main.includes('pro();') && main.includes("'is_premium' => true"))
  assert.ok(!main.includes('sk_abc') && !main.includes('free();'))
  assert.equal(Object.keys(premium?.texts ?? {}).length, Object.keys(FILES).length)
})

test('a build of the same upload is the same, byte for byte; of what has nothing to leave out it is the upload', async () => {
  const hashOf = async () =>
    createHash('sha256')
      .update((await built(FILES, 'free'))?.bytes ?? '')
      .digest('hex')
  const hashes = [await hashOf(), await hashOf()]
  assert.equal(hashes[0], hashes[1])
  const plain = { 'example/example.php': '<?php\n/* Plugin Name: Example */', 'example/a.txt': 'a' }
  assert.equal(await built(plain, 'premium'), null)
  assert.equal(await built(plain, 'free'), null)
})

const PLUGIN = '<?php\n/* Plugin Name: Example */\n'
const BLOCK = '<?php if (fs()->is__premium_only()) { pro(); } all();'

test('PHP is cut whatever the case of its ending, and in .inc files; the report tells which calls are kept', async () => {
  const files = { 'example/a.inc': BLOCK, 'example/b.PHP': BLOCK, 'example/c.phtml': BLOCK }
  const free = await built({ 'example/example.php': PLUGIN, ...files }, 'free')
  for (const name of Object.keys(files)) assert.equal(free?.texts[name], '<?php  all();', name)
  const archive = await open(
    await zipOf({ 'example/example.php': `${PLUGIN}if (fs()->is__premium_only() || a()) {}` }),
  )
  const { bytes, report } = await buildOf(archive, 'free')
  archive.close()
  assert.equal(bytes, null)
  assert.deepEqual(report.parts, [{ file: 'example/example.php', part: 'kept', line: 3 }])
})

test('marks are found in every text, whatever its ending, and names whatever their case; paths need no slash at their end', async () => {
  const marked = 'all\n# fs_premium_only_begin\npro\n# fs_premium_only_end\nmore\n'
  const main = `<?php\n/**\n * Plugin Name: Example\n * @fs_premium_only /Pro, lib/one.php, /two/ */\n`
  const free = await built(
    {
      'example/example.php': main,
      'example/a.vue': marked,
      'example/config': marked,
      'example/b.bin': Buffer.from(`\0${marked}`),
      'example/Thing__Premium_Only.php': 'pro',
      'example/Dir__PREMIUM_ONLY/a.txt': 'pro',
      'example/pro/a.php': 'pro',
      'example/prose.txt': 'all',
      'example/lib/one.php': 'pro',
      'example/Two/b.txt': 'pro',
    },
    'free',
  )
  assert.deepEqual(Object.keys(free?.texts ?? {}).toSorted(), [
    'example/a.vue',
    'example/b.bin',
    'example/config',
    'example/example.php',
    'example/prose.txt',
  ])
  for (const name of ['example/a.vue', 'example/config']) assert.equal(free?.texts[name], 'all\nmore\n')
})

test('the report tells the line of the upload in which each part began, in order', async () => {
  const text = `${PLUGIN}// fs_premium_only_begin
pro();
// fs_premium_only_end
if (fs()->is__premium_only()) { pro(); }
a(b__premium_only());
// fs_premium_only_begin
pro();
// fs_premium_only_end
function c__premium_only() {}
`
  const free = await built({ 'example/example.php': text }, 'free')
  assert.deepEqual(
    free?.report.parts.map(({ part, line }) => [part, line]),
    [
      ['section', 3],
      ['block', 6],
      ['kept', 7],
      ['section', 8],
      ['function', 11],
    ],
  )
})

test('the secret key goes whatever the case of the function it is given to', async () => {
  const main = `${PLUGIN}FS_Dynamic_Init(['id' => '1', 'secret_key' => 'sk_abc', 'is_premium' => true]);`
  for (const kind of ['free', 'premium'] as const) {
    const text = (await built({ 'example/example.php': main }, kind))?.texts['example/example.php']
    assert.ok(text?.includes("'id' => '1'") && !text.includes('sk_abc'), kind)
  }
})

test('a mark without the other one, and one in a file that is too long to be cut, is refused', async () => {
  const long = `${'x'.repeat(4 * 1024 * 1024)}`
  for (const [text, reason] of [
    ['all();\n// fs_premium_only_begin\npro();', /without the other/],
    ['all();\n// fs_premium_only_end\npro();', /without the other/],
    ['/* <fs_premium_only> */ pro();', /without the other/],
    ["'<fs_premium_only>';\npro();\n// </fs_premium_only>", /not in a comment/],
    ['// <fs_premium_only> pro();\n// </fs_premium_only>', /not in a comment/],
    [`/* <fs_premium_only> */ pro();/* </fs_premium_only> */${long}`, /more than 4 MB/],
    [`${long}// fs_premium_only_begin`, /more than 4 MB/],
    ['/* <fs_premium_only> */ pro();/* </fs_premium_only> */'.repeat(10_001), /more than 10000 parts/],
  ] as const) {
    const archive = await open(
      await zipOf({ 'example/example.php': PLUGIN, 'example/a.js': text }, { compress: false }),
    )
    await assert.rejects(buildOf(archive, 'free'), reason)
    await assert.rejects(buildOf(archive, 'free'), /: example\/a\.js$|10000 parts/)
    archive.close()
  }
})

test('the SDK stays as it is, and what a system packed beside the folder is in no build', async () => {
  const sdk = {
    'example/fs/start.php': "<?php $this_sdk_version = '2.13.4';",
    'example/fs/a.php': '<?php abstract class A { function is__premium_only() { return true; } }',
  }
  const files = { 'example/example.php': PLUGIN, ...sdk }
  assert.equal(await built(files, 'free'), null)
  const mac = { '__MACOSX/example/._example.php': 'x', '.DS_Store': 'x', ...files }
  for (const kind of ['free', 'premium'] as const)
    assert.deepEqual(Object.keys((await built(mac, kind))?.texts ?? {}), Object.keys(files))
})
