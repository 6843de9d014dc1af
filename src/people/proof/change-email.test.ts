import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asInstall, asUser, type CallAs } from '../../../test/callers.ts'
import { createInstallOf, keysOf } from '../../../test/installs.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('change_email')
})
after(() => app.close())

let count = 0

/** A user whose address is proven, with a caller that holds its keys. */
async function person(product = app.seller.product) {
  const email = `before${++count}@example.com`
  const body = { email, name: 'Ada Lovelace', is_verified: true }
  const { json } = await app.call('POST', `/products/${product.id}/users.json`, {
    body,
    token: product.token,
  })
  const keys = { id: Number(json.id), publicKey: json.public_key, secretKey: json.secret_key }
  return { id: String(json.id), email, call: asUser(app, keys) }
}

const ask = (call: CallAs, body: object) =>
  call('PUT', `.json?plugin_id=${app.seller.product.id}&fields=id,email,is_verified`, body)

/** The path that the last mail to an address has. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(app, email)).at(-1)
  return /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(mail?.text ?? '')?.[1] ?? 'no link'
}

const follow = (path: string, method = 'POST') => fetch(app.address + path, { method, redirect: 'manual' })

/** Follows the link that the address was mailed which a user has, who has asked for another one. */
async function agreeAt(email: string): Promise<void> {
  assert.equal((await follow(await linkTo(email))).status, 200)
}

const addressOf = async (id: string) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)).json.email as string

