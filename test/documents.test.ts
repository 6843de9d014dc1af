import assert from 'node:assert/strict'
import { glob, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { commands } from '../src/cli/commands.ts'
import { commandTable, fromDocs } from '../tools/commands.ts'

const root = join(import.meta.dirname, '..')
const ELSEWHERE = /^([a-z]+:|#)/

const documents = (await Array.fromAsync(glob('{*,docs/**/*}.md', { cwd: root }))).toSorted()

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

test('the documents of the folder and of docs/ are looked at', () => {
  for (const name of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md']) {
    assert.ok(documents.includes(name), name)
  }
  assert.ok(documents.some((name) => name.startsWith('docs')))
})

for (const name of documents) {
  test(`every relative link, document and file of docs/ that ${name} names is there`, async () => {
    const text = await readFile(join(root, name), 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const linked = links
      .filter((target) => !ELSEWHERE.test(target))
      .map((target) => join(root, dirname(name), target.split('#')[0] ?? ''))
    const named = [...text.matchAll(/`(docs\/[\w./-]+)`/g)].map(([, path = '']) => join(root, path))
    const missing: string[] = []
    for (const path of [...linked, ...named]) {
      if (!(await isThere(path))) missing.push(relative(root, path))
    }
    for (const [, cited = ''] of text.matchAll(/`([\w./-]+\.md)`/g)) {
      if (!documents.includes(cited)) missing.push(cited)
    }
    assert.deepEqual(missing, [])
  })
}

test('the tables of commands are what the commands say, and name no option that there is not', async () => {
  const documents = ['README.md', 'docs/command-line.md']
  const [readme = '', all = ''] = await Promise.all(
    documents.map((path) => readFile(join(root, path), 'utf8')),
  )
  const [own, nouns] = await Promise.all([commandTable(['server', 'client']), commandTable(['noun'])])
  assert.ok(readme.includes(`\n${own}\n`), 'npm run commands')
  assert.ok(all.includes(`\n${fromDocs(nouns)}\n`), 'npm run commands')
  const table = own + nouns
  for (const name of Object.keys(commands)) assert.match(table, new RegExp(`^\\| \`${name}[ \`]`, 'm'))
  for (const [line, written = '', words = ''] of own.matchAll(/^\| `(.*?)` \| (.*) \|$/gm))
    for (const [option] of words.matchAll(/--[a-z-]+/g)) assert.ok(written.includes(option), line)
})
