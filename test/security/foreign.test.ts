// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mount } from '../../src/http/mounts.ts'
import { faceOf } from './answers.ts'
import { inParallel, type Answer, type Call } from './client.ts'
import {
  statusByKeys,
  allowed,
  idsFor,
  MOUNTS,
  parametersOf,
  placesOf,
  requestTo,
  withValue,
  type Place,
} from './requests.ts'
import { dumpOf, stateOf, TRACES, type Row } from './tables.ts'
import { installKeysOf, startWorld, type Ids, type World } from './world.ts'

let world: World
before(async () => void (world = await startWorld('foreign')))
after(() => world.close())

/** An id that no row has. */
const NOBODY = '987654321'
const nobodys = (): Ids => Object.fromEntries(Object.keys(world.ids.own).map((name) => [name, NOBODY]))
/** Where the caller is somebody: the seller in two ways, a user, an install. */
const KINDS = ['product', 'developer', 'user', 'install']
const callable = () => MOUNTS.filter(({ served, kind }) => served && KINDS.includes(kind))

/** Whose things are somebody else's: a user and an install have neighbours in their product too. */
const othersOf = ({ kind }: Mount): Ids[] => {
  const { neighbour, other, stranger } = world.ids
  return kind === 'user' || kind === 'install' ? [neighbour, other, stranger] : [other, stranger]
}

type List = { readonly type?: string; readonly items?: { readonly properties?: object } }

/** Whether `items` of the reply is a list of entities, not one thing under a key nor a count of some. */
function isList({ kind, items = '', response }: Mount['op']): boolean {
  const list = (response as { properties?: Record<string, List> } | undefined)?.properties?.[items]
  return kind === 'read' && list?.type === 'array' && 'id' in (list.items?.properties ?? {})
}

interface Trial {
  readonly mount: Mount
  /** What the address would be of, were nothing in it somebody else's. */
  readonly ids: Ids
  readonly name: string
}

