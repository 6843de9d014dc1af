// Runs on sqlite.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../src/cli/commands.ts'
import { examplesOf } from '../src/cli/examples.ts'
import { wordsOf } from './command-words.ts'
import type { Place } from './command-line.ts'
import { openDemoPlace } from './demo-place.ts'

/**
 * What goes on until it is stopped, asks, wants a gateway or another server, or an empty place: each has tests of its
 * own, and help.test.ts looks whether its examples are taken.
 */
const ELSEWHERE = new Set([
  'serve',
  'worker',
  'bootstrap',
  'demo',
  'import server',
  'charges found',
  'charges missing',
  'password',
  'deploy',
  'listen',
  'restore',
])

/** Its examples by the name of each command that runs a server. */
async function examples(): Promise<[called: string, lines: readonly string[]][]> {
  const found: [string, readonly string[]][] = []
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    if ((command.section ?? 'server') !== 'server') continue
    const all = 'commands' in command ? Object.entries(command.commands) : [[null, command] as const]
    for (const [word, one] of all) {
      const called = word === null ? name : `${name} ${word}`
      found.push([called, examplesOf(called, one)])
    }
  }
  return found.filter(([called]) => !ELSEWHERE.has(called))
}

/** What the number behind the name of a command is the id of. */
async function idFor(place: Place, called: string): Promise<string> {
  const ofWebhook = ['webhook', 'add', '--product', '1', '--url', 'https://shop.example.com/hook']
  if (called.startsWith('webhook ')) return (await place.ask(ofWebhook)).id
  if (called === 'token revoke')
    return (await place.ask(['token', 'create', '--account', '1', '--name', 'old'])).id
  return '1'
}

/** Where the folder or file of an example stands. */
function pathFor(place: Place, called: string): string {
  if (called === 'import files') return join(place.folder, 'export')
  const [, platform] = called.split('import ')
  if (platform !== undefined) return join(import.meta.dirname, 'imports/platforms', platform)
  return join(place.folder, called.replaceAll(' ', '-'))
}

test('every example of a command that runs a server is done where what it names is there', async (t) => {
  const place = await openDemoPlace(t, 'server_examples')
  await place.ask(['migrate'])
  const { email: user } = await place.database.reader
    .selectFrom('users')
    .select('email')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const { email: person } = await place.database.reader
    .selectFrom('developers')
    .select('email')
    .executeTakeFirstOrThrow()
  const refused: string[] = []
  for (const [called, lines] of await examples()) {
    for (const line of lines) {
      const id = await idFor(place, called)
      const words = wordsOf(line)
        .slice(1)
        .map((word, n, all) => {
          if (word.startsWith('./')) return pathFor(place, called)
          if (word === 'ada@example.com') return called.startsWith('user ') ? user : person
          return word === '7' ? (all[n - 1]?.startsWith('--') ? '1' : id) : word
        })
      // An import of bad rows says so in its report, and ends with 1.
      const { code, stderr } = await place.run(words)
      if (code === 2 || stderr !== '') refused.push(`${line} [${words.join(' ')}]: ${stderr.split('\n')[0]}`)
    }
  }
  assert.deepEqual(refused, [])
})
