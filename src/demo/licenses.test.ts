// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'

test('the demo has licenses of every kind, whose counters are their installs, and names one of each', async (t) => {
  const { ctx, examples, get } = await startDemo(t, 'demo_licenses')
  const license = await get(`/licenses/${examples['license_id']}.json`)
  assert.equal(license.secret_key, examples['license_key'])
  assert.ok(license.activated > 0 && license.activated < license.quota, 'there is room for another install')
  assert.equal((await get(`/licenses/${examples['lifetime_license_id']}.json`)).expiration, null)
  for (const filter of ['active', 'expired', 'cancelled', 'abandoned']) {
    assert.ok((await get(`/licenses.json?filter=${filter}`)).licenses.length > 0, filter)
  }
  const rows = await ctx.db.selectFrom('licenses').select(['id', 'activated', 'activated_local']).execute()
  const installs = await ctx.db.selectFrom('installs').select(['id', 'license_id', 'counted_as']).execute()
  const orphans = await ctx.db.selectFrom('licenses').select('id').where('user_id', 'is', null).execute()
  const ofNobody = orphans.filter(({ id }) => installs.some(({ license_id: on }) => on === id))
  assert.deepEqual(ofNobody, [], 'what is in use is somebody’s')
  assert.ok(installs.some(({ id, license_id: on }) => String(id) === examples['install_id'] && on !== null))
  for (const { id, activated, activated_local: local } of rows) {
    const on = (as: string) => installs.filter((one) => one.license_id === id && one.counted_as === as).length
    assert.deepEqual([activated, local], [on('production'), on('local')])
  }
})

test('the demo names a key for each refusal of an activation', async (t) => {
  const { base, examples } = await startDemo(t, 'demo_refusals')
  const refusal = async (license_key: string | undefined, uid = 'd'.repeat(32)) => {
    const response = await fetch(`${base}/licenses/activate.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ license_key, uid, url: 'https://shop.example.com' }),
    })
    const { error } = (await response.json()) as { error?: { code: string } }
    return [response.status, error?.code]
  }
  assert.deepEqual(await refusal(examples['cancelled_license_key']), [400, 'license_cancelled'])
  assert.deepEqual(await refusal(examples['expired_license_key']), [400, 'license_expired'])
  assert.deepEqual(await refusal(examples['used_up_license_key']), [400, 'license_utilized'])
  assert.deepEqual(await refusal('sk_nobody'), [404, 'invalid_license_key'])
  assert.deepEqual(await refusal(examples['license_key'], 'short'), [400, 'invalid_uid'])
  assert.equal((await refusal(examples['orphan_license_key']))[0], 402)
  assert.deepEqual(await refusal(examples['license_key']), [200, undefined])
})
