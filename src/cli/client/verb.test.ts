import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { localTime } from './times.ts'
import { openAccount, openAnswering, openClient, terminalOf, type Client } from '../../../test/client.ts'

let app: TestApp
let client: Client
let product: string
let plan: string
let price: string
before(async () => {
  app = await startTestApp('verbs')
  client = await openAccount(app, 'verbs')
  product = String(app.seller.product.id)
  plan = (await client.ask(['plan', 'create', '--name', 'team', '--title', 'Team'])).id
  price = (await client.ask(['price', 'create', plan, '--licenses', '2', '--annual-price', '49'])).pricing.id
  await client.ask(['customer', 'create', '--email', 'ada@example.com', '--name', 'Ada Lovelace'])
})
after(() => app.close())

const issue = () =>
  client.ask(['license', 'issue', plan, price, '--email', 'ada@example.com', '--period', '12'])

test('a license is issued, extended, verified on an install, and taken off', async () => {
  const { license } = await issue()
  const end = '2031-01-31 10:00:00'
  const extended = await client.ask(['license', 'extend', license.id, '--expiration', end])
  assert.deepEqual([license.quota, extended.expiration], [2, end])
  const zoned = await client.ask(['license', 'extend', license.id, '--expiration', '2031-02-01T00:30+01:30'])
  assert.equal(zoned.expiration, '2031-01-31 23:00:00')
  assert.equal((await client.ask(['license', 'extend', license.id, '--expiration', 'null'])).expiration, null)
  const key = ['--license-key', license.secret_key, '--uid', '0123456789abcdef0123456789abcdef']
  const { install_id: install } = await client.ask([
    'license',
    'activate',
    ...key,
    '--url',
    'https://shop.example.com',
  ])
  assert.equal((await client.ask(['license', 'verify', install, ...key])).id, license.id)
  assert.equal((await client.ask(['license', 'deactivate', ...key, '--install-id', install])).id, install)
  assert.equal((await client.ask(['license', 'get', license.id])).activated, 0)
})

test('a switch is turned on by its name and off by --no-, an object is JSON, and arguments come from a file as well', async () => {
  const made = await client.ask([
    'plan',
    'create',
    '--name',
    'more',
    '--title',
    'More',
    '--no-is-free-localhost',
  ])
  assert.equal(made.is_free_localhost, false)
  assert.equal((await client.ask(['plan', 'update', made.id, '--is-featured'])).is_featured, true)
  const file = join(client.env['XDG_CONFIG_HOME'] ?? '', 'coupon.json')
  await writeFile(file, JSON.stringify({ code: 'FILE', discount: 10, discount_type: 'percentage' }))
  const coupon = await client.ask([
    'coupon',
    'create',
    '--code',
    'GIVEN',
    '--discount',
    '5',
    '--discount-type',
    'dollar',
    '--input',
    file,
  ])
  assert.deepEqual([coupon.code, coupon.discount, coupon.discount_type], ['GIVEN', 5, 'dollar'])
  assert.equal((await client.ask(['coupon', 'create', '--input', file])).code, 'FILE')
  const { code, stderr } = await client.run(['plan', 'update', made.id, '--trial-period', 'soon'])
  assert.equal(code, 2)
  assert.match(stderr, /It must be a whole number/)
})

test('what is no id where one stands is refused before anything is asked, with what lists the ids', async () => {
  const said = async (...line: string[]) => {
    const { code, stderr } = await client.run(line)
    return `${code} ${stderr.trim()}`
  }
  assert.equal(
    await said('customer', 'get', 'ada@example.com'),
    `2 Error: <user-id> must be an id, such as 7, not 'ada@example.com'; "keywright customer find --email ada@example.com" has them.`,
  )
  assert.match(await said('version', 'get', 'latest'), /; "keywright version find" has them\.$/)
  assert.match(
    await said('customer', 'card', '1', 'x'),
    /^2 Error: <card-id> must be an id, such as 7, not 'x'\.$/,
  )
})

test('a list is of the product that is named or of the profile, and else of the whole account', async () => {
  await issue()
  const other = String(app.seller.other.id)
  const idsOf = async (...args: string[]) =>
    (await client.ask(['customer', 'find', ...args])).users.map(({ email }: { email: string }) => email)
  await client.ask([
    'customer',
    'create',
    '--product',
    other,
    '--email',
    'bob@example.com',
    '--name',
    'Bob B',
  ])
  assert.deepEqual(await idsOf(), ['ada@example.com'])
  assert.deepEqual(await idsOf('--product', other), ['bob@example.com'])
  assert.deepEqual(await idsOf('--product', 'all'), ['bob@example.com', 'ada@example.com'])
  const account = await openAccount(app, 'whole_account', false)
  assert.equal((await account.ask(['customer', 'find'])).users.length, 2)
  const wrong = await client.run(['customer', 'find', '--product-ids', other, '--json'])
  assert.deepEqual([wrong.code, JSON.parse(wrong.stderr).error.code], [2, 'usage'])
  assert.equal((await client.run(['plan', 'find', '--product', 'all'])).code, 2)
})

