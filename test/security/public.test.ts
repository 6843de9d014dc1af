// Runs on sqlite.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Mount } from '../../src/http/mounts.ts'
import { faceOf } from './answers.ts'
import type { Answer, Call } from './client.ts'
import { idsFor, MOUNTS, placesOf, requestTo, withValue } from './requests.ts'
import { startWorld, type Ids, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('public')
})
after(() => world.close())

/** What whoever has a product's public key may call, and what nobody need be known for. */
const mounts = () =>
  MOUNTS.filter(({ op, kind, served }) => served && kind === 'product' && isPublic(op.caller))
const isPublic = (caller: Mount['op']['caller']) => caller === 'open' || caller === 'public'

const asNobody = ({ op }: Mount, call: Call): Call =>
  op.caller === 'open' ? call : world.sign(world.seller.product, call, 'FSP')

const askWith = (mount: Mount, ids: Ids, call: Call = requestTo(mount, ids)): Promise<Answer> =>
  world.send(asNobody(mount, call))

/** Every field of a reply with its value, however deep. */
function fieldsIn(value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(fieldsIn)
  return Array.isArray(value) ? inner : [...Object.entries(value), ...inner]
}

/** Where each field of a reply stands; an id in the place of a name is a star. */
function pathsIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, at))
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = `${at}${at && '.'}${/^\d+$/.test(name) ? '*' : name}`
    return [path, ...pathsIn(inner, path)]
  })
}

/** Every field that each operation tells who proves nothing. */
const FIELDS = JSON.parse(readFileSync(new URL('./public-fields.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>

/** Fields that are keys, tell of a person, or where something is at work. */
const PRIVATE =
  /secret|token|password|email|address|business|^(first|last|name|ip|note|phone|picture|uid|user_id|url)$/

const MONEY = /gross|^vat$|earning|^total_/

const KEYS = ['install_api_token', 'install_secret_key', 'user_id', 'user_secret_key']
const OF_PLAN = ['name', 'support_email']
const OF_INSTALL = ['uid', 'url', 'user_id']

/** What is told nevertheless: to who knows a license key what it opens, and what a shop window shows. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  'licenses/activate': KEYS,
  'keywright/activate-license': KEYS,
  'licenses/deactivate': OF_INSTALL,
  'keywright/deactivate-license': OF_INSTALL,
  'installations/retrieve-active-license-by-uid': ['secret_key', 'user_id'],
  'addons/list-plans': OF_PLAN,
  'plans/list': OF_PLAN,
  'plans/retrieve': OF_PLAN,
  'products/retrieve-pricing-table-data': OF_PLAN,
  'keywright/list-addon-pricing': OF_PLAN,
  'keywright/retrieve-addon-pricing': OF_PLAN,
  'products/get-info': ['url'],
  'keywright/retrieve-product-update': ['url'],
  'keywright/retrieve-public-addon-update': ['url'],
  'reviews/list': ['name', 'picture', 'user_id'],
}

test('S06: who proves nothing is told no person, no key but those its license key opens, and no earnings', async () => {
  const { seller, people, ctx } = world
  assert.deepEqual(
    Object.keys(FIELDS).filter((id) => !mounts().some(({ op }) => op.id === id)),
    [],
  )
  assert.ok(mounts().length > 0)
  for (const mount of mounts()) {
    const ids = await idsFor(world, mount)
    await ctx.database.transaction(async (db) => {
      await db.updateTable('installs').set({ gross: 123_45 }).execute()
      await db.updateTable('products').set({ earnings: 123_45, total_purchases: 7 }).execute()
    })
    const answer = await askWith(mount, ids)
    assert.equal(answer.status, mount.op.status, `${mount.op.id} ${answer.text}`)
    assert.deepEqual([...new Set(pathsIn(answer.json))].toSorted(), FIELDS[mount.op.id] ?? [], mount.op.id)
    const fields = fieldsIn(answer.json)
    const told = new Set(fields.map(([name]) => name).filter((name) => PRIVATE.test(name)))
    assert.deepEqual([...told].toSorted(), TOLD[mount.op.id] ?? [], mount.op.id)
    for (const [name, value] of fields) {
      if (MONEY.test(name)) assert.ok(value === 0 || value === null, `${mount.op.id} ${name} is ${value}`)
    }
    const secrets = [seller.product, seller.store, seller.developer].map(({ secretKey }) => secretKey)
    for (const text of [...secrets, seller.product.token, people.ada.email, people.bea.email])
      assert.ok(!answer.text.includes(text), mount.op.id)
  }
})

test('S12: who proves nothing does not learn of an address whether anybody has it', async () => {
  const places = mounts().flatMap((mount) =>
    placesOf(mount)
      .filter(({ name }) => name.endsWith('email'))
      .map((place) => ({ mount, place })),
  )
  assert.ok(places.length > 0)
  for (const { mount, place } of places) {
    const ask = async (email: string) => {
      const ids = await idsFor(world, mount)
      return askWith(mount, ids, withValue(mount, ids, place, email))
    }
    const unknown = await ask('nobody-at-all@example.com')
    for (const { email } of [world.people.ada, world.people.bea, world.people.cleo]) {
      const known = await ask(email)
      assert.deepEqual(faceOf(known), faceOf(unknown), mount.op.id)
      const namesOf = ({ json }: Answer) => fieldsIn(json).map(([name]) => name)
      assert.deepEqual(namesOf(known), namesOf(unknown), mount.op.id)
    }
  }
})
