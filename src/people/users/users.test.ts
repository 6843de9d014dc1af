import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type CallOptions, type Method, type TestApp } from '../../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('users')
})
after(() => app.close())

const call = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.product.id}${path}`, options)
const otherCall = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.other.id}${path}`, { token: app.seller.other.token, ...options })

let count = 0
const person = (more: object = {}) => ({
  email: `person${++count}@example.com`,
  name: 'Ada King Lovelace',
  ...more,
})

async function create(more: object = {}) {
  const { status, json, text } = await call('POST', '/users.json', { body: person(more) })
  assert.equal(status, 200, text)
  return json as Record<string, unknown> & { id: string; email: string }
}

const eventsOf = async (id: string) => {
  const { json } = await call('GET', `/users/${id}/events.json`)
  return json.events as { type: string; data: unknown; objects: { user: Record<string, unknown> } }[]
}

const mailsTo = (email: string) =>
  app.ctx.db.selectFrom('mails').selectAll().where('recipient', '=', email).execute()

test('a created user can be read back with its keys, every field present', async () => {
  const created = await create({
    password: 'correct horse battery',
    ip: '2001:db8::1',
    is_marketing_allowed: true,
  })
  const read = await call('GET', `/users/${created.id}.json`)
  assert.deepEqual(read.json, created)
  const { id, email, public_key: publicKey, secret_key: secretKey, ...rest } = created
  assert.match(id, /^[1-9]\d*$/)
  assert.match(String(publicKey), /^pk_[\w-]{29}$/)
  assert.match(String(secretKey), /^sk_[\w-]{29}$/)
  assert.equal(email, `person${count}@example.com`)
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    updated: null,
    note: '',
    is_marketing_allowed: true,
    is_beta: false,
    first: 'Ada',
    last: 'King Lovelace',
    picture: '',
    ip: '2001:db8::1',
    is_verified: false,
    auth: 'password',
    gross: 0,
    last_login_at: null,
    email_status: null,
  })
})

test('the rules of create user: what is missing is 402, what is malformed 400, all named at once', async () => {
  const missing = await call('POST', '/users.json', { body: {} })
  assert.equal(missing.status, 402)
  assert.deepEqual(
    missing.json.error.details.map(({ field }: { field: string }) => field),
    ['email', 'first', 'last'],
  )
  const malformed = await call('POST', '/users.json', {
    body: {
      email: 'no',
      password: 'short',
      ip: '1.2.3',
      picture: 'javascript:alert(1)',
      name: 7,
      source: 'x',
      after_email_confirm_url: 'https://elsewhere.example.com/',
    },
  })
  assert.equal(malformed.status, 400)
  assert.deepEqual(malformed.json.error.details.map(({ field }: { field: string }) => field).toSorted(), [
    'after_email_confirm_url',
    'email',
    'ip',
    'name',
    'password',
    'picture',
    'source',
  ])
  const common = await call('POST', '/users.json', { body: person({ password: 'password1' }) })
  assert.match(common.json.error.details[0].message, /most common/)
})

test('first and last stand in for a name', async () => {
  const { id: _id, ...rest } = await create({ name: undefined, first: 'Grace', last: 'Hopper' })
  assert.equal(`${String(rest['first'])} ${String(rest['last'])}`, 'Grace Hopper')
})

test('a person the account knows is linked to the product and keeps what it had', async () => {
  const first = await create({ is_verified: true, picture: 'https://example.com/a.png' })
  const linked = await otherCall('POST', '/users.json', {
    body: {
      email: first.email.toUpperCase(),
      name: 'Somebody Else',
      password: 'another password',
      is_verified: false,
    },
  })
  assert.equal(linked.status, 200, linked.text)
  assert.equal(linked.json.id, first.id)
  assert.equal(linked.json.first, 'Ada')
  assert.equal(linked.json.email, first.email)
  assert.equal(linked.json.is_verified, true)
  assert.equal(linked.json.picture, 'https://example.com/a.png')
  assert.notEqual(linked.json.secret_key, first['secret_key'], 'a key pair opens one product')
})

test('creating a user of the product again changes and records nothing', async () => {
  const user = await create()
  const again = await call('POST', '/users.json', { body: { email: user.email, name: 'Other Name' } })
  assert.deepEqual(again.json, user)
  assert.equal((await eventsOf(user.id)).length, 1)
})

test('twenty creations of one address race: one person, one link, one event', async () => {
  const body = person()
  const replies = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/users.json', { body })))
  const ids = new Set(replies.map(({ json }) => json.id))
  assert.deepEqual([replies.every(({ status }) => status === 200), ids.size], [true, 1])
  assert.equal((await eventsOf(String([...ids][0]))).length, 1)
})

test('a product without the setting creates users only for a migration', async () => {
  const allow = (value: boolean) =>
    app.write(({ db }) =>
      db
        .updateTable('products')
        .set({ can_create_users: value })
        .where('id', '=', app.seller.product.id)
        .execute(),
    )
  await allow(false)
  try {
    const refused = await call('POST', '/users.json', { body: person() })
    assert.equal(refused.status, 401)
    await create({ is_migration: 'true', source: 'edd' })
  } finally {
    await allow(true)
  }
})

