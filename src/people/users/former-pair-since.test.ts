import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callBy, formerRows, type formerPairs } from '../../../test/former-rows.ts'
import { formerKeys, formerShop, settledAt, startUpgraded } from '../../../test/former-shops.ts'

/** The last schema that left the pairs of moved sites whole. */
const SETTLED = 65

const [OWNER, NEXT] = [1, 2]
const [ONE, TWO, BESIDE] = [11, 12, 13]
const SINCE = { created: '2026-02-01 10:00:00' }

/** An owner with two licenses whose former site is another's; sites of key holders came after pairs had a reach. */
async function shop() {
  const { former, add, pairs, pairOf } = await formerShop('former_pair_since')
  for (const id of [OWNER, NEXT]) {
    const email = `person${id}@example.com`
    await add('users', { id, developer_id: 1, email, email_folded: email, is_verified: 1 })
  }
  const held = { product_id: 1, user_id: OWNER, email_folded: 'person1@example.com' }
  await add('product_users', { ...held, ...pairOf('user 1', 'product_users.secret_key') })
  for (const id of [ONE, TWO]) {
    const secret_key = formerKeys.seal(`sk_license_${id}`, 'licenses.secret_key')
    await add('licenses', { id, product_id: 1, user_id: OWNER, plan_id: 1, secret_key })
  }
  const data = JSON.stringify({ install_id: '1', from: String(OWNER), to: String(NEXT) })
  const told = { developer_id: 1, product_id: 1, user_id: NEXT, type: 'install.ownership.completed', data }
  await add('events', { id: 1, ...told })
  await former.database.close()
  const settled = await settledAt(former, SETTLED)
  await handOut(await formerRows(settled), pairOf)
  await settled.close()
  return { former, pairs }
}

/** Each site has a pair of its own; that which the last one's was handed out for is deleted. */
async function handOut(
  add: Awaited<ReturnType<typeof formerRows>>,
  pairOf: ReturnType<typeof formerPairs>['pairOf'],
): Promise<void> {
  for (const id of [ONE, TWO, BESIDE]) {
    const license_id = id === BESIDE ? null : id
    const place = { product_id: 1, user_id: OWNER, reach: 'own', ...SINCE }
    const site = { site_id: 1, uid: String(id).padStart(32, '0'), license_id }
    const counted_as = license_id === null ? null : 'production'
    await add('installs', {
      id,
      ...place,
      ...site,
      counted_as,
      ...pairOf(`install ${id}`, 'installs.secret_key'),
    })
    const install_id = id === BESIDE ? null : id
    await add('user_keys', { id, ...place, install_id, ...pairOf(`of ${id}`, 'user_keys.secret_key') })
    await add('user_key_installs', { user_key_id: id, install_id: id, signs: 1 })
    if (license_id !== null) await add('user_key_licenses', { user_key_id: id, license_id })
  }
}

test('sites that keys were handed out for since have the licenses of one another no more than before', async (t) => {
  const { former, pairs } = await shop()
  const { at, close } = await startUpgraded(former, 'former_pair_since')
  t.after(close)
  const call = (who: 'user' | 'install', id: number, rest: string, written?: object) => {
    const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(`${who} ${id}`) ?? {}
    const pair = { id, publicKey, secretKey }
    return callBy(at, { pair, path: `/v1/${who}s/${id}${rest}`, ...(written && { written }) })
  }
  const { status, json } = await call('user', OWNER, '/licenses.json')
  assert.deepEqual([status, json.licenses], [200, []])
  const taken: number[] = []
  // A site puts a license that its keys reach on itself without the key.
  for (const [id, licenseId] of [
    [ONE, TWO],
    [TWO, ONE],
    [BESIDE, ONE],
    [ONE, ONE],
  ] as const) {
    taken.push((await call('install', id, `/licenses/${licenseId}.json`, {})).status)
  }
  assert.deepEqual(taken, [404, 404, 404, 200])
})
