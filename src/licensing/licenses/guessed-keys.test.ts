import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOwner, holding } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { sell } from '../../../test/sales.ts'
import { readConfig } from '../../config.ts'
import type { License } from './schema.ts'

/** Failures that an address has at once. */
const BURST = 40

let app: TestApp
let user: ReturnType<typeof holding>['user']
let stored: License
before(async () => {
  app = await startTestApp('guessed_keys', { config: { rate: readConfig({ PORT: '0' }).rate } })
  const { license } = await sell(app, { owner: await createOwner(app, `${newUid()}@example.com`) })
  user = holding(app, (await clientsOf(app).active(license)).json).user
  await userOf(app, 'other@example.com')
  stored = await licenseOf(app, 5, { body: { email: 'other@example.com' } })
})
after(() => app.close())

const guesses = (count: number) => Array.from({ length: count }, (_, index) => `KEY-${index}`)

const list = (keys: readonly string[]) =>
  user('GET', `/licenses.json?ids=%2B1&license_keys=${encodeURIComponent(keys.join(','))}`)

const shows = ({ json }: Awaited<ReturnType<typeof list>>) =>
  (json.licenses ?? []).some(({ id }: License) => id === stored.id)

test('keys that an own pair guesses count as look-ups that fail, however many are in a call and at once', async () => {
  const asked = Array.from({ length: 10 }, () => list([...guesses(BURST / 2), stored.secret_key]))
  const replies = await Promise.all(asked)
  const codes = replies.map(({ status }) => status).toSorted()
  assert.deepEqual(codes, [200, 200, ...Array.from({ length: 8 }, () => 429)])
  assert.equal(replies.filter(shows).length, 2, 'what is refused tells nothing')
})

test('one that is right is refused as one that is wrong while the address has no failures left', async () => {
  const refused = async (keys: readonly string[]) => {
    const { status, json } = await list(keys)
    return [status, json.error?.code]
  }
  assert.deepEqual(await refused([stored.secret_key]), await refused(['KEY-1']))
  assert.equal((await list([stored.secret_key])).status, 429)
})

test('a site goes on sending the keys that it has stored', async () => {
  app.ctx.clock.advance(10_000)
  for (let call = 0; call < BURST + 5; call++) {
    const reply = await list([stored.secret_key])
    assert.deepEqual([reply.status, shows(reply)], [200, true])
  }
  assert.equal((await list(['KEY-1', stored.secret_key])).status, 200)
})

test('the seller is not limited', async () => {
  const path = `/products/${app.seller.product.id}/users/${stored.user_id}/licenses.json`
  const keys = encodeURIComponent(guesses(3 * BURST).join(','))
  assert.equal((await app.call('GET', `${path}?ids=%2B1&license_keys=${keys}`)).status, 200)
})
