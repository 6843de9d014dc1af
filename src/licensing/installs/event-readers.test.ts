import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser, type CallAs } from '../../../test/callers.ts'
import { createOwner, expectOk, holding, keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { DAY } from '../../lib/time.ts'

const NOTE = 'a remark of the seller'
const FRIEND = 'friend@private.example'
const IP = '203.0.113.99'

let app: TestApp
before(async () => {
  app = await startTestApp('event_readers')
})
after(() => app.close())
beforeEach(() => app.ctx.clock.advance(DAY))

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

/** A user with a remark, and all who read the events of an install that was activated by its key. */
async function readers() {
  const owner = await createOwner(app)
  expectOk(await app.call('POST', at(`/users/${owner.id}/note.json`), { body: { note: NOTE } }))
  await app.write(({ db }) => db.updateTable('users').set({ ip: IP }).where('id', '=', owner.id).execute())
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const { json, installId: id } = await clientsOf(app).active(license)
  const { user, install } = holding(app, json)
  const whole = asUser(app, owner)
  expectOk(await whole('PUT', `/installs/${id}.json`, { user_email: FRIEND }))
  const read = async (as: CallAs, path = `/installs/${id}/events.json`) => expectOk(await as('GET', path))
  return { owner, whole, read, user, install, id }
}

test("the seller's remark on a user is in the events that the seller reads, and in those of nobody else", async () => {
  const { owner, read, whole, user, install, id } = await readers()
  const own = [await read(whole), await read(user), await read(install, '/events.json')]
  for (const { text, json } of own) {
    assert.ok(!text.includes(NOTE), text)
    assert.equal(json.events[0].objects.user.note, '')
  }
  assert.equal(own[0]?.json.events[0].objects.user.email, owner.email)
  const sellers = await app.call('GET', at(`/installs/${id}/events.json`))
  assert.equal(sellers.json.events[0].objects.user.note, NOTE)
})

test('an install whose keys are of whole reach reads of its user in events what it reads of it otherwise', async () => {
  const { owner, whole } = await readers()
  const made = expectOk(await whole('POST', '/installs.json', { uid: newUid(), url: 'https://a.example' }))
  const install = asInstall(app, keysOf(made.json))
  const { json: user } = await install('GET', `/users/${owner.id}.json`)
  const { json } = expectOk(await install('GET', '/events.json'))
  for (const name of ['email', 'note', 'ip', 'gross', 'last_login_at', 'email_status', 'first']) {
    assert.equal(json.events[0].objects.user[name], user[name], name)
  }
  assert.deepEqual([user.email, user.ip], ['', null])
})

test('what was ever paid on an install is told to who has proven to be its owner, and to no keys of own reach', async () => {
  const { read, whole, user, install, id } = await readers()
  await app.write(({ db }) =>
    db.updateTable('installs').set({ gross: 4_999 }).where('id', '=', Number(id)).execute(),
  )
  const told = async (as: CallAs, path: string, events: string) => {
    const [event] = (await read(as, events)).json.events
    return [(await read(as, path)).json.gross, event.objects.install.gross]
  }
  const [path, events] = [`/installs/${id}.json`, `/installs/${id}/events.json`]
  assert.deepEqual(await told(whole, path, events), [49.99, 49.99])
  assert.deepEqual(await told(user, path, events), [0, 0])
  assert.deepEqual(await told(install, '.json', '/events.json'), [0, 0])
})

test('who is asked for as the next owner of an install is named to the seller alone', async () => {
  const { read, whole, user, install, id } = await readers()
  for (const reply of [await read(whole), await read(user), await read(install, '/events.json')]) {
    const asked = reply.json.events.find(
      ({ type }: { type: string }) => type === 'install.ownership.initiated',
    )
    assert.deepEqual(asked.data, { install_id: id })
    assert.ok(!reply.text.includes(FRIEND), reply.text)
  }
  const [asked] = (await app.call('GET', at('/events.json?type=install.ownership.initiated'))).json.events
  assert.deepEqual(asked.data, { install_id: id, email: FRIEND })
})
