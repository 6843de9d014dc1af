// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, openPlace, storedTexts } from '../../test/command-line.ts'
import { testEngine } from '../../test/database.ts'
import { DEFAULT_COST, verifyPassword } from '../lib/password.ts'

const PASSWORD = 'nine Welsh owls, asleep'

const bootstrap = ['bootstrap', '--email', 'sam@example.com', '--product', 'My product']

test('bootstrap makes developer, store, product and token, and prints the fields of a call', async (t) => {
  const place = await openPlace(t, 'bootstrap')
  const hosts = ['--redirect-host', 'shop.example.com', '--redirect-host', 'localhost:3000']
  const names = ['--name', 'Sam Van Seller', '--store', 'My store', ...hosts]
  const access = await place.ask([...bootstrap, ...names], { input: `${PASSWORD}\n` })
  assert.deepEqual(Object.keys(access), [
    'developer_id',
    'developer_public_key',
    'developer_secret_key',
    'store_id',
    'product_id',
    'product_public_key',
    'product_secret_key',
    'api_token',
    'sign_in_link',
  ])
  const { reader } = place.database
  const developer = await reader.selectFrom('developers').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(
    [developer.email, developer.first, developer.last],
    ['sam@example.com', 'Sam', 'Van Seller'],
  )
  const { ok } = await verifyPassword(PASSWORD, developer.password_hash ?? '', DEFAULT_COST)
  assert.equal(ok, true)
  const product = await reader.selectFrom('products').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(product.redirect_hosts), ['shop.example.com', 'localhost:3000'])
  const audit = await reader.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([audit.action, audit.actor_kind, audit.credential], ['cli/bootstrap', 'system', 'cli'])
  const secrets = [PASSWORD, access.developer_secret_key, access.product_secret_key, access.api_token]
  const found = (await storedTexts(place.database)).filter(({ value }) =>
    secrets.some((one) => value.includes(one)),
  )
  assert.deepEqual(found, [])
})

test('without a product bootstrap opens the account alone, and its address signs in to the dashboard', async (t) => {
  const place = await openPlace(t, 'bootstrap-account')
  const server = await place.start(['serve'])
  const access = await place.ask(['bootstrap', '--email', 'sam@example.com'], { input: `${PASSWORD}\n` })
  const keys = ['developer_id', 'developer_public_key', 'developer_secret_key', 'store_id', 'sign_in_link']
  assert.deepEqual(Object.keys(access), keys)
  assert.deepEqual(await place.database.reader.selectFrom('products').select('id').execute(), [])
  const link = String(access.sign_in_link)
  assert.equal(new URL(link).origin, addressOf(server))
  const entered = await fetch(link, { method: 'POST', redirect: 'manual' })
  assert.equal(entered.status, 303)
  assert.match(entered.headers.get('set-cookie') ?? '', /^keywright_session=/)
})

test('the call that bootstrap prints goes to the server that runs on this data, whatever its port', async (t) => {
  const place = await openPlace(t, 'bootstrap-port')
  const server = await place.start(['serve'])
  const printed = async (line: readonly string[]) => {
    const { stdout } = await place.run([...line], { input: PASSWORD, env: { PORT: '1' } })
    const [, header = '', url = ''] = /curl -H '(.*)' '(.*)'/.exec(stdout) ?? []
    return { header, url, stdout }
  }
  const { header, url, stdout } = await printed(bootstrap)
  assert.equal(new URL(url).origin, addressOf(server))
  const [name = '', value = ''] = header.split(': ')
  assert.equal((await fetch(url, { headers: { [name]: value } })).status, 200)
  assert.doesNotMatch(stdout, /npm start/)
  await server.stop('SIGKILL')
  const again = await printed([...bootstrap.with(2, 'kim@example.com'), '--another'])
  assert.equal(new URL(again.url).origin, 'http://127.0.0.1:1')
  const data = testEngine() === 'sqlite' ? `KEYWRIGHT_DATA='${place.env['KEYWRIGHT_DATA']}' ` : ''
  assert.ok(
    again.stdout.endsWith(`Start the server first, on the same data: ${data}npm start\n`),
    again.stdout,
  )
})

test('a second bootstrap is refused unless it is asked for', async (t) => {
  const place = await openPlace(t, 'bootstrap-second')
  await place.ask(bootstrap, { input: PASSWORD })
  const second = ['bootstrap', '--email', 'kim@example.com', '--product', 'Hers']
  const refused = await place.run([...second, '--json'], { input: PASSWORD })
  assert.equal(refused.code, 1)
  assert.equal(refused.stdout, '')
  const { code, message } = JSON.parse(refused.stderr).error
  assert.equal(code, 'already_bootstrapped')
  assert.match(message, /--another.*KEYWRIGHT_DATA/)
  assert.equal((await place.ask([...second, '--another'], { input: PASSWORD })).developer_id, '2')
})
