// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'
import { createTestFolder } from '../../test/folder.ts'
import { VERSION } from '../lib/version.ts'

const program = resolve(import.meta.dirname, '../../bin/keywright.js')

const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.6.0' } })`

const asOlder = ['--import', `data:text/javascript,${encodeURIComponent(older)}`]

test('an older Node hands over to the one that npm ci has brought, and tells in one line where there is none', async () => {
  const own = spawnSync(process.execPath, [...asOlder, program, '--version'], { encoding: 'utf8' })
  assert.deepEqual([own.status, own.stdout.trim(), own.stderr], [0, VERSION, ''])
  const folder = await createTestFolder('older_node')
  const alone = join(folder, 'bin/keywright.js')
  await cp(program, alone)
  const { status, stdout, stderr } = spawnSync(process.execPath, [...asOlder, alone, 'serve'], {
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^Keywright needs Node\.js 24\.7 or later, and this is 24\.6\.0.*\n$/)
})

test('help is no error; an unknown command, option or argument is wrong usage', async (t) => {
  const place = await openPlace(t, 'usage')
  const help = await place.runApart(['--help'])
  assert.equal(help.code, 0)
  for (const name of ['serve', 'worker', 'migrate', 'bootstrap', 'demo', 'token', 'secret', 'doctor']) {
    assert.match(help.stdout, new RegExp(`^  ${name} `, 'm'))
  }
  const wrong = [
    [],
    ['nope'],
    ['token'],
    ['migrate', '--nope'],
    ['migrate', 'more'],
    ['token', 'revoke', 'x1'],
  ]
  const ends = await Promise.all(wrong.map((line) => place.run(line)))
  assert.deepEqual(
    ends.map(({ code, stdout }) => [code, stdout]),
    wrong.map(() => [2, '']),
  )
  const json = await place.runApart(['migrate', '--nope', '--json'])
  assert.deepEqual(JSON.parse(json.stderr), { error: { code: 'usage', message: "unknown option '--nope'" } })
})

test('a bad value stops the start with one line: the variable, what it must be, what it was', async (t) => {
  const place = await openPlace(t, 'bad-value')
  const { code, stdout, stderr } = await place.runApart(['serve'], { env: { PORT: 'abc' } })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, "Error: PORT must be a whole number from 0 to 65535, got 'abc'\n")
})

test('a database that does not answer is one line, without the address its password is in', async (t) => {
  const place = await openPlace(t, 'unreachable')
  const env = { DATABASE_URL: 'postgres://kim:hushhush@127.0.0.1:9/none', KEYWRIGHT_SECRET: 'x'.repeat(32) }
  const { code, stderr } = await place.run(['migrate', '--json'], { env })
  assert.equal(code, 1)
  assert.equal(JSON.parse(stderr).error.code, 'database_unreachable')
  assert.ok(!stderr.includes('hushhush'))
})

test('the help of a command says which options are required, and its error names each that is missing', async (t) => {
  const place = await openPlace(t, 'required')
  const [help, none, one] = await Promise.all([
    place.run(['webhook', 'add', '--help']),
    place.run(['webhook', 'add', '--json']),
    place.run(['webhook', 'add', '--url', 'https://shop.example.com/', '--json']),
  ])
  assert.match(help.stdout, /--product <id> .*\(required\)\n.*--url <address> .*\(required\)\n/)
  assert.doesNotMatch(help.stdout, /--types .*\(required\)/)
  const messages = [none, one].map(({ code, stderr }) => [code, JSON.parse(stderr).error.message])
  assert.deepEqual(messages, [
    [2, "required options '--product <id>', '--url <address>' not specified"],
    [2, "required option '--product <id>' not specified"],
  ])
})

test('a data folder that no system lets be made is refused in a line, wherever it is', async (t) => {
  const place = await openPlace(t, 'unmade')
  for (const folder of ['/proc/x', '/proc/x/y', '/dev/null/x']) {
    const { code, stderr } = await place.runApart(['migrate'], { env: { KEYWRIGHT_DATA: folder } })
    assert.equal(code, 1)
    assert.match(stderr, /^Error: KEYWRIGHT_DATA must be a folder that can be written to, got '\/.*\n$/)
  }
})
