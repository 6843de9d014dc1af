import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'
import type { Role } from '../../access/roles.ts'
import { createOwner } from '../../../test/installs.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { boughtBy, buy } from '../../../test/reports.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { productScope } from '../../../test/carts.ts'
import { MINUTE } from '../../lib/time.ts'
import type { Timeline, TimelineEntry } from './schema.ts'

let app: TestApp
let call: CallAs
let sale: Awaited<ReturnType<typeof sell>>
/** Of the same product and plan. */
let other: typeof sale

/** What the calls about the product begin with. */
const product = () => `/products/${app.seller.product.id}`
const ofUser = (id = sale.owner.id) => `${product()}/users/${id}/timeline.json`
const ofLicense = (id = sale.license.id) => `${product()}/licenses/${id}/timeline.json`

async function page(path: string, query = '', as = call): Promise<Timeline> {
  const { status, json, text } = await as('GET', `${path}?${query}`)
  assert.equal(status, 200, text)
  return json
}

/** All of it, by pages of `count`. */
async function whole(path: string, count = 50, narrowed = ''): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = []
  for (let before = ''; ;) {
    const { entries, next } = await page(path, `count=${count}${narrowed}${before}`)
    assert.ok(entries.length <= count)
    all.push(...entries)
    if (next === null) return all
    before = `&before=${next}`
  }
}

const idsOf = (entries: readonly TimelineEntry[]) => entries.map(({ id }) => id)
const saidOf = (entries: readonly TimelineEntry[]) => entries.map(({ kind, type }) => `${kind} ${type}`)

before(async () => {
  app = await startTestApp('timeline')
  call = await asDeveloper(app)
  sale = await sell(app)
  other = await sell(app, { offer: sale.offer })
  const write = async (method: 'POST' | 'PUT', path: string, body: object, status: number) => {
    const reply = await call(method, `${product()}${path}`, body)
    assert.equal(reply.status, status, reply.text)
  }
  const license = `/licenses/${sale.license.id}`
  app.ctx.clock.advance(MINUTE)
  // All that follows shares one second.
  await write('PUT', `${license}.json`, { quota: 3 }, 200)
  await write('POST', `${license}/resend.json`, {}, 200)
  await write('POST', `${license}/note.json`, { note: 'Wants an invoice' }, 201)
  await write('POST', `/users/${sale.owner.id}/note.json`, { note: 'Called twice' }, 201)
  await write('POST', `/payments/${sale.payment.id}/note.json`, { note: 'Paid twice' }, 201)
  const clients = clientsOf(app)
  await clients.setLicense(sale.license, { expiration: '2026-01-31 10:00:00' })
  const given = { uid: newUid(), license_key: sale.license.secret_key, url: 'https://a.example.com' }
  assert.equal(await clients.refusal(clients.activate(given)), '400 license_expired')
  await app.refusalsKept()
})
after(() => app.close())

test('the timeline of a license has its events, mails, note, refusals, and who did what, and nothing of another', async () => {
  const entries = await whole(ofLicense())
  const said = saidOf(entries)
  for (const one of [
    'event license.created',
    'event license.quota.changed',
    'event payment.created',
    'event subscription.created',
    'mail license',
    'note note',
    'audit licenses/update',
    'audit licenses/resend-upgrade-email',
    'audit keywright/create-note-of-license',
    'refusal license_expired',
  ]) {
    assert.ok(said.includes(one), `${one} in ${said.join(', ')}`)
  }
  const texts = entries.filter(({ kind }) => kind === 'note').map(({ text }) => text)
  assert.deepEqual(texts, ['Wants an invoice'])
  const others = new Set(idsOf(await whole(ofLicense(other.license.id))))
  assert.ok(others.size > 0)
  assert.deepEqual(
    idsOf(entries).filter((id) => others.has(id)),
    [],
  )
})

