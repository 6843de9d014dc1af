// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressOf, bearer, openPlace, usersOf } from '../../test/command-line.ts'

test('what is said to people is the address, the next step, and a call that works as it is printed', async (t) => {
  const place = await openPlace(t, 'greeting')
  const empty = await place.start(['serve'], { spoken: true })
  assert.match(empty.said, /^ {2}API {3}http:\/\/127\.0\.0\.1:\d+\/v1\n {2}Docs {2}http.*\/docs$/m)
  assert.match(empty.said, /bootstrap --email you@example\.com/)
  assert.ok(!empty.said.includes('null') && !empty.said.includes('undefined'))
  const { code, stdout } = await empty.stop('SIGINT')
  assert.equal(code, 0)
  for (const line of stdout.trim().split('\n')) assert.ok(JSON.parse(line).level, 'the log is JSON lines')

  const demo = await place.start(['serve', '--demo'], { spoken: true })
  const [, header = '', url = ''] = /curl -H '(.*)' '(.*)'/.exec(demo.said) ?? []
  const [name = '', value = ''] = header.split(': ')
  const response = await fetch(url, { headers: { [name]: value } })
  assert.equal(response.status, 200)
  assert.equal(((await response.json()) as { users: unknown[] }).users.length, 3)
  await demo.stop()
})

test('a data folder that others may open is closed at the start', async (t) => {
  const place = await openPlace(t, 'open_folder')
  await place.ask(['migrate'])
  const data = join(place.folder, 'data')
  await chmod(data, 0o777)
  const server = await place.start(['serve'])
  assert.equal((await stat(data)).mode & 0o777, 0o700)
  await server.stop()
})

test('a folder with the files of somebody else is neither closed nor used', async (t) => {
  const place = await openPlace(t, 'foreign_folder')
  const data = join(place.folder, 'data')
  await mkdir(data)
  await chmod(data, 0o755)
  await writeFile(join(data, 'thesis.txt'), 'of somebody else')
  const { code, stderr } = await place.run(['serve'])
  assert.equal(code, 1)
  assert.match(stderr, /^Error: KEYWRIGHT_DATA must be a folder of its own/)
  assert.equal((await stat(data)).mode & 0o777, 0o755)
  assert.deepEqual(await readdir(data), ['thesis.txt'])
})

test('a port in use is one line, and nothing keeps running', async (t) => {
  const place = await openPlace(t, 'port')
  const server = await place.start(['serve'])
  const { port } = new URL(addressOf(server))
  const { code, stdout, stderr } = await place.run(['serve'], { env: { PORT: port } })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, `Error: Port ${port} of 127.0.0.1 is in use: stop what uses it, or set PORT.\n`)
  await server.stop()
})

test('a SIGTERM to npm, which ends only the shell that npm runs the server in, stops the server', async (t) => {
  const place = await openPlace(t, 'npm')
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$@" & echo $! >&2; wait', process.execPath, 'bin/keywright.js', 'serve', '--json'],
    { env: { ...place.env, npm_lifecycle_event: 'start' } },
  )
  let log = ''
  shell.stderr.on('data', (chunk) => (log += String(chunk)))
  await event(shell.stdout, 'data')
  const server = Number.parseInt(log, 10)
  let isEnded = false
  t.after(() => {
    if (!isEnded) process.kill(server, 'SIGKILL')
  })
  shell.kill('SIGTERM')
  await event(shell, 'close', { signal: AbortSignal.timeout(10_000) })
  assert.match(log, /"signal":"SIGTERM","msg":"stopping"/)
  isEnded = true
})

test('a mock serves demo data and leaves nothing behind', async (t) => {
  const place = await openPlace(t, 'mock')
  const mock = await place.start(['serve', '--mock'], {
    env: { TMPDIR: place.folder, KEYWRIGHT_DATA: '/proc/none' },
  })
  const headers = bearer(mock.value['api_token'])
  const created = await fetch(usersOf(mock), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'tester@example.com', name: 'Test Er' }),
  })
  assert.equal(created.status, 200)
  assert.equal((await readdir(place.folder)).length, 1)
  assert.equal((await mock.stop()).code, 0)
  assert.deepEqual(await readdir(place.folder), [])
})

test('a data folder that cannot be made stops the start with one line that names the variable', async (t) => {
  const place = await openPlace(t, 'no-folder')
  const file = join(place.folder, 'file')
  await writeFile(file, '')
  for (const [folder, code] of [
    [file, 'EEXIST'],
    [join(file, 'data'), 'ENOTDIR'],
  ] as const) {
    const ended = await place.run(['serve'], { env: { KEYWRIGHT_DATA: folder } })
    const line = `KEYWRIGHT_DATA must be a folder that can be written to, got '${folder}' (${code})`
    assert.deepEqual([ended.code, ended.stderr], [1, `Error: ${line}\n`])
  }
})

test('a secret that is gone stops the start, so that no other one takes its place', async (t) => {
  const place = await openPlace(t, 'secret-gone')
  await place.ask(['migrate'])
  const secret = join(place.folder, 'data', 'secret')
  await rm(secret)
  const { code, stderr } = await place.run(['serve'])
  assert.equal(code, 1)
  assert.match(stderr, /^Error: .*secret is gone.*put it back\.\n$/)
  await assert.rejects(readFile(secret))
})
