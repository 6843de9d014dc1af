import assert from 'node:assert/strict'
import { glob, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { Cli } from '../src/cli/cli.ts'
import { commands } from '../src/cli/commands.ts'

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

/** Each command that does something, as it is typed, with its options. */
async function commandLines(): Promise<Map<string, readonly string[]>> {
  const program = new Command()
  const cli = new Cli([], {})
  for (const load of Object.values(commands)) (await load()).register(program, cli)
  const leaves = (command: Command, before: string): (readonly [string, readonly string[]])[] => {
    const name = `${before} ${command.name()}`.trim()
    if (command.commands.length > 0) return command.commands.flatMap((one) => leaves(one, name))
    return [[name, command.options.flatMap(({ long }) => (long ? [long] : []))]]
  }
  return new Map(program.commands.flatMap((command) => leaves(command, '')))
}

/**
 * The commands of the table in the README, each with the options named there. What follows a command of two words
 * leaves out the first one, and what are only options belongs to the command before.
 */
async function tableOfReadme(): Promise<Map<string, readonly string[]>> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const [, section = ''] = /\n## Commands\n([^]*?)\n## /.exec(text) ?? []
  const found = new Map<string, readonly string[]>()
  for (const [, cell = '', meaning = ''] of section.matchAll(/^\| (`.*?) \| (.*) \|$/gm)) {
    let last = ''
    const add = (span: string) => void found.set(last, [...(found.get(last) ?? []), ...optionsIn(span)])
    for (const span of spansIn(cell)) {
      last = commandIn(span, last)
      add(span)
    }
    spansIn(meaning)
      .filter((span) => span.startsWith('--'))
      .forEach(add)
  }
  return found
}

const spansIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)

function commandIn(span: string, before: string): string {
  const words = span.split(' ').filter((word) => /^[a-z]/.test(word))
  const [first] = words
  if (first === undefined) return before
  return Object.hasOwn(commands, first) ? words.join(' ') : `${before.split(' ')[0]} ${first}`
}

const optionsIn = (span: string) => span.split(' ').filter((word) => word.startsWith('--'))

test('the table of commands in the README has every command, and no option that there is not', async () => {
  const [there, told] = [await commandLines(), await tableOfReadme()]
  assert.deepEqual([...told.keys()].toSorted(), [...there.keys()].toSorted())
  for (const [name, options] of told) {
    for (const option of options) assert.ok(there.get(name)?.includes(option), `${name} ${option}`)
  }
})