test('an entry says who did it by name, what it is about, and how the mail stands', async () => {
  const entries = await whole(ofUser())
  const one = (is: (entry: TimelineEntry) => boolean) => entries.find(is) ?? assert.fail()
  const { id: developer } = app.seller.developer
  const { first, last } = await app.ctx.db
    .selectFrom('developers')
    .select(['first', 'last'])
    .where('id', '=', developer)
    .executeTakeFirstOrThrow()
  const changed = one(({ type }) => type === 'licenses/update')
  assert.deepEqual(changed.actor, { kind: 'developer', id: String(developer), name: `${first} ${last}` })
  assert.deepEqual(changed.about, { kind: 'license', id: sale.license.id })
  assert.ok(changed.request_id)
  const paid = one(({ type }) => type === 'payment.created')
  assert.deepEqual(paid.about, { kind: 'payment', id: String(sale.payment.id) })
  assert.equal(one(({ kind }) => kind === 'mail').state, 'pending')
  const refused = one(({ kind }) => kind === 'refusal')
  assert.equal(refused.count, 1)
  assert.deepEqual(refused.about, { kind: 'license', id: sale.license.id })
})

test('the timeline of a customer has what was done to what it has: its license, its payment', async () => {
  const entries = await whole(ofUser())
  const said = saidOf(entries)
  assert.ok(said.includes('audit licenses/update'), said.join(', '))
  assert.ok(said.includes('audit keywright/create-note-of-user'))
  assert.ok(said.includes('audit keywright/create-note-of-payment'))
  const notes = entries.filter(({ kind }) => kind === 'note').map(({ text }) => text)
  assert.deepEqual(notes, ['Called twice'])
})

test('what shares a second stands with its cause below it, and the latest second comes first', async () => {
  const entries = await whole(ofLicense())
  const times = entries.map(({ created }) => created)
  assert.deepEqual(times, times.toSorted().toReversed())
  const at = (said: string) => saidOf(entries).indexOf(said)
  assert.ok(at('mail license') < at('event license.quota.changed'))
  assert.ok(at('event license.quota.changed') < at('audit licenses/update'))
})

test('pages have neither a gap nor anything twice where two share a second, of whatever size', async () => {
  for (const path of [ofUser(), ofLicense()]) {
    const all = idsOf(await whole(path))
    assert.ok(all.length > 8)
    assert.equal(new Set(all).size, all.length)
    for (const count of [1, 2, 3, 7]) assert.deepEqual(idsOf(await whole(path, count)), all)
  }
})

test('what comes while it is read moves nothing of the pages behind', async () => {
  const all = idsOf(await whole(ofLicense()))
  const first = await page(ofLicense(), 'count=3')
  await call('POST', `${product()}/licenses/${sale.license.id}/resend.json`, {})
  const rest = await page(ofLicense(), `count=50&before=${first.next}`)
  assert.deepEqual([...idsOf(first.entries), ...idsOf(rest.entries)], all)
})

test('a place that none is refused, and so is a user or a license of another product', async () => {
  for (const before of ['x1-1', 'e', 'e1', 'e1-1.e2-2', 'e1-1-m2', '12', 'e999999999999999-1']) {
    const { status, json } = await call('GET', `${ofUser()}?before=${before}`)
    assert.equal(status, 400, before)
    assert.equal(json.error.details[0].field, 'before')
  }
  const elsewhere = `/products/${app.seller.other.id}`
  for (const path of [`users/${sale.owner.id}`, `licenses/${sale.license.id}`]) {
    assert.equal((await call('GET', `${elsewhere}/${path}/timeline.json`)).status, 404)
  }
})

