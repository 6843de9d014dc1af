import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Trial } from './schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('trials_of_user')
})
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`

test("a buyer lists the own trials with their ends, newest first, by state, and nobody else's", async () => {
  const ada = await createOwner(app)
  const bea = await createOwner(app)
  const ids: string[] = []
  for (const owner of [ada, ada, bea]) {
    const { planId } = await offerFor(app, 5, { plan: { trial_period: 14 } })
    const install = await createInstallOf(app, owner)
    const path = own(`/installs/${install.id}/plans/${planId}/trials.json`)
    ids.push(expectOk(await app.call('POST', path)).json.trial.id)
  }
  const [first = '', second = '', others = ''] = ids
  const ended = { canceled_at: '2026-01-31 10:00:00' as UtcTime, notice_at: null }
  await app.write(({ db }) => db.updateTable('trials').set(ended).where('id', '=', Number(first)).execute())
  const of = async (owner: typeof ada, query = ''): Promise<Trial[]> => {
    const { call } = await inPortal(app, owner)
    return expectOk(await call('GET', own(`/trials.json${query}`))).json.trials
  }
  const found = await of(ada)
  assert.deepEqual(
    found.map(({ id, state, trial_ends_at: end }) => [id, state, end]),
    [
      [second, 'running', '2026-02-14 10:00:00'],
      [first, 'cancelled', '2026-02-14 10:00:00'],
    ],
  )
  assert.deepEqual(
    (await of(ada, '?filter=running')).map(({ id }) => id),
    [second],
  )
  assert.deepEqual(
    (await of(ada, '?count=1&offset=1')).map(({ id }) => id),
    [first],
  )
  assert.deepEqual(
    (await of(bea)).map(({ id }) => id),
    [others],
  )
  const bySeller = await app.call('GET', own(`/users/${bea.id}/trials.json`))
  assert.deepEqual(
    bySeller.json.trials.map(({ id }: Trial) => id),
    [others],
  )
  const { call } = await inPortal(app, ada)
  assert.equal((await call('GET', `/../${bea.id}${own('/trials.json')}`)).status, 401)
})
