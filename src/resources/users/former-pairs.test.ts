import assert from 'node:assert/strict'
import { test, type TestContext as Running } from 'node:test'
import { testContext, TEST_SECRET } from '../../../test/app.ts'
import { createEmptyDatabase } from '../../../test/database.ts'
import { callBy, formerPairs, formerRows, type Row } from '../../../test/former-rows.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { settleKeys } from './settle-keys.ts'

/** The last schema in which a user had one pair a product, and the last one that left those of moved sites whole. */
const FORMER = 29
const SETTLED = 65

const [MAIN, ADDON, BUNDLE, UNRELATED] = [1, 2, 3, 4]
const PRODUCTS = [MAIN, ADDON, BUNDLE, UNRELATED]

/** Who gets what others give away. */
const NEXT = 999
/** Where each of them is, which a pair of own reach is not told. */
const IP = '192.0.2.1'
const MOVED_AT = Date.parse('2026-01-01T10:00:00Z')

const keys = Keyring.of(TEST_SECRET)

type Rows = readonly (readonly [table: string, row: Row])[]

/** A user of the former database, by its number. */
interface Former {
  readonly user?: Row
  /** How far the pairs of these products reach after the upgrade. */
  readonly reach: Readonly<Record<number, 'own' | 'whole'>>
  rows(n: number): Rows
}

let last = 0
const install = (n: number, { id = n, product = MAIN, user = n, license = 0 } = {}) =>
  [
    'installs',
    {
      id,
      product_id: product,
      user_id: user,
      site_id: 1,
      uid: String(id).padStart(32, '0'),
      license_id: license || null,
      counted_as: license ? 'production' : null,
    },
  ] as const
const license = (n: number, { id = n, product = MAIN, user = n } = {}) =>
  ['licenses', { id, product_id: product, user_id: user, plan_id: 1 }] as const
const token = (n: number) => ['install_tokens', { id: n, install_id: n }] as const
const event = (type: string, user: number, { product = MAIN, data = {} as object, created = '' } = {}) => {
  const row = {
    id: ++last,
    developer_id: 1,
    product_id: product,
    user_id: user,
    type,
    data: JSON.stringify(data),
  }
  return ['events', { ...row, ...(created && { created }) }] as const
}
const deleted = (n: number, at = {}) => event('install.deleted', n, at)
const told = (n: number, { id = n, ...at }: { id?: number; product?: number; created?: string } = {}) =>
  event('install.ownership.completed', NEXT, {
    ...at,
    data: { install_id: String(id), from: String(n), to: String(NEXT) },
  })
const took = (n: number, at = {}) =>
  event('license.ownership.changed', NEXT, {
    ...at,
    data: { license_id: '1', from: String(n), to: String(NEXT) },
  })
const agreed = (n: number, more: Row = {}) =>
  [
    'ownership_changes',
    { id: n, product_id: MAIN, install_id: n, from_user_id: n, completed_at: '2026-01-01 10:00:00', ...more },
  ] as const
const renewed = (n: number, at: number) =>
  [
    'audit_log',
    { id: 5000 + n, at, action: 'keywright/renew-keys', details: JSON.stringify({ user: n }) },
  ] as const
const moved = (n: number, more = {}) => install(n, { user: NEXT, ...more })

const own = { [MAIN]: 'own' } as const
const whole = { [MAIN]: 'whole' } as const
const typed = { is_verified: 0, came_with: '1' }