test('what is written is of the account unless a product is named, whatever the profile has', async () => {
  const ofAccount = await client.ask(['api-token', 'create', '--name', 'whole'])
  const ofProduct = await client.ask(['api-token', 'create', '--name', 'one', '--product', product])
  assert.deepEqual([ofAccount.plugin_id, ofProduct.plugin_id], [null, product])
})

test('a list is a table: amounts with their currency, times of here, nothing that a terminal obeys, as wide as it is', async (t) => {
  const payments = [
    {
      id: '1',
      created: '2026-01-31 10:00:00',
      gross: 49.9,
      currency: 'usd',
      type: 'payment',
      url: 'a\u001b[31m\nb',
    },
    { id: '22', created: '2026-01-31 10:00:00', gross: -5, currency: 'eur', type: 'refund', url: null },
  ]
  const url = await openAnswering(t, (_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ payments, discounts: [] }))
  })
  const own = await openClient('table', { url, product: '1' })
  const local = localTime('2026-01-31 10:00:00')?.replace('+', '\\+')
  const [heading, first, second] = (await own.run(['payment', 'find'])).stdout.split('\n')
  assert.match(heading ?? '', /^id {2}created +type +gross +url$/)
  assert.match(first ?? '', new RegExp(`^1   ${local}  payment  49\\.90 USD  a\\[31m b$`))
  assert.match(second ?? '', /^22 .* -5\.00 EUR +–$/)
  const narrow = await own.run(['payment', 'find'], { stdout: terminalOf(40) })
  assert.ok(
    narrow.stdout.split('\n').every((line) => line.length <= 60),
    narrow.stdout,
  )
  assert.match(narrow.stdout.replaceAll('\u001b', '^'), /^\^\[1mid {2}created +(type)?\^\[22m\n/)
  const plain = await own.run(['payment', 'find'], { stdout: terminalOf(40), env: { NO_COLOR: '1' } })
  assert.match(plain.stdout, /^id {2}created +type\n/)
})

test('one thing is a field a line by where it stands, amounts in the currency of what they are within', async (t) => {
  const checkout = {
    id: '7',
    currency: 'eur',
    quote: { total: 49.9, lines: [{ amount: 1 }], rates: [] },
    renewal: { total: 5, currency: 'usd' },
    languages: ['en', 'de'],
    actor: { kind: 'system', id: null },
    lines: [{ kind: 'price', amount: 50 }],
  }
  const url = await openAnswering(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ checkout }))
  })
  const { stdout } = await (await openClient('one', { url, product: '1' })).run(['checkout', 'get', '7'])
  assert.deepEqual(
    stdout.split('\n').map((line) => line.trim().split(/ {2,}/)),
    [
      ['id', '7'],
      ['currency', 'eur'],
      ['quote.total', '49.90 EUR'],
      ['quote.lines', '1 (--get quote.lines)'],
      ['quote.rates', '–'],
      ['renewal.total', '5.00 USD'],
      ['renewal.currency', 'usd'],
      ['languages', 'en, de'],
      ['actor', 'system'],
      [''],
      ['lines'],
      ['kind', 'amount'],
      ['price', '50.00 EUR'],
      [''],
    ],
  )
})

test('a file is written where it is wanted, and to no terminal', async (t) => {
  const url = await openAnswering(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')
  })
  const own = await openClient('file', { url, product: '1' })
  const output = join(own.env['XDG_CONFIG_HOME'] ?? '', 'invoice.pdf')
  assert.equal((await own.ask(['payment', 'invoice', '1', '--output', output])).bytes, 4)
  assert.equal(await readFile(output, 'utf8'), '%PDF')
  const { code, stderr } = await own.run(['payment', 'invoice', '1'], { stdout: terminalOf() })
  assert.equal(code, 2)
  assert.match(stderr, /--output/)
})

test('a list that goes on beyond what the account shows at once fails rather than to end early', async (t) => {
  const url = await openAnswering(t, ({ url: asked = '' }, response) => {
    const offset = Number(new URLSearchParams(asked.split('?')[1]).get('offset') ?? 0)
    const licenses = Array.from({ length: offset > 1000 ? 0 : 50 }, (_, n) => ({ id: String(offset + n) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ licenses }))
  })
  const own = await openClient('deep', { url })
  const { code, stderr, stdout } = await own.run(['license', 'find', '--all', '--jsonl', '--json'])
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, 'list_too_long'])
  assert.ok(stdout.trim().split('\n').length > 1000)
})

test('at a terminal it is said that a command is at work once that takes a second, and taken back', async (t) => {
  const drawn = Promise.withResolvers<void>()
  const terminal = terminalOf()
  const url = await openAnswering(t, async (_, response) => {
    await drawn.promise
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"licenses":[]}')
  })
  const own = await openClient('waiting', { url, product: '1' })
  const write = terminal.write.bind(terminal)
  terminal.write = (text: string | Uint8Array) => {
    if (String(text).includes('license find …')) drawn.resolve()
    return write(text)
  }
  const { code } = await own.run(['license', 'find'], { terminal })
  assert.equal(code, 0)
  assert.match(terminal.seen().replaceAll('\u001b', '^'), /license find … 1 s[^]*\r\^\[K$/)
})
