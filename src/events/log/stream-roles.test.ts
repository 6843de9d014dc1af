// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { read, streamOf } from '../../../test/event-stream.ts'
import { accessHeader, joinTeam, logIn, setPassword } from '../../../test/logins.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import { deliverAll } from '../../../test/webhooks.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('stream_roles')
  await setPassword(app)
})
after(() => app.close())

test('an open stream shows each event as the role of its reader is then, and none to who was removed', async () => {
  const owner = await logIn(app)
  const { json: member } = await owner.call('POST', '/members.json', {
    body: { email: 'member@example.com', role: 'admin' },
  })
  const access = await accessHeader(app, await joinTeam(app, member.id))
  const { developer, product } = app.seller
  const { licenseId } = await subscribed(app)
  const license = `/products/${product.id}/licenses/${licenseId}.json`
  const change = async (body: object) => {
    const { status, text } = await app.call('PUT', license, { body })
    assert.equal(status, 200, text)
    await deliverAll(app)
  }
  const url = streamOf(app).replace('/v1/', `/v1/developers/${developer.id}/`)
  await deliverAll(app)
  const reader = await read(app, { ...access, url })
  await change({ quota: 6 })
  await reader.has(1)
  const asAdmin = reader.seen[0]?.data ?? ''
  assert.match(asAdmin, /"secret_key":"sk_/)

  const demoted = await owner.call('PUT', `/members/${member.id}.json`, { body: { role: 'developer' } })
  assert.equal(demoted.status, 200, demoted.text)
  await change({ quota: 7 })
  await reader.has(2)
  const asDeveloper = JSON.parse(reader.seen[1]?.data ?? '')
  assert.equal(asDeveloper.objects.license.id, String(licenseId))
  assert.ok(!('secret_key' in asDeveloper.objects.license), JSON.stringify(asDeveloper))

  const removed = await owner.call('DELETE', `/members/${member.id}.json`)
  assert.equal(removed.status, 204, removed.text)
  await change({ quota: 8 })
  await reader.ended
  assert.equal(reader.seen.length, 2)
})