const formers: Readonly<Record<string, Former>> = {
  'a site, and a license of a bundle': {
    reach: own,
    rows: (n) => [install(n), license(n, { product: BUNDLE })],
  },
  'a site, and a license of another product': {
    reach: whole,
    rows: (n) => [install(n), license(n, { product: UNRELATED })],
  },
  'a site that was activated': { reach: own, rows: (n) => [install(n), token(n)] },
  'a site with the license of somebody else': {
    reach: own,
    rows: (n) => [license(n, { user: NEXT }), install(n, { license: n })],
  },
  'a site alone': { reach: whole, rows: (n) => [install(n)] },
  'a site that was deleted, and a license': { reach: own, rows: (n) => [deleted(n), license(n)] },
  'a site of another product that was deleted, and a license': {
    reach: whole,
    rows: (n) => [deleted(n, { product: UNRELATED }), license(n)],
  },
  'a site alone that was deleted': { reach: whole, rows: (n) => [deleted(n)] },
  'a license alone': { reach: whole, rows: (n) => [license(n), event('user.created', n)] },
  'a site that was moved with its license': { reach: own, rows: (n) => [moved(n), told(n), took(n)] },
  'a site that was moved': { reach: whole, rows: (n) => [moved(n), told(n)] },
  'a typed address, and a site that was moved': { user: typed, reach: own, rows: (n) => [moved(n), told(n)] },
  'a typed address, and a site': { user: typed, reach: own, rows: (n) => [install(n)] },
  'a typed address, and no site': { user: typed, reach: whole, rows: () => [] },
  'a site that was moved, and a license': { reach: own, rows: (n) => [moved(n), told(n), license(n)] },
  'a site that was moved, and a license of a bundle': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n, { product: BUNDLE })],
  },
  'a site that was moved, and has a license there': {
    reach: own,
    rows: (n) => [license(n, { user: NEXT }), moved(n, { license: n }), told(n)],
  },
  'a site that was moved, and was activated': { reach: own, rows: (n) => [moved(n), told(n), token(n)] },
  'a site that was moved and deleted, and a license': { reach: own, rows: (n) => [told(n), license(n)] },
  'a site that both sides moved, whose events are deleted, and a license': {
    reach: own,
    rows: (n) => [moved(n), agreed(n), license(n)],
  },
  'a site that one side moved, and a license': {
    reach: whole,
    rows: (n) => [moved(n), agreed(n, { completed_at: null }), license(n)],
  },
  'a site of an add-on that was moved beside another one': {
    reach: { [MAIN]: 'whole', [ADDON]: 'own' },
    rows: (n) => [
      moved(n),
      moved(n, { id: 1000 + n, product: ADDON }),
      agreed(n, { install_ids: `${1000 + n}` }),
      license(n, { product: ADDON }),
    ],
  },
  'a site that was moved before a link gave other keys': {
    reach: whole,
    rows: (n) => [moved(n), told(n), license(n), renewed(n, MOVED_AT + 1000)],
  },
  'a site that was moved after a link gave other keys': {
    reach: own,
    rows: (n) => [moved(n), told(n), license(n), renewed(n, MOVED_AT - 1000)],
  },
  'a site of another product that was moved, and a license': {
    reach: whole,
    rows: (n) => [moved(n, { product: UNRELATED }), told(n, { product: UNRELATED }), license(n)],
  },
  'a site with a license, and one of an add-on that was moved': {
    reach: { [MAIN]: 'own', [ADDON]: 'own' },
    rows: (n) => [
      license(n),
      install(n, { license: n }),
      moved(n, { id: 1000 + n, product: ADDON }),
      told(n, { id: 1000 + n, product: ADDON }),
    ],
  },
  'a site that was moved with its license, and one of an add-on': {
    reach: { [MAIN]: 'own', [ADDON]: 'own', [UNRELATED]: 'whole' },
    rows: (n) => [moved(n), told(n), took(n), install(n, { id: 1000 + n, product: ADDON })],
  },
  'a site of an add-on that was moved with its license': {
    reach: { [MAIN]: 'whole', [ADDON]: 'own' },
    rows: (n) => [
      moved(n, { id: 1000 + n, product: ADDON }),
      told(n, { id: 1000 + n, product: ADDON }),
      took(n),
    ],
  },
}

const numberOf = (title: string) => Object.keys(formers).indexOf(title) + 1

const WITH_ADDON = 'a site that was moved with its license, and one of an add-on'

