import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createOwner, expectOk } from '../../../test/installs.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { asEntered } from '../../../test/portal-sessions.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import { agreeToAddress } from './confirmation-rows.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('both_addresses')
})
after(() => app.close())

let count = 0

/** A user who is in the portal and has asked for another address, with both links that were mailed. */
async function asking() {
  const user = await createOwner(app)
  const wanted = `wanted${++count}@example.com`
  const call = await asEntered(app, user)
  const ask = (email: string) => call('PUT', '.json', { email })
  expectOk(await ask(wanted))
  const { id, email } = user
  return { id: String(id), email, wanted, ask, links: [await linkTo(wanted), await linkTo(email)] as const }
}

/** The path of the last link that an address was mailed. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(app, email)).at(-1)
  return /http:\/\/keywright\.test(\/confirm-email\/\S+)/.exec(mail?.text ?? '')?.[1] ?? 'no link'
}

const follow = (path: string, method = 'POST') => fetch(app.address + path, { method, redirect: 'manual' })
const statusOf = async (path: string) => (await follow(path)).status
const addressOf = async (id: string) =>
  (await app.call('GET', `/products/${app.seller.product.id}/users/${id}.json`)).json.email as string
const changesOf = async (id: string) => {
  const { json } = await app.call('GET', `/products/${app.seller.product.id}/users/${id}/events.json`)
  return json.events.filter(({ type }: { type: string }) => type === 'user.email.changed').length as number
}

test('another address takes both links, in whichever order: neither alone changes anything, and each works once', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { id, email, wanted, links } = await asking()
    const [first, second] = [links[order[0]], links[order[1]]]
    for (const link of links) assert.equal((await follow(link, 'GET')).status, 200)
    const half = await follow(first)
    assert.equal(half.status, 200)
    assert.match(await half.text(), /There is another link in a mail/)
    assert.deepEqual([await addressOf(id), await changesOf(id)], [email, 0])
    for (const method of ['GET', 'POST']) assert.equal((await follow(first, method)).status, 404)
    assert.deepEqual([await addressOf(id), await changesOf(id)], [email, 0])
    assert.equal(await statusOf(second), 200)
    assert.deepEqual([await addressOf(id), await changesOf(id)], [wanted, 1])
    for (const link of links) assert.equal(await statusOf(link), 404)
  }
})

test('who has the session of a buyer and no mailbox of theirs gets no other address for them', async () => {
  const { id, email, wanted, ask, links } = await asking()
  assert.equal(await statusOf(links[0]), 200, 'the one that was asked for is the thief’s')
  expectOk(await ask(wanted))
  assert.equal(await statusOf(await linkTo(wanted)), 200)
  assert.equal(await statusOf(links[1]), 404, 'what was asked before is over')
  assert.equal(await addressOf(id), email)
  const mails = await mailsTo(app, email)
  assert.equal(kindsOf(mails), 'confirm_email_change confirm_email_change')
  assert.ok(mails.every(({ text }) => text.includes(wanted)))
})

test('both links are over after a day, that of one whose other one was followed too', async () => {
  for (const isHalf of [true, false]) {
    const { id, email, links } = await asking()
    if (isHalf) assert.equal(await statusOf(links[0]), 200)
    app.ctx.clock.advance(DAY - SECOND)
    assert.equal((await follow(links[1], 'GET')).status, 200)
    app.ctx.clock.advance(SECOND)
    for (const link of links) assert.equal(await statusOf(link), 404)
    assert.equal(await addressOf(id), email)
  }
})

test('both links followed ten times at once make one change', async () => {
  const { id, wanted, links } = await asking()
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => statusOf(links[n % 2] ?? '')))
  assert.equal(statuses.filter((status) => status === 200).length, 2)
  assert.deepEqual([await addressOf(id), await changesOf(id)], [wanted, 1])
})

test('a link is used by the statement that notes it, whoever looked before: once, and by the later one of both all is done', async () => {
  const { id } = await asking()
  const row = await app.ctx.db
    .selectFrom('email_confirmations')
    .select('id')
    .where('user_id', '=', Number(id))
    .where('former_hash', 'is not', null)
    .executeTakeFirstOrThrow()
  const use = (at: 'wanted' | 'former') =>
    app.write(({ db, clock }) => agreeToAddress(db, { ...row, at }, clock.now()))
  const first = await Promise.all([use('wanted'), use('wanted')])
  assert.deepEqual(first.filter(Boolean), [{ isByBoth: false }])
  const second = await Promise.all([use('former'), use('former')])
  assert.deepEqual(second.filter(Boolean), [{ isByBoth: true }])
})

test('the seller answers for a customer: the address that is wanted is asked alone', async () => {
  const { id, email } = await createOwner(app)
  const byDeveloper = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/users/${id}.json`
  expectOk(await byDeveloper('PUT', path, { email: 'by-seller@example.com' }))
  assert.deepEqual(await mailsTo(app, email), [])
  assert.equal(await statusOf(await linkTo('by-seller@example.com')), 200)
  assert.equal(await addressOf(String(id)), 'by-seller@example.com')
})