describe('S02: ids of somebody else inside an address that is allowed', () => {
  /** Each mount with each of its inner ids. */
  const trials = (): Promise<Trial[]> =>
    inParallel(
      callable().flatMap((mount) => innerOf(mount).map((name) => ({ mount, name }))),
      async (trial) => ({ ...trial, ids: await idsFor(world, trial.mount) }),
    )

  /** What stands in the place of an id and is a word that every product has: a purpose of coupons, a mail. The caller's own is no inner one. */
  const WORDS = ['special_id', 'template_name']
  const innerOf = ({ op, kind }: Mount) =>
    parametersOf(op.path).filter((name) => !WORDS.includes(name) && name !== `${kind}_id`)

  const ask = ({ mount, ids, name }: Trial, from: Ids) =>
    world.send(allowed(world, mount, requestTo(mount, ids, { ...ids, [name]: from[name] ?? '' }), ids))

  test('an entity of another product, seller or user is 404 with the body of one that does not exist', async () => {
    const all = await trials()
    assert.ok(all.length > 0)
    const before = await stateOf(world.ctx.database)
    await inParallel(all, async (trial) => {
      const { mount, name } = trial
      const missing = await ask(trial, nobodys())
      const at = `${mount.method} ${mount.path} ${name} ${missing.text}`
      assert.equal(missing.status, 404, at)
      for (const from of othersOf(mount)) {
        // Plans and what else a product offers are no user's; one that is sold is no other than one that is not.
        for (const id of [from[name], from[`licensed_${name}`]].filter((one) => one !== undefined)) {
          const answer = await ask(trial, { [name]: id })
          assert.equal(answer.status, 404, `${at} ${answer.text}`)
          assert.deepEqual(faceOf(answer), faceOf(missing), at)
        }
      }
    })
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('every list holds rows of its own product only', async () => {
    const lists = MOUNTS.filter(({ op, kind, served }) => served && kind === 'product' && isList(op))
    for (const mount of lists) {
      const own = await world.send(allowed(world, mount, requestTo(mount, world.ids.own)))
      const items = own.json[mount.op.items ?? ''] as { id: string; entity_type?: string }[]
      const { product_id, ...rest } = world.ids.other
      const { path } = requestTo(mount, { ...rest, ...(product_id !== undefined && { product_id }) })
      const headers = { authorization: `Bearer ${world.seller.other.token}` }
      const others = (await world.send({ method: 'GET', path, headers })).json[mount.op.items ?? '']
      assert.ok(items.length > 0 && others.length > 0, mount.path)
      // A coupon of the store is read in all its products.
      const keysOf = (rows: { entity_type?: string }[]) =>
        rows.filter((row) => 'id' in row && row.entity_type !== 'store').map((row) => JSON.stringify(row))
      for (const key of keysOf(others)) assert.ok(!keysOf(items).includes(key), mount.path)
    }
  })

  test('every list of a user and of an install holds rows of that user only', async () => {
    const lists = callable().filter(({ op, kind }) => (kind === 'user' || kind === 'install') && isList(op))
    let seen = 0
    for (const mount of lists) {
      const { json } = await world.send(allowed(world, mount, requestTo(mount, world.ids.own)))
      const rows = json[mount.op.items ?? ''] as { user_id?: string | null }[]
      const owners = rows.flatMap(({ user_id: id }) => (id === undefined ? [] : [id]))
      for (const id of owners) assert.equal(id, world.ids.own['user_id'], mount.path)
      seen += owners.length
    }
    assert.ok(seen > 0)
  })
})

describe('S02: what is somebody else’s as an argument', () => {
  /** What an argument of this name names; where it is another thing the operation is before it. */
  const REFERS: Readonly<Record<string, string>> = {
    install_id: 'install_id',
    install_ids: 'install_id',
    existing_install_id: 'install_id',
    new_install_id: 'install_id',
    'installations/list-installs ids': 'install_id',
    'keywright/delete-user-installs ids': 'install_id',
    'users/list-licenses ids': 'license_id',
    license_id: 'license_id',
    license_key: 'license_key',
    license_keys: 'license_key',
    user_id: 'user_id',
    new_user_id: 'user_id',
    search_user_id: 'user_id',
    plan_id: 'licensed_plan_id',
    default_plan_id: 'licensed_plan_id',
    plans: 'licensed_plan_id',
    trial_plan_id: 'tried_plan_id',
    subscription_id: 'subscription_id',
    member_id: 'member_id',
  }

  interface Argument {
    readonly mount: Mount
    readonly place: Place
    readonly refers: string
  }

  /** The account stands where the product does, and a user with the product in its path where it does without. */
  const isTwin = ({ op, kind, path }: Mount) =>
    (kind === 'developer' && op.scopes.includes('product')) ||
    (kind === 'user' && parametersOf(path).includes('product_id'))

  const places = (): Argument[] =>
    callable().flatMap((mount) =>
      isTwin(mount)
        ? []
        : placesOf(mount).flatMap((place) => {
            const { where, name } = place
            const refers = where === 'path' ? undefined : (REFERS[`${mount.op.id} ${name}`] ?? REFERS[name])
            return refers === undefined ? [] : [{ mount, place, refers }]
          }),
    )

  /** New keys are made up by these: any is as good as another. */
  const NEW = new Set(['plans/create-license', 'keywright/migrate-license'])

  async function ask({ mount, place, refers }: Argument, from: Ids): Promise<Answer> {
    const ids = await idsFor(world, mount)
    return world.send(allowed(world, mount, withValue(mount, ids, place, from[refers]), ids))
  }

  /** A refusal may name the install that was made for the call, and what was sent. */
  const plain = (face: unknown) => JSON.stringify(face).replaceAll(/(install|IDs) \d+/g, '$1')

  /** Who has the key of another person's license may use it, and a team is of all products of the seller. */
  const isShared = (refers: string, from: Ids) =>
    (refers === 'license_key' && from === world.ids.neighbour) ||
    (refers === 'member_id' && from === world.ids.other)

  /** Every row of somebody else's. */
  async function others(): Promise<string> {
    const { neighbour, other, stranger } = world.ids
    const all = [neighbour, other, stranger]
    const named = (name: string) => new Set(all.map((ids) => ids[name]))
    const products = new Set([other, stranger].map((ids) => ids['product_id']))
    const [users, installs] = [named('user_id'), named('install_id')]
    const isForeign = (row: Row) =>
      products.has(String(row['product_id'])) ||
      users.has(String(row['user_id'])) ||
      installs.has(String(row['install_id']))
    const dump = await dumpOf(world.ctx.database, TRACES)
    return JSON.stringify([...dump].map(([table, rows]) => [table, rows.filter(isForeign)]))
  }

  test('is answered as what does not exist is, and no row of others changes', async () => {
    const trials = places().filter(({ mount, refers }) => refers !== 'license_key' || !NEW.has(mount.op.id))
    assert.ok(trials.length > 40)
    const before = await others()
    for (const trial of trials) {
      const { mount, place, refers } = trial
      const missing = await ask(trial, nobodys())
      const face = (answer: Answer) => plain(faceOf(answer))
      for (const from of othersOf(mount)) {
        if (from[refers] === undefined || isShared(refers, from)) continue
        const answer = await ask(trial, from)
        const at = `${mount.method} ${mount.path} ${place.where} ${place.name}: ${answer.text} not ${missing.text}`
        assert.equal(answer.status, missing.status, at)
        if (answer.status >= 300) assert.equal(face(answer), face(missing), at)
        else if (mount.op.kind === 'read') assert.deepEqual(answer.json, missing.json, at)
      }
    }
    assert.equal(await others(), before)
  })

  test('an item of a list names an install of the user only', async () => {
    const mount = MOUNTS.find(({ op, kind }) => op.id === 'keywright/update-user-installs' && kind === 'user')
    assert.ok(mount)
    const place = { where: 'body', name: 'installs', schema: {} } as const
    for (const from of [nobodys(), ...othersOf(mount)]) {
      const items = [{ id: from['install_id'], title: 'Taken over' }]
      const answer = await world.send(allowed(world, mount, withValue(mount, world.ids.own, place, items)))
      assert.deepEqual(answer.json, { installs: [] })
    }
  })
})

describe("S02: a user's keys", () => {
  test('open every address of its own and of no other user, product or seller', async () => {
    const asAda = (call: Call) => world.send(world.sign(world.people.ada.keys, call))
    const mounts = MOUNTS.filter(({ served, kind }) => served && kind === 'user')
    const all = await inParallel(mounts, async (mount) => ({ mount, ids: await idsFor(world, mount) }))
    const places = all.flatMap((one) => elsewhere(one.mount).map((other) => ({ ...one, other })))
    assert.ok(places.length > 0)
    for (const { mount, ids } of all) {
      const own = await asAda(requestTo(mount, ids))
      assert.equal(own.status, statusByKeys(mount), `${mount.path} ${own.text}`)
    }
    const before = await stateOf(world.ctx.database)
    await inParallel(places, async ({ mount, ids, other }) => {
      const answer = await asAda(requestTo(mount, { ...ids, ...other }))
      assert.equal(answer.status, 401, `${mount.path} ${answer.text}`)
    })
    assert.equal(await stateOf(world.ctx.database), before)
  })

  /** An address of another user, and of another product where it names one. */
  function elsewhere({ path }: Mount): Ids[] {
    const { seller, stranger, people } = world
    const users = [people.bea.id, people.dan.id, NOBODY].map((id): Ids => ({ user_id: String(id) }))
    if (!parametersOf(path).includes('product_id')) return users
    const products = [seller.other.id, stranger.product.id, NOBODY]
    return [...users, ...products.map((id): Ids => ({ product_id: String(id) }))]
  }

  test('a pair of keys opens the product it was made for, not the other product of the same person', async () => {
    const { ada, adaInOther } = world.people
    assert.equal(ada.id, adaInOther.id)
    const path = (product: number) => `/v1/users/${ada.id}/products/${product}/billing.json`
    const status = async (keys: typeof ada.keys, product: number) =>
      (await world.send(world.sign(keys, { method: 'GET', path: path(product) }))).status
    assert.equal(await status(ada.keys, world.seller.product.id), 200)
    assert.equal(await status(adaInOther.keys, world.seller.other.id), 200)
    assert.equal(await status(ada.keys, world.seller.other.id), 401)
    assert.equal(await status(adaInOther.keys, world.seller.product.id), 401)
    const mixed = { ...ada.keys, publicKey: adaInOther.keys.publicKey }
    assert.equal(await status(mixed, world.seller.other.id), 401)
    const own = await world.send(
      world.sign(adaInOther.keys, { method: 'GET', path: `/v1/users/${ada.id}.json` }),
    )
    assert.equal(own.json.secret_key, adaInOther.keys.secretKey)
  })
})

test("S02: an install's keys and token open no other install, and nothing under another product", async () => {
  const { own, neighbour, other, stranger } = world.ids
  const paths = (product: string | undefined, install: string | undefined) => [
    `/v1/installs/${install}.json`,
    `/v1/products/${product}/installs/${install}.json`,
  ]
  const places = [neighbour, other, stranger].flatMap(({ product_id: product, install_id: install }) => [
    ...paths(product ?? own['product_id'], install),
    ...paths(product ?? own['product_id'], own['install_id']).slice(product === undefined ? 2 : 1),
  ])
  const before = await stateOf(world.ctx.database)
  for (const path of [...places, `/v1/installs/${NOBODY}.json`]) {
    const headers = { 'content-type': 'application/json' }
    const call = { method: 'PUT', path, headers, body: '{"title":"x"}' }
    const token = { authorization: `Bearer ${own['install_token']}`, ...headers }
    assert.equal((await world.send(world.sign(installKeysOf(own), call))).status, 401, path)
    assert.equal((await world.send({ ...call, headers: token })).status, 401, path)
  }
  assert.equal(await stateOf(world.ctx.database), before)
})
