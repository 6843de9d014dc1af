// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedTexts } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { hashToken } from '../lib/credentials.ts'

test('a token is made, listed without its value, and revoked once, each with its audit row', async (t) => {
  const place = await openDemoPlace(t, 'token')
  const { product_id: product } = await place.ask(['demo'])
  const options = ['--product', product, '--name', 'shop', '--expires', '2999-01-31']
  const made = await place.ask(['token', 'create', ...options])
  assert.match(made.api_token, /^kw_[\w-]{40}$/)
  assert.equal(made.expires_at, '2999-01-31 23:59:59')
  const texts = await storedTexts(place.database)
  assert.deepEqual(
    texts.filter(({ value }) => value.includes(made.api_token)),
    [],
  )
  assert.ok(texts.some(({ value }) => value === hashToken(made.api_token)))

  const listed = await place.run(['token', 'list', '--product', product, '--json'])
  assert.ok(!listed.stdout.includes(made.api_token) && !listed.stdout.includes(hashToken(made.api_token)))
  const [first] = JSON.parse(listed.stdout).tokens
  assert.deepEqual([first.id, first.name, first.state], [made.id, 'shop', 'active'])
  assert.equal(first.hint, `…${made.api_token.slice(-4)}`)

  assert.deepEqual(await place.ask(['token', 'revoke', made.id]), {
    id: made.id,
    product_id: product,
    revoked: true,
  })
  const again = await place.run(['token', 'revoke', made.id, '--json'])
  assert.equal(again.code, 1)
  assert.equal(JSON.parse(again.stderr).error.code, 'not_found')

  const rows = await place.database.reader
    .selectFrom('audit_log')
    .select(['action', 'actor_kind', 'credential', 'product_id', 'details'])
    .where('action', 'like', 'cli/token-%')
    .orderBy('id')
    .execute()
  const who = { actor_kind: 'system', credential: 'cli', product_id: Number(product) }
  const details = JSON.stringify({ token: Number(made.id) })
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { action: 'cli/token-create', ...who, details },
      { action: 'cli/token-revoke', ...who, details },
    ],
  )
})

test('a token of an account is made, narrowed and listed with those of its products', async (t) => {
  const place = await openDemoPlace(t, 'token-account')
  const { product_id: product, developer_id: account } = await place.ask(['demo'])
  const narrowed = ['--products', product, '--rights', 'licenses.write,sales.read']
  const made = await place.ask(['token', 'create', '--account', account, '--name', 'office', ...narrowed])
  assert.deepEqual(
    [made.account_id, made.product_ids, made.rights],
    [account, [product], ['licenses.write', 'sales.read']],
  )
  const { tokens } = await place.ask(['token', 'list', '--account', account])
  const [first, ...others] = tokens.map(({ opens, rights }: { opens: string; rights: unknown }) => [
    opens,
    rights,
  ])
  assert.deepEqual(first, [`products ${product}`, ['licenses.write', 'sales.read']])
  assert.ok(others.some(([opens]: [string]) => opens === `product ${product}`))
  assert.deepEqual(await place.ask(['token', 'revoke', made.id]), {
    id: made.id,
    account_id: account,
    revoked: true,
  })
  const codeOf = async (...args: string[]) => {
    const { stderr } = await place.run(['token', 'create', '--name', 'n', ...args, '--json'])
    return JSON.parse(stderr).error.code
  }
  assert.equal(await codeOf(), 'usage')
  assert.equal(await codeOf('--account', '987654321'), 'not_found')
  assert.equal(await codeOf('--account', account, '--products', '987654321'), 'not_found')
  assert.equal(await codeOf('--account', account, '--rights', 'own.write'), 'usage')
  assert.equal(await codeOf('--product', product, '--rights', 'sales.read'), 'usage')
})
