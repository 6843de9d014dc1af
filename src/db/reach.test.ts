import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid } from '../../test/activations.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asInstall } from '../../test/callers.ts'
import { createOwner, keysOf } from '../../test/installs.ts'
import { offerFor } from '../../test/licenses.ts'
import { sell } from '../../test/sales.ts'
import { systemScope } from '../access/scope.ts'
import { scoped } from './scoped.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('db_reach')
})
after(() => app.close())

/** A site of a person that was activated by one of its keys, and on which the seller begins a trial without it. */
async function trying(owner: Awaited<ReturnType<typeof createOwner>>, planId: number) {
  const { license } = await sell(app, { owner })
  const { json } = await clientsOf(app).active(license)
  const id = json['install_id'] ?? ''
  const install = asInstall(
    app,
    keysOf({
      id,
      public_key: json['install_public_key'] ?? '',
      secret_key: json['install_secret_key'] ?? '',
    }),
  )
  assert.equal((await install('DELETE', `/licenses/${license.id}.json`)).status, 200)
  const tries = `/products/${app.seller.product.id}/installs/${id}/plans/${planId}/trials.json`
  const trial = await app.call('POST', tries)
  assert.equal(trial.status, 200, trial.text)
  const pair = await app.ctx.db
    .selectFrom('user_keys')
    .select('id')
    .where('install_id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return { id: Number(id), pairId: pair.id, trialId: Number(trial.json.id) }
}

test('a query of the events or trials of a user that starts from own keys has those of their installs alone', async () => {
  const { planId } = await offerFor(app, 1, { plan: { trial_period: 14 } })
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const [one, other] = [await trying(owner, planId), await trying(owner, planId)]
  const { developer, product } = app.seller
  const user = { ...systemScope({ developerId: developer.id, productId: product.id }), userId: owner.id }
  const found = async (reach: Parameters<typeof scoped>[2]['reach']) => {
    const from = { ...user, reach }
    const events = await scoped(app.ctx.db, 'events', from).select().select('install_id').execute()
    const trials = await scoped(app.ctx.db, 'trials', from).select().select('id').execute()
    return {
      installs: new Set(events.map(({ install_id: id }) => id)),
      trials: trials.map(({ id }) => id).toSorted(),
    }
  }
  const whole = await found(undefined)
  assert.ok(whole.installs.has(one.id) && whole.installs.has(other.id))
  assert.deepEqual(whole.trials, [one.trialId, other.trialId].toSorted())
  for (const { id, pairId, trialId } of [one, other]) {
    const own = { installs: new Set([id]), trials: [trialId] }
    assert.deepEqual(await found({ of: 'pair', id: pairId }), own)
    assert.deepEqual(await found({ of: 'install', id }), own)
  }
})
