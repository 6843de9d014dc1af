import assert from 'node:assert/strict'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { accountToken, openAccount, openClient } from '../../test/client.ts'
import { openPlace } from '../../test/command-line.ts'
import { configFolder } from './client/config-folder.ts'
import { profilesFile } from './client/profiles.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('login_command')
})
after(() => app.close())

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('a token from standard input is checked, shown nowhere, and kept where its owner alone can read it', async (t) => {
  const place = await openPlace(t, 'login')
  const { token } = await accountToken(app, 'licenses.write')
  const args = ['login', '--url', `${app.address}/`, '--profile', 'shop', '--json']
  const wrong = await place.run(args, { input: 'kw_wrong\n' })
  assert.deepEqual([wrong.code, JSON.parse(wrong.stderr).error.code], [3, 'token_unknown'])
  const file = profilesFile(place.env)
  assert.equal(await stat(file).catch(() => null), null)
  for (const input of [`${token}\n`, JSON.stringify({ id: '1', api_token: token })]) {
    const { code, stdout, stderr } = await place.run(args, { input })
    assert.equal(code, 0, stderr)
    assert.ok(!stdout.includes(token))
    const { profile, account, rights } = JSON.parse(stdout)
    assert.deepEqual(
      [profile, account, rights],
      ['shop', String(app.seller.developer.id), ['licenses.write']],
    )
  }
  assert.deepEqual([await modeOf(file), await modeOf(configFolder(place.env))], ['600', '700'])
  assert.ok((await readFile(file, 'utf8')).includes(token))
  const none = await place.run(args, { input: '' })
  assert.equal(JSON.parse(none.stderr).error.code, 'no_token')
})

test('log-ins to two accounts or products of a server stand beside one another, and one that is renewed in its place', async (t) => {
  const place = await openPlace(t, 'two_logins')
  const { token } = await accountToken(app)
  const login = async (input: string) => {
    const { stdout } = await place.run(['login', '--url', app.address, '--json'], { input })
    return JSON.parse(stdout).profile
  }
  const { host } = new URL(app.address)
  const names = [await login(app.seller.product.token), await login(token), await login(token)]
  const account = `${app.seller.developer.id}@${host}`
  assert.deepEqual(names, [host, account, account])
  assert.equal(await login(app.seller.product.token), host)
  const { profiles } = JSON.parse((await place.run(['profiles', 'list', '--json'])).stdout)
  assert.deepEqual(
    profiles.map(({ name, is_current: isCurrent }: { name: string; is_current: boolean }) => [
      name,
      isCurrent,
    ]),
    [
      [host, true],
      [account, false],
    ],
  )
})

test('a file of tokens that others can read is closed to them, and that is said', async () => {
  const client = await openAccount(app, 'mended')
  const file = profilesFile(client.env)
  await chmod(file, 0o644)
  assert.match((await client.run(['whoami'])).stderr, /^Warning: .* could be read by others/)
  assert.equal(await modeOf(file), '600')
  assert.equal((await client.run(['whoami'])).stderr, '')
})

test('the environment counts more than profiles, and sends a token to no other server than its own', async () => {
  const client = await openAccount(app, 'environment')
  const { token } = app.seller.product
  const env = { KEYWRIGHT_URL: app.address, KEYWRIGHT_TOKEN: token }
  const own = await client.ask(['whoami'], { env })
  assert.deepEqual([own.profile, own.token.plugin_id], [null, String(app.seller.product.id)])
  assert.equal((await client.ask(['whoami', '--profile', 'test'], { env })).profile, 'test')
  assert.equal((await client.ask(['whoami'], { env: { KEYWRIGHT_URL: `${app.address}/` } })).profile, 'test')
  const other = await client.run(['whoami', '--json'], { env: { KEYWRIGHT_URL: 'http://127.0.0.1:1' } })
  assert.deepEqual([other.code, JSON.parse(other.stderr).error.code], [3, 'no_token'])
  const missing = await client.run(['whoami', '--json'], { env: { KEYWRIGHT_PROFILE: 'nope' } })
  assert.deepEqual([missing.code, JSON.parse(missing.stderr).error.code], [3, 'not_logged_in'])
  const nobody = await openClient('nobody')
  assert.match((await nobody.run(['license', 'find'])).stderr, /keywright login/)
})