async function shop(name: string) {
  const former = await createEmptyDatabase(name)
  await migrate(former.database, FORMER)
  const add = await formerRows(former.database)
  const { pairs, pairOf } = formerPairs(keys)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  for (const id of PRODUCTS) {
    const parent_plugin_id = id === ADDON ? 1 : null
    const pair = pairOf(`product ${id}`, 'products.secret_key')
    await add('products', { id, developer_id: 1, store_id: 1, parent_plugin_id, ...pair })
  }
  await add('bundle_members', { bundle_id: 3, product_id: 1 })
  await add('plans', { id: 1, product_id: 1 })
  await add('sites', { id: 1, developer_id: 1 })
  const person = async (id: number, more: Row = {}) => {
    const email = `person${id}@example.com`
    await add('users', { id, developer_id: 1, email, email_folded: email, is_verified: 1, ip: IP, ...more })
    return email
  }
  await person(NEXT)
  for (const [index, { user = {}, reach, rows }] of Object.values(formers).entries()) {
    const n = index + 1
    const email = await person(n, user)
    for (const product_id of Object.keys(reach).map(Number)) {
      const pair = pairOf(`${n} in ${product_id}`, 'product_users.secret_key')
      await add('product_users', { product_id, user_id: n, email_folded: email, ...pair })
    }
    for (const [table, row] of rows(n)) {
      const pair = table === 'installs' ? pairOf(`install ${row['id']}`, 'installs.secret_key') : {}
      await add(table, { ...row, ...pair })
    }
  }
  await former.database.close()
  return { former, pairs, pairOf }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Brings a former database to the latest schema, and reads users with the pairs that they had. */
async function upgraded(t: Running, name: string, meanwhile?: (shop: Shop) => Promise<void>) {
  const made = await shop(name)
  const { former, pairs } = made
  if (meanwhile) {
    const database = connect(former.options)
    await migrate(database, SETTLED)
    await settleKeys(database, keys)
    await database.close()
    await meanwhile(made)
  }
  const database = connect(former.options)
  await migrate(database)
  await settleKeys(database, keys)
  const opened = await testContext(`${name}_context`)
  const running = await startServer(Object.assign(opened.ctx, { db: database.reader, database }))
  t.after(async () => {
    await running.stop()
    await opened.drop()
    await former.remove()
  })
  const at = { address: running.address, now: opened.ctx.clock.real() }
  return {
    reachOfAddonSite: async () => {
      const found = database.reader.selectFrom('installs').select('reach')
      return (await found.where('id', '=', 1000 + numberOf(WITH_ADDON)).executeTakeFirst())?.reach
    },
    reachOf: async (n: number, pairName: string) => {
      const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(pairName) ?? {}
      const { json } = await callBy(at, {
        pair: { id: n, publicKey, secretKey },
        path: `/v1/users/${n}.json`,
      })
      return json.ip === IP ? 'whole' : json.ip === null ? 'own' : json
    },
  }
}

async function requireReaches({ reachOf }: Awaited<ReturnType<typeof upgraded>>): Promise<void> {
  const found: Record<string, unknown> = {}
  for (const [title, { reach }] of Object.entries(formers)) {
    const n = numberOf(title)
    const each = await Promise.all(
      Object.keys(reach).map(async (product) => [product, await reachOf(n, `${n} in ${product}`)]),
    )
    found[title] = Object.fromEntries(each)
  }
  const expected = Object.fromEntries(Object.entries(formers).map(([title, { reach }]) => [title, reach]))
  assert.deepEqual(found, expected)
}

test('a pair that who proved nothing may have got is of own reach after the upgrade, also where its site has another owner', async (t) => {
  const shopNow = await upgraded(t, 'former_pairs')
  await requireReaches(shopNow)
  assert.equal(await shopNow.reachOfAddonSite(), 'own')
})

test('so it is after an upgrade that left it whole, and what was proven or moved since stays whole', async (t) => {
  const [left, proven] = [numberOf('a license alone'), numberOf(WITH_ADDON)]
  const shopNow = await upgraded(t, 'former_pairs_settled', async ({ former, pairOf }) => {
    const database = connect(former.options)
    const add = await formerRows(database)
    const pair = pairOf('linked', 'user_keys.secret_key')
    const handed = { id: 5000, product_id: 2, user_id: proven, install_id: 1000 + proven, reach: 'whole' }
    await add('user_keys', { ...handed, created: '2026-02-01 10:00:00', ...pair })
    const [table, row] = told(left, { created: '2026-02-01 10:00:00' })
    await add(table, row)
    await database.close()
  })
  await requireReaches(shopNow)
  assert.equal(await shopNow.reachOf(proven, 'linked'), 'whole')
  assert.equal(await shopNow.reachOfAddonSite(), 'whole')
})
