import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openClient, terminalOf } from '../../test/client.ts'
import { wordsOf } from '../../test/command-words.ts'
import { createTestFolder } from '../../test/folder.ts'
import { operations } from '../app.ts'
import { Cli } from './cli.ts'
import { nouns } from './client/nouns.ts'
import type { Command, Group } from './command.ts'
import { commands } from './commands.ts'
import { examplesOf } from './examples.ts'
import { run } from './program.ts'

const ESCAPE = '\u001b'

type Named = readonly [called: string, command: Command]

/** The commands of a name by the words that call them. */
const commandsOf = (name: string, command: Command | Group): Named[] =>
  'commands' in command
    ? Object.entries(command.commands).map(([word, one]) => [`${name} ${word}`, one])
    : [[name, command]]

/** The same, which notes that it was called in the place of what it does. */
function noting(command: Command | Group, note: (called: string) => void, name: string): Command | Group {
  if (!('commands' in command)) return { ...command, run: async () => note(name) }
  const all = Object.entries(command.commands)
  return {
    ...command,
    commands: Object.fromEntries(
      all.map(([word, one]) => [word, { ...one, run: async () => note(`${name} ${word}`) }]),
    ),
  }
}

interface Called {
  readonly name: string
  readonly command: Command | Group
  readonly called: string
}

/** What is said against an example; empty: it calls its command. */
async function refusalOf(line: string, { name, command, called }: Called): Promise<string> {
  const seen: string[] = []
  const said: string[] = []
  const cli = new Cli(
    [],
    {},
    {
      log: () => {},
      error: (text) => void said.push(String(text)),
      stdout: new PassThrough(),
    },
  )
  const noted = noting(command, (words) => void seen.push(words), name)
  await run({ [name]: async () => ({ command: noted }) }, wordsOf(line).slice(1), cli)
  return seen[0] === called ? '' : `${line}: ${said.join('')}`
}

test('the help of every command has examples, each a command line that it takes', async () => {
  const wrong: string[] = []
  let count = 0
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    for (const [called, one] of commandsOf(name, command)) {
      const lines = examplesOf(called, one)
      assert.ok(lines.length > 0, called)
      count += lines.length
      const ended = await Promise.all(lines.map((line) => refusalOf(line, { name, command, called })))
      wrong.push(...ended.filter((said) => said !== ''))
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(count > 300)
})

test('the help of all, and that of each group, has examples, which its commands take', async () => {
  const client = await openClient('help_of_groups')
  const linesOf = async (...line: string[]) => {
    const { stdout } = await client.run([...line, '--help'])
    const [, told = ''] = stdout.split('\nExamples:\n')
    return told.split('\n').flatMap((one) => (one.startsWith('  keywright ') ? [one.trim()] : []))
  }
  const known = new Set<string>()
  const groups: [string, readonly string[]][] = []
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    for (const [called, one] of commandsOf(name, command))
      for (const line of examplesOf(called, one)) known.add(line)
    if ('commands' in command) groups.push([name, await linesOf(name)])
  }
  assert.ok(groups.length > 20)
  for (const [name, lines] of [...groups, ['all', await linesOf()] as const]) {
    assert.ok(lines.length > 0, name)
    for (const line of lines) assert.ok(known.has(line) || line.endsWith(' --help'), `${name}: ${line}`)
  }
})

test('help is coloured at a terminal alone, marks what is required, and shows an example', async () => {
  const client = await openClient('help')
  const plain = await client.run(['license', 'activate', '--help'])
  assert.match(plain.stdout, /--uid <text> [^-]*\(required\)/)
  assert.match(plain.stdout, /\nExamples:\n {2}keywright license activate --uid \w{32} --license-key sk_key/)
  assert.ok(!plain.stdout.includes(ESCAPE))
  const coloured = await client.run(['license', 'activate', '--help'], { stdout: terminalOf() })
  assert.ok(coloured.stdout.includes(`${ESCAPE}[1mUsage:${ESCAPE}`))
  const env = { NO_COLOR: '1' }
  assert.ok(!(await client.run(['--help'], { stdout: terminalOf(), env })).stdout.includes(ESCAPE))
  const red = await client.run(['license', 'activate'], { terminal: terminalOf() })
  const [first = ''] = red.stderr.split("', ")
  assert.equal(first, `${ESCAPE}[31mError:${ESCAPE}[39m required options '--uid <text>`)
  assert.deepEqual(await client.run(['help', 'plan']), await client.run(['plan', '--help']))
})