test('a timeline of one environment has what is of it and what is of neither, page by page, and nothing of the other', async () => {
  const ofEach = ['live', 'sandbox'] as const
  const owner = await createOwner(app)
  for (const [environment, name] of ofEach.entries()) {
    const place = { environment: environment as 0 | 1 }
    const { license } = await sell(app, { owner, offer: sale.offer, payment: place, subscription: place })
    await app.ctx.database.transaction((db) =>
      db.updateTable('licenses').set(place).where('id', '=', Number(license.id)).execute(),
    )
    const path = `${product()}/licenses/${license.id}`
    await call('PUT', `${path}.json`, { quota: 3 + environment })
    await call('POST', `${path}/resend.json`, {})
    const clients = clientsOf(app)
    await clients.setLicense(license, { expiration: '2026-01-31 10:00:00' })
    const given = { uid: newUid(), license_key: license.secret_key, url: `https://${name}.example.com` }
    assert.equal(await clients.refusal(clients.activate(given)), '400 license_expired')
  }
  await app.refusalsKept()
  await call('POST', `${product()}/users/${owner.id}/note.json`, { note: 'Called' })
  const all = await whole(ofUser(owner.id))
  const parts = await Promise.all([0, 1].map((one) => whole(ofUser(owner.id), 2, `&environment=${one}`)))
  for (const [environment, part] of parts.entries()) {
    assert.deepEqual(
      part,
      all.filter((entry) => entry.environment === null || entry.environment === environment),
    )
    const own = part.filter((entry) => entry.environment !== null).map(({ kind }) => kind)
    assert.deepEqual([...new Set(own)].toSorted(), ['audit', 'event', 'mail', 'refusal'])
  }
  const shared = all.filter(({ environment }) => environment === null)
  assert.deepEqual(saidOf(shared), ['note note', 'audit keywright/create-note-of-user'])
  assert.equal((await call('GET', `${ofUser(owner.id)}?environment=2`)).status, 400)
})

test('the timeline of a license is of its environment, and asked for the other has no more than what is of neither', async () => {
  const all = await whole(ofLicense())
  assert.deepEqual(await whole(ofLicense(), 50, '&environment=0'), all)
  const other = await whole(ofLicense(), 50, '&environment=1')
  assert.deepEqual(saidOf(other), ['note note'])
})

test('a role is told what it may read', async () => {
  const kinds: Partial<Record<Role, string>> = {}
  for (const role of ['admin', 'developer', 'support', 'accountant'] as const) {
    const { entries } = await page(ofUser(), 'count=50', await asMember(app, role))
    kinds[role] = [...new Set(entries.map(({ kind }) => kind))].toSorted().join(' ')
  }
  assert.deepEqual(kinds, {
    admin: 'audit event mail note refusal',
    developer: 'event mail note refusal',
    support: 'event mail note refusal',
    accountant: 'event mail note refusal',
  })
})

test('a year on the clock with a dunning and its recovery stands in the timeline in its order, each at its time', async () => {
  const { pricingId } = await app.write((tx) => createOffer(tx, productScope(app), 'a year'))
  const { reply } = await buy(app, pricingId, 'test_renewal_attempt_3')
  const { licenseId, payment } = await boughtBy(app, reply)
  await advanceTo(app, '2027-03-31 12:00:00')
  const entries = (await whole(ofLicense(String(licenseId)), 7)).toReversed()
  const year = entries.filter(({ on_clock: at }) => (at ?? '') > '2027-01-01')
  assert.deepEqual(
    year.map(({ on_clock: at, kind, type }) => `${at?.slice(0, 10)} ${kind} ${type}`),
    [
      '2027-01-01 event subscription.renewal_reminder.sent',
      '2027-01-01 mail renewal_reminder',
      '2027-01-31 event subscription.renewal.failed',
      '2027-01-31 event subscription.renewal.failed_email.sent',
      '2027-01-31 mail renewal_failed',
      '2027-02-01 event subscription.renewal.retry',
      '2027-02-01 event subscription.renewal.failed',
      '2027-02-01 event subscription.renewal.failed_email.sent',
      '2027-02-01 event license.expired',
      '2027-02-01 mail renewal_failed',
      '2027-02-04 event subscription.renewal.retry',
      '2027-02-04 event payment.created',
      '2027-02-04 event license.extended',
      '2027-02-04 mail renewed',
    ],
  )
  assert.deepEqual(
    idsOf(await whole(ofUser(payment.user_id), 7))
      .toReversed()
      .slice(-year.length),
    idsOf(year),
  )
})