test('the source of a migration is taken in any case', async () => {
  const sourceOf = async (source: unknown) => {
    const { id } = await create({ is_migration: true, source })
    const [link] = await app.ctx.db
      .selectFrom('product_users')
      .select('source')
      .where('user_id', '=', Number(id))
      .execute()
    return link?.source
  }
  for (const source of ['edd', 'EDD', 'EasyDigitalDownloads']) assert.equal(await sourceOf(source), 2, source)
  assert.equal(await sourceOf('WooCommerce'), 3)
  for (const source of ['EDD2', '', 2, null, ['EDD']]) {
    const { status } = await call('POST', '/users.json', { body: person({ is_migration: true, source }) })
    assert.equal(status, 400, String(source))
  }
})

test('a migration sends no mail and records no event', async () => {
  const user = await create({ is_migration: true })
  assert.deepEqual(await eventsOf(user.id), [])
  assert.deepEqual(await mailsTo(user.email), [])
  const link = await app.ctx.db
    .selectFrom('product_users')
    .select('source')
    .where('user_id', '=', Number((await create({ is_migration: 1, source: 'lemonsqueezy' })).id))
    .executeTakeFirst()
  assert.equal(link?.source, 11)
})

test('an update writes what differs, records it, and keeps the rest', async () => {
  const user = await create()
  app.ctx.clock.advance(60_000)
  const body = { name: 'Grace Hopper', is_beta: true, is_marketing_allowed: false }
  const updated = await call('PUT', `/users/${user.id}.json`, { body })
  assert.equal(updated.status, 200, updated.text)
  assert.deepEqual(updated.json, {
    ...user,
    first: 'Grace',
    last: 'Hopper',
    is_beta: true,
    is_marketing_allowed: false,
    updated: '2026-01-31 10:01:00',
  })
  const events = await eventsOf(user.id)
  assert.deepEqual(events.map(({ type }) => type).toSorted(), [
    'user.beta_program.opted_in',
    'user.created',
    'user.marketing.opted_out',
    'user.name.changed',
  ])
  const renamed = events.find(({ type }) => type === 'user.name.changed')
  assert.deepEqual(renamed?.data, {
    user_id: user.id,
    from: { first: 'Ada', last: 'King Lovelace' },
    to: { first: 'Grace', last: 'Hopper' },
  })
  await call('PUT', `/users/${user.id}.json`, { body: { is_beta: false } })
  const out = (await eventsOf(user.id)).filter(({ type }) => type === 'user.beta_program.opted_out')
  assert.deepEqual(
    out.map(({ data }) => data),
    [{ user_id: user.id }],
  )
})

test('an update that changes nothing writes and records nothing', async () => {
  const user = await create()
  const same = await call('PUT', `/users/${user.id}.json`, { body: { first: 'Ada', is_beta: false } })
  assert.deepEqual(same.json, user)
  assert.equal((await eventsOf(user.id)).length, 1)
})

test('consent is yes, no, or not decided yet', async () => {
  const user = await create({ is_marketing_allowed: true })
  for (const value of [null, true, false]) {
    const { json } = await call('PUT', `/users/${user.id}.json`, { body: { is_marketing_allowed: value } })
    assert.equal(json.is_marketing_allowed, value)
  }
  assert.deepEqual((await eventsOf(user.id)).map(({ type }) => type).slice(0, 3), [
    'user.marketing.opted_out',
    'user.marketing.opted_in',
    'user.marketing.reset',
  ])
})

test('an empty name is refused', async () => {
  const user = await create()
  const { status, json } = await call('PUT', `/users/${user.id}.json`, { body: { first: '  ' } })
  assert.deepEqual([status, json.error.details], [400, [{ field: 'first', message: 'must not be empty' }]])
})

test('a name whose parts are longer than first and last may be is refused, so that what is stored can be written back', async () => {
  const user = await create()
  const names = { first: 'x'.repeat(100), last: 'y'.repeat(150) }
  for (const name of [`${names.first}x Y`, `X ${names.last}y`, 'z'.repeat(101)]) {
    const answers = [
      await call('POST', '/users.json', { body: person({ name }) }),
      await call('PUT', `/users/${user.id}.json`, { body: { name } }),
    ]
    for (const { status, json } of answers) {
      assert.equal(status, 400)
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['name'],
      )
    }
  }
  const longest = await create({ name: `${names.first} ${names.last}` })
  assert.deepEqual({ first: longest['first'], last: longest['last'] }, names)
  const same = await call('PUT', `/users/${longest.id}.json`, { body: names })
  assert.deepEqual(same.json, longest)
})

test("another product's user is not found", async () => {
  const user = await create()
  for (const [method, path] of [
    ['GET', `/users/${user.id}.json`],
    ['PUT', `/users/${user.id}.json`],
    ['GET', `/users/${user.id}/billing.json`],
    ['PUT', `/users/${user.id}/billing.json`],
    ['GET', `/users/${user.id}/events.json`],
  ] as const) {
    const { status } = await otherCall(method, path, method === 'PUT' ? { body: { first: 'X' } } : {})
    assert.equal(status, 404, `${method} ${path}`)
  }
  assert.equal((await call('GET', `/users/${user.id}.json`)).json.first, 'Ada')
})

test('fields returns exactly the named fields of the items', async () => {
  const user = await create()
  const one = await call('GET', `/users/${user.id}.json?fields=email,nothing,id`)
  assert.deepEqual(one.json, { id: user.id, email: user.email })
  const none = await call('GET', `/users/${user.id}.json?fields=password_hash`)
  assert.deepEqual(none.json, {})
})