test('a verb without its noun is told the commands that it is of', async () => {
  const client = await openClient('verb_alone')
  const { code, stderr } = await client.run(['issue', '7', '9'])
  assert.deepEqual(
    [code, stderr.split(' (')[0]],
    [2, `Error: unknown command 'issue': there is "keywright license issue"`],
  )
  assert.match((await client.run(['find'])).stderr, /there is "keywright license find", .* and others/)
})

test('what must be given is marked in help as the one of several that it is, and named where it is missing', async () => {
  const client = await openClient('needs')
  const said = async (...line: string[]) => (await client.run(line)).stdout.replaceAll(/\s+/g, ' ')
  const plan = await said('plan', 'create', '--help')
  assert.match(plan, /--title <text> [^-]*\(required, or --name\)/)
  assert.match(plan, /--name <text> .*\(required, or --title\) --title/)
  const customer = await said('customer', 'create', '--help')
  assert.match(customer, /--name <text> .*\(required, or --first and --last\) --first/)
  assert.match(customer, /--last <text> [^-]*\(required, or --name\)/)
  const { code, stderr } = await client.run(['coupon', 'create', '--code', 'HALF'])
  assert.deepEqual(
    [code, stderr.trim().split(' (')[0]],
    [2, "Error: required options '--discount <number>', '--discount-type <text>' not specified"],
  )
  const none = await client.run(['sandbox', 'advance', '--json'])
  const { error } = JSON.parse(none.stderr)
  assert.deepEqual([none.code, error.code], [2, 'usage'])
  assert.match(error.message, /required option '--duration <text>' or '--target <time>' not specified/)
})

test('a command or option that is nearly right is named', async () => {
  const client = await openClient('nearly')
  for (const [line, meant] of [
    [['licence', 'find'], 'license'],
    [['license', 'fnid'], 'find'],
    [['license', 'find', '--fliter', 'active'], '--filter'],
    [['figure'], 'figures'],
  ] as const) {
    const { code, stderr } = await client.run(line)
    assert.equal(code, 2)
    assert.ok(stderr.includes(`Did you mean ${meant}?`), stderr)
    assert.equal(stderr.trim().split('\n').length, 1)
  }
})

/** What no token calls, is the same as another one, or is for a page that a buyer looks at. */
const WITHOUT_COMMAND = [
  'developers/log-in',
  'keywright/activate-license',
  'keywright/ask-for-portal-link',
  'keywright/contact-support',
  'keywright/deactivate-license',
  'keywright/download-receipt-of-checkout',
  'keywright/locate-buyer',
  'keywright/log-in-user',
  'keywright/ping',
  'keywright/resend-key-of-checkout',
  'keywright/retrieve-token',
  'keywright/send-password-link',
  'keywright/sign-in',
  'plans/update-by-post',
]

test('every operation that a token may call is a command', () => {
  const named = Object.values(nouns).flatMap(({ verbs = {}, itself = [] }) => [
    ...Object.values(verbs),
    itself,
  ])
  const ids = new Set(named.flatMap((verb) => (typeof verb === 'object' && 'of' in verb ? verb.of : verb)))
  const isForToken = ({ caller, scopes }: (typeof operations)[number]) =>
    caller !== 'session' &&
    caller !== 'portal' &&
    caller !== 'signature' &&
    scopes.some((scope) => ['product', 'developer', 'account', 'root'].includes(scope))
  const missing = operations.filter((op) => isForToken(op) && !ids.has(op.id)).map(({ id }) => id)
  assert.deepEqual(missing.toSorted(), WITHOUT_COMMAND)
})

test('a shell completes nouns, verbs and options', async () => {
  const client = await openClient('completion')
  const folder = await createTestFolder('completion_scripts')
  const scripts = await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => (await client.run(['completion', shell])).stdout),
  )
  for (const script of scripts) assert.match(script, /license find/)
  const file = join(folder, 'bash')
  await writeFile(file, scripts[0] ?? '')
  const complete = async (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const code = `source ${file}; COMP_WORDS=(keywright ${typed}); COMP_CWORD=${words.length}; _keywright; echo "\${COMPREPLY[@]}"`
    return (await promisify(execFile)('bash', ['-euc', code])).stdout.trim().split(' ')
  }
  assert.deepEqual(await complete('lic'), ['license'])
  assert.deepEqual(await complete('license', 'iss'), ['issue', 'issue-on-install'])
  assert.deepEqual(await complete('license', 'issue', '--em'), ['--email'])
  assert.deepEqual(await complete('refund', '--am'), ['--amount'])
  assert.equal((await client.run(['completion', 'cmd'])).code, 2)
})