const eventsOf = async (id: string) => {
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${id}/events.json`)
  return json.events as { type: string; data: unknown; event_trigger: string }[]
}

test('a user changes its address: it is confirmed at both, and told to the old one', async () => {
  const { id, email, call } = await person()
  const reply = await ask(call, { email: 'After@example.com' })
  assert.deepEqual([reply.status, reply.json], [200, { id, email, is_verified: true }])
  const link = await linkTo('After@example.com')
  assert.equal((await follow(link, 'GET')).status, 200)
  assert.equal(await addressOf(id), email, 'reading the page changes nothing')
  assert.equal(kindsOf(await mailsTo(app, email)), 'confirm_email_change', 'nothing has happened yet')

  await agreeAt(email)
  assert.equal((await follow(link)).status, 200)
  assert.equal(await addressOf(id), 'After@example.com')
  const told = (await mailsTo(app, email)).at(-1)
  assert.equal(told?.kind, 'email_changed')
  assert.match(told?.text ?? '', /After@example\.com/)
  const [event] = await eventsOf(id)
  assert.deepEqual(
    [event?.type, event?.event_trigger, event?.data],
    ['user.email.changed', 'user', { user_id: id, from: email, to: 'After@example.com' }],
  )
  const found = await app.call('GET', `/products/${app.seller.product.id}/users.json?email=after@example.com`)
  assert.deepEqual(
    found.json.users.map((user: { id: string }) => user.id),
    [id],
  )
  assert.equal((await follow(link)).status, 404, 'a link works once')
})

test('the address is that of the person in every product of the seller', async () => {
  const { id, email } = await person()
  const { other } = app.seller
  const body = { email, name: 'Ada' }
  await app.call('POST', `/products/${other.id}/users.json`, { body, token: other.token })
  const asked = await (
    await asDeveloper(app)
  )('PUT', `/products/${app.seller.product.id}/users/${id}.json`, { email: 'everywhere@example.com' })
  assert.equal(asked.status, 200, asked.text)
  await follow(await linkTo('everywhere@example.com'))
  const { json } = await app.call('GET', `/products/${other.id}/users.json?email=everywhere@example.com`, {
    token: other.token,
  })
  assert.deepEqual([json.users[0]?.id, json.users[0]?.email], [id, 'everywhere@example.com'])
})

test('an address that is unproven is proven by the link', async () => {
  const { product } = app.seller
  const body = { email: 'typo@example.con', name: 'Ty Po' }
  const { json: made } = await app.call('POST', `/products/${product.id}/users.json`, { body })
  const path = `/products/${product.id}/users/${made.id}.json`
  assert.equal((await app.call('PUT', path, { body: { email: 'typo@example.com' } })).status, 200)
  await follow(await linkTo('typo@example.com'))
  const { json } = await app.call('GET', path)
  assert.deepEqual([json.email, json.is_verified], ['typo@example.com', true])
})

test('an address of somebody else of the account is user_exist, and nothing else is written', async () => {
  const [one, two] = [await person(), await person()]
  const { status, json } = await ask(one.call, { email: two.email.toUpperCase(), name: 'Bob' })
  assert.deepEqual([status, json.error.code], [400, 'user_exist'])
  const { json: user } = await app.call('GET', `/products/${app.seller.product.id}/users/${one.id}.json`)
  assert.deepEqual([user.email, user.first], [one.email, 'Ada'])
  assert.deepEqual(await mailsTo(app, two.email), [])
})

test('the address is taken while the mail waits: the link says so, and the person keeps its own', async () => {
  const { id, email, call } = await person()
  await ask(call, { email: 'wanted@example.com' })
  await agreeAt(email)
  const link = await linkTo('wanted@example.com')
  const body = { email: 'wanted@example.com', name: 'Quick', is_verified: true }
  await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body })
  const page = await follow(link)
  assert.equal(page.status, 400)
  assert.match(await page.text(), /another user with this address/)
  assert.equal(await addressOf(id), email)
  assert.equal((await eventsOf(id))[0]?.type, 'user.created')
})

test('two persons race for one address: one gets it', async () => {
  const people = [await person(), await person()]
  const links: string[] = []
  for (const { call, email } of people) {
    await ask(call, { email: 'raced@example.com' })
    await agreeAt(email)
    links.push(await linkTo('raced@example.com'))
  }
  const replies = await Promise.all(links.map((link) => follow(link)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400])
  const addresses = await Promise.all(people.map(({ id }) => addressOf(id)))
  assert.equal(addresses.filter((address) => address === 'raced@example.com').length, 1)
})

test('of two changes that are asked for the later one counts, and ten uses of its link at once make one change', async () => {
  const { id, email, call } = await person()
  await ask(call, { email: 'earlier@example.com' })
  const earlier = await linkTo('earlier@example.com')
  const agreed = await linkTo(email)
  await ask(call, { email: 'later@example.com' })
  assert.equal((await follow(agreed)).status, 404)
  await agreeAt(email)
  const later = await linkTo('later@example.com')
  assert.equal((await follow(earlier)).status, 404)
  const replies = await Promise.all(Array.from({ length: 10 }, () => follow(later)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.equal(await addressOf(id), 'later@example.com')
  assert.equal((await eventsOf(id)).filter(({ type }) => type === 'user.email.changed').length, 1)
})

test('a link that waits for the old address is over', async () => {
  const { product } = app.seller
  const body = { email: 'old-mailbox@example.com', name: 'Old Box' }
  const { json: made } = await app.call('POST', `/products/${product.id}/users.json`, { body })
  const old = await linkTo('old-mailbox@example.com')
  await app.call('PUT', `/products/${product.id}/users/${made.id}.json`, {
    body: { email: 'new-mailbox@example.com' },
  })
  await follow(await linkTo('new-mailbox@example.com'))
  await follow(old)
  assert.equal(await addressOf(made.id), 'new-mailbox@example.com')
  const verified = (await eventsOf(made.id)).filter(({ type }) => type === 'user.email.verified')
  assert.equal(verified.length, 1)
})

test('who reads the former address connects no site with the person any more, and agrees to no other owner', async () => {
  const { id, email, call } = await person()
  const install = await createInstallOf(app, { id })
  assert.equal((await optInByServer(app, optInForm(app, email))).json.pending_activation, true)
  const asked = { email: 'next-owner@example.com' }
  assert.ok((await asInstall(app, keysOf(install))('PUT', `/users/${id}.json`, asked)).status < 300)
  const texts = (await mailsTo(app, email)).map(({ text }) => text).join(' ')
  const [, site = ''] = /http:\/\/keywright\.test(\/confirm-activation\/\S+)/.exec(texts) ?? []
  const [, owner = ''] = /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(texts) ?? []
  for (const link of [site, owner]) assert.equal((await follow(link, 'GET')).status, 200)
  await ask(call, { email: 'moved-on@example.com' })
  await agreeAt(email)
  assert.equal((await follow(await linkTo('moved-on@example.com'))).status, 200)
  for (const link of [site, owner])
    assert.deepEqual([(await follow(link, 'GET')).status, (await follow(link)).status], [404, 404], link)
})

test('the way back leads to a site of the user or a host of the list, and nowhere else', async () => {
  const { id, email: former, call } = await person()
  const { product } = app.seller
  const uid = 'c'.repeat(32)
  const install = await app.call('POST', `/products/${product.id}/users/${id}/installs.json`, {
    body: { uid, url: 'https://ada.example.org', version: '1.0.0' },
  })
  assert.ok(install.status < 300, install.text)
  const back = 'https://ada.example.org/wp-admin/admin.php?fs_action=sync_user'
  const email = 'way-back@example.com'
  assert.equal((await ask(call, { email, after_email_confirm_url: back })).status, 200)
  await agreeAt(former)
  const done = await follow(await linkTo(email))
  assert.deepEqual([done.status, done.headers.get('location')], [303, back])
  const evil = await ask(call, { email: 'x@example.com', after_email_confirm_url: 'https://evil.example/' })
  assert.deepEqual([evil.status, evil.json.error.details?.[0]?.field], [400, 'after_email_confirm_url'])
  assert.equal(kindsOf(await mailsTo(app, 'x@example.com')), '')
})

test('a user asks for five addresses in an hour, those that are refused too; the seller as often as he wants', async () => {
  const [{ id, email, call }, other] = [await person(), await person()]
  for (let n = 0; n < 3; n++) assert.equal((await ask(call, { email: `many${n}@example.com` })).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await ask(call, { email: other.email })).status, 400)
  const sixth = await ask(call, { email: 'many6@example.com' })
  assert.deepEqual([sixth.status, sixth.json.error.code], [429, 'too_many_requests'])
  assert.equal(kindsOf(await mailsTo(app, 'many6@example.com')), '')
  assert.equal((await ask(call, { email })).status, 200, 'its own address is no change')
  const path = `/products/${app.seller.product.id}/users/${id}.json`
  assert.equal((await app.call('PUT', path, { body: { email: 'many7@example.com' } })).status, 200)
  app.ctx.clock.advance(HOUR + 1000)
  assert.equal((await ask(call, { email: 'many8@example.com' })).status, 200)
})

test('addresses that were asked for under a clock that was ahead keep nobody from one when that comes back', async () => {
  const { call } = await person()
  const now = app.ctx.clock.real()
  app.ctx.clock.advance(400 * DAY)
  for (let n = 0; n < 5; n++) assert.equal((await ask(call, { email: `ahead${n}@example.com` })).status, 200)
  assert.equal((await ask(call, { email: 'ahead5@example.com' })).status, 429)
  app.ctx.clock.set(now)
  assert.equal((await ask(call, { email: 'ahead6@example.com' })).status, 200)
})

test('addresses that are asked for and not mailed count too', async () => {
  const email = 'mailed-enough@example.com'
  for (let n = 0; n < 3; n++) assert.equal((await ask((await person()).call, { email })).status, 200)
  const { call } = await person()
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push((await ask(call, { email })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  assert.equal((await mailsTo(app, email)).length, 3)
})

test('of ten addresses that are asked for at once, five get a mail', async () => {
  const { call } = await person()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => ask(call, { email: `at-once${n}@example.com` })),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array<number>(5).fill(200),
    ...Array<number>(5).fill(429),
  ])
})
