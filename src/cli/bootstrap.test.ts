import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, storedTexts } from '../../test/command-line.ts'
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

test('a second bootstrap is refused unless it is asked for', async (t) => {
  const place = await openPlace(t, 'bootstrap-second')
  await place.ask(bootstrap, { input: PASSWORD })
  const second = ['bootstrap', '--email', 'kim@example.com', '--product', 'Hers']
  const refused = await place.run([...second, '--json'], { input: PASSWORD })
  assert.equal(refused.code, 1)
  assert.equal(refused.stdout, '')
  assert.equal(JSON.parse(refused.stderr).error.code, 'already_bootstrapped')
  assert.equal((await place.ask([...second, '--another'], { input: PASSWORD })).developer_id, '2')
})