test('a profile is listed without its token, becomes the current one, has a product, and is forgotten with its token ended', async () => {
  const client = await openAccount(app, 'profiles', false)
  const { profiles } = await client.ask(['profiles', 'list'])
  assert.deepEqual([profiles[0].name, profiles[0].is_current, profiles[0].token], ['test', true, undefined])
  const noProduct = await client.run(['plan', 'find', '--json'])
  assert.deepEqual([noProduct.code, JSON.parse(noProduct.stderr).error.code], [2, 'no_product'])
  await client.ask(['profiles', 'use', 'test', '--product', String(app.seller.product.id)])
  assert.ok(Array.isArray((await client.ask(['plan', 'find'])).plans))
  const stored = JSON.parse(await readFile(profilesFile(client.env), 'utf8'))
  assert.deepEqual(await client.ask(['logout', '--revoke']), {
    profile: 'test',
    revoked: true,
    current: null,
  })
  assert.equal((await client.run(['whoami'])).code, 3)
  const ended = await app.call('GET', '/token.json', { token: stored.profiles.test.token })
  assert.equal(ended.status, 401)
})

test('a name that every object has is no profile, and a file that is not as log-ins are kept is told', async () => {
  const client = await openAccount(app, 'names')
  for (const name of ['constructor', '__proto__']) {
    const { code, stderr } = await client.run(['whoami', '--profile', name, '--json'])
    assert.deepEqual([code, JSON.parse(stderr).error.code], [3, 'not_logged_in'])
  }
  for (const text of ['', 'null', '{}', '{"current":"a","profiles":{"a":{"url":"x"}}}']) {
    await writeFile(profilesFile(client.env), text)
    assert.equal(JSON.parse((await client.run(['whoami', '--json'])).stderr).error.code, 'bad_profiles')
  }
})

test('who logs in where others can read what is sent is warned', async (t) => {
  const place = await openPlace(t, 'not_encrypted')
  const { code, stderr } = await place.run(['login', '--url', 'http://0.0.0.0:1', '--json'], {
    input: 'kw_x',
  })
  const [warning = '', error = ''] = stderr.trim().split('\n')
  assert.deepEqual(
    [code, JSON.parse(warning).warning.code, JSON.parse(error).error.code],
    [3, 'not_encrypted', 'unreachable'],
  )
})

test('a log-in on the machine of a server that does not answer leaves no token behind', async (t) => {
  const place = await openPlace(t, 'login_local')
  const bootstrap = ['bootstrap', '--email', 'you@example.com', '--product', 'One', '--json']
  const made = await place.run(bootstrap, { input: 'a pass phrase of one\n' })
  assert.equal(made.code, 0, made.stderr)
  const tokens = async () => (await place.ask(['token', 'list', '--account', '1'])).tokens.length
  const before = await tokens()
  const { code, stderr } = await place.run(['login', '--local', '--json'])
  assert.deepEqual([code, JSON.parse(stderr).error.code], [3, 'unreachable'])
  assert.equal(await tokens(), before)
})

test('profiles stand where programs of the system keep what a person has set', () => {
  assert.equal(configFolder({ HOME: '/home/ada' }, 'linux'), '/home/ada/.config/keywright')
  assert.equal(
    configFolder({ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }, 'darwin'),
    '/etc/ada/keywright',
  )
  assert.equal(
    configFolder({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' }, 'linux'),
    '/home/ada/.config/keywright',
  )
  assert.match(configFolder({ APPDATA: '/ada/Roaming' }, 'win32'), /Roaming.keywright$/)
})
