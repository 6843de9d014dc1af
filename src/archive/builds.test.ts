import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { zipOf } from '../../test/archives.ts'
import { openArchive } from './archive.ts'
import { buildOf } from './builds.ts'
import { withoutPremiumCode } from './premium-code.ts'

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
  if (!build) return null
  const bytes = await buffer(build.bytes)
  archive.close()
  const read = await open(bytes, 'built.zip')
  const texts: Record<string, string> = {}
  for (const entry of read.entries) texts[entry.name] = (await read.read(entry)).toString('latin1')
  read.close()
  return { texts, report: build.report, bytes }
}

const stripped = (text: string) => withoutPremiumCode(text).text

test('a block on a premium call is left out, what follows else stays', () => {
  const cases: [string, string][] = [
    ['<?php a(); if ( fs()->is__premium_only() ) { b(); { c(); } } d();', '<?php a();  d();'],
    ['<?php if ( my_fs()->is_plan__premium_only( "pro", true ) ) { b(); } else { c(); }', '<?php { c(); }'],
    [
      '<?php if (x__premium_only()) { b(); } elseif (y()) { c(); } else { d(); }',
      '<?php if (y()) { c(); } else { d(); }',
    ],
    ['<?php if (x__premium_only()) { b(); } else if (y()) { c(); }', '<?php if (y()) { c(); }'],
    [
      '<?php if (y()) { c(); } else if (x__premium_only()) { b(); } else { d(); }',
      '<?php if (y()) { c(); }  else { d(); }',
    ],
    ['<p><?php if (fs()->is__premium_only()) { ?><b>}</b><?php } ?></p>', '<p><?php  ?></p>'],
    ['<?php if (fs()->is__premium_only()): if (a): b(); endif; c(); endif; d();', '<?php  d();'],
    [
      '<?php class A { public function f__premium_only($x = array()) { return 1; } function g() {} }',
      '<?php class A {  function g() {} }',
    ],
  ]
  for (const [before, after] of cases) assert.equal(stripped(before), after)
})

test('a call in a text, a comment or HTML is no premium code, and braces there close nothing', () => {
  for (const same of [
    '<?php // if (is__premium_only()) { a(); }\n b();',
    '<?php $a = "if (is__premium_only()) { a(); }"; $b = \'if (is__premium_only()) {}\';',
    '<?php $a = <<<EOT\nif (is__premium_only()) {\n EOT;\n b();',
    'if (is__premium_only()) { a(); }<?php b();',
    '<?php if ( ! fs()->is__premium_only() ) { a(); }',
    '<?php if ( fs()->is__premium_only() || b() ) { a(); }',
  ]) {
    assert.equal(stripped(same), same)
  }
  const text = '<?php if (f__premium_only()) { a("}"); /* } */ // }\n $x = \'}\'; } b();'
  assert.equal(stripped(text), '<?php  b();')
})

test('code whose end cannot be found is refused rather than shipped', () => {
  assert.throws(() => stripped('<?php if (f__premium_only()) { a();'), /end cannot be found/)
  assert.throws(() => stripped('<?php if (f__premium_only()) a();'), /without braces/)
})

const FILES = {
  'example-premium/example.php':
    "<?php\n/**\n * Plugin Name: Example\n * Version: 1.0\n * @fs_premium_only /lib/pro.php, /pro/\n * @fs_ignore /vendor/\n */\nfs_dynamic_init( array(\n  'id' => '1',\n  'secret_key' => 'sk_abc',\n  'is_premium' => true,\n) );\nif ( fs()->is__premium_only() ) { pro(); }\n// fs_free_only_begin\nfree();\n// fs_free_only_end\n",
  'example-premium/readme.txt':
    '=== Example ===\nfs_premium_only_begin\nPro only.\nfs_premium_only_end\nFor all.\n',
  'example-premium/app.js': 'all();\n/* <fs_premium_only> */\npro();\n/* </fs_premium_only> */\nmore();\n',
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
  assert.equal(free.texts['example/app.js'], 'all();\n\nmore();\n')
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
