// Runs on sqlite.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openPlace, type Place, type Started } from './command-line.ts'
import { openDemoPlace } from './demo-place.ts'
import { linesOf, readme, typedIn } from './readme-lines.ts'

const root = join(import.meta.dirname, '..')

const INSTALLING = /^npm (ci|link|start|test)\b/
const VALUE = /^(\w+)=…   # (\w+)$/

test('every command line of the README is one of keywright, but for those of npm that install, start and test', async () => {
  const document = await readme()
  const lines = typedIn(document)
  assert.ok(lines.length > 30)
  const others = lines.filter(
    (line) =>
      !INSTALLING.test(line) &&
      !VALUE.test(line) &&
      !/^MACHINE=\w{32}$/.test(line) &&
      !/^(\w+=\$\()?keywright [^|;&]*$/.test(line),
  )
  assert.deepEqual(others, [])
  assert.doesNotMatch(document, /openssl|curl /)
})

/** What lines print, typed one after the other in a shell whose path has `keywright`, as after `npm link`. */
async function typed(place: Place, lines: readonly string[], values: Started['value'] = {}): Promise<string> {
  const folder = join(place.folder, 'path')
  await mkdir(folder, { recursive: true })
  await symlink(join(root, 'bin/keywright.js'), join(folder, 'keywright')).catch(() => {})
  const filled = lines
    .map((line) =>
      line.replace(VALUE, (_, name: string, field: string) => `${name}='${values[field] ?? ''}'`),
    )
    .map((line) => line.replace(/^keywright (bootstrap|password)/, "echo 'a pass phrase of one' | $&"))
  const script = filled.join('\n')
  assert.doesNotMatch(script, /…|=''/)
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: place.folder,
    env: { ...place.env, PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  assert.equal(code, 0, `${stderr}\n${stdout}`)
  return stdout
}

test('a license is verified with the sixth command after the clone, in less than five minutes', async (t) => {
  const place = await openPlace(t, 'first_license')
  const lines = await linesOf('The first license in six commands')
  assert.deepEqual([lines.length, lines.slice(0, 3)], [6, ['npm ci', 'npm link', 'npm start -- --demo']])
  const began = performance.now()
  const server = await place.start(['serve', '--demo'])
  const given = [`KEY=…   # license_key`, 'MACHINE=0123456789abcdef0123456789abcdef']
  const stdout = await typed(place, [...given, ...lines.slice(3)], server.value)
  assert.match(stdout, /valid +yes/)
  assert.ok(performance.now() - began < 100_000, 'with what npm needs it is less than five minutes')
  await server.stop()
})

test('the commands of the README look around, activate, buy, renew, refund and deactivate', async (t) => {
  const place = await openDemoPlace(t, 'readme')
  const server = await place.start(['serve', '--demo'])
  const run = async (heading: string) => typed(place, await linesOf(heading), server.value)
  await place.run(['login', '--local', '--product', '1'])
  assert.match(await run('See it work'), /license\.activated/)
  assert.match(await run('A license at work'), /not_cancelled/)
  const stdout = await run('A purchase by commands')
  const [year = 0, after = 0] = [...stdout.matchAll(/^(\d{4})-\d\d-\d\d [\d:]{8}$/gm)].map(([, found]) =>
    Number(found),
  )
  assert.equal(after, year + 1, stdout)
  assert.match(stdout, /63\.20 USD.*yes\n.*79\.00 USD.*no\n/)
  assert.match(stdout, /gross +-63\.20 USD[^]*\nfalse\n/)
  await server.stop()
})

test('the commands of the README set up a shop, sell from it, help who forgot the password, and back it up', async (t) => {
  const place = await openPlace(t, 'readme_real')
  const [bootstrap = '', ...rest] = await linesOf('Set it up for real')
  assert.match(await typed(place, [bootstrap]), /api_token/)
  const server = await place.start(['serve'])
  assert.match(await typed(place, rest), /ada@example\.com/)
  await typed(place, await linesOf('Log in'))
  assert.match(await typed(place, await linesOf('Something to sell')), /secret_key +sk_/)
  await typed(place, await linesOf('On the internet'))
  await server.stop()
})
