import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TObject } from 'typebox'
import { transaction } from '../../src/context.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { createOffer } from '../catalogue.ts'
import { createCoupons } from '../coupons.ts'
import { jsonBody, type Call } from './client.ts'
import {
  allowed,
  allowedRequest,
  GUARDED,
  isWrite,
  mainMounts,
  ONCE,
  MOUNTS,
  pathOf,
  requestTo,
  withQuery,
} from './requests.ts'
import { changesBetween, columnsOf, dumpOf, restore, textOf, TRACES, type Change } from './tables.ts'
import { exampleOf, keywordsOf, propertiesOf } from './values.ts'
import { createAccount, createOpinion, createPerson, startWorld, type Ids, type World } from './world.ts'

let world: World
let columns: string[]
before(async () => {
  world = await startWorld('data')
  columns = [...new Set((await columnsOf(world.ctx.database)).map(({ column }) => column))]
})
after(() => world.close())

const TEXT = 'smuggled-value'
const NUMBER = 77_777_777

describe('S05: mass assignment', () => {
  const writes = () => mainMounts().filter(({ op }) => isWrite(op) && !GUARDED.has(op.id))

  /** Every column of every table and every field of the reply that is not an argument, with these values in turn. */
  function extrasFor({ op }: Mount, values: readonly unknown[]): Record<string, unknown> {
    const known = new Set(propertiesOf(op.body).map(([name]) => name))
    const fields = propertiesOf(op.response as TObject | undefined).map(([name]) => name)
    const names = [...columns, ...fields, 'entity_id', 'isAdmin', 'role', 'scope', 'product', 'user'].filter(
      (name) => !known.has(name),
    )
    return Object.fromEntries([...new Set(names)].map((name, index) => [name, values[index % values.length]]))
  }

  /** Runs a write for a fresh person and answers what it changed, with `extras` in body and query. */
  async function changesOf(mount: Mount, email: string, extras: Record<string, unknown>): Promise<Change[]> {
    const person = await createPerson(world.send, world.seller.product, email)
    const account = await createAccount(world.ctx, world.seller, world.seller.product)
    const coupons = await freshCoupons(mount)
    const offer = await freshOffer()
    const ids: Ids = { ...world.ids.own, ...account, ...coupons, ...offer, user_id: String(person.id) }
    const example = { ...(mount.op.body ? exampleOf(mount.op.body) : {}), ...emailOf(mount, `new-${email}`) }
    const before = await dumpOf(world.ctx.database, TRACES)
    const query = new URLSearchParams(extras as Record<string, string>)
    const path = `${pathOf(mount.path, ids)}?${query}`
    const body = mount.method === 'GET' ? {} : jsonBody({ ...example, ...extras })
    const answer = await world.send(allowed(world, mount, { method: mount.method, path, ...body }))
    assert.equal(answer.status, mount.op.status, `${mount.op.id} ${answer.text}`)
    const changes = changesBetween(before, await dumpOf(world.ctx.database, TRACES))
    await restore(world.ctx.database, changes)
    return changes
  }

  /** Coupons of their own; what a coupon is to become it is not yet. */
  const freshCoupons = async ({ op }: Mount): Promise<Ids> => {
    if (!op.id.includes('coupons')) return {}
    const { developer, store, product } = world.seller
    const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
    const isSpecial = op.id !== 'coupons/create-special'
    return transaction(world.ctx, (tx) => createCoupons(tx, owner, { isSpecial }))
  }

  /** A plan of its own, with a price and a feature. */
  const freshOffer = (): Promise<Ids> => {
    const { developer, product } = world.seller
    const owner = { developerId: developer.id, productId: product.id }
    return transaction(world.ctx, async (tx) => {
      const { planId, pricingId, featureId } = await createOffer(tx, owner, `offer-${++offers}`)
      const reviewId = await createOpinion(tx, owner)
      return {
        plan_id: String(planId),
        pricing_id: String(pricingId),
        feature_id: String(featureId),
        review_id: reviewId,
      }
    })
  }
  let offers = 0

  const emailOf = ({ op }: Mount, email: string) =>
    propertiesOf(op.body).some(([name, schema]) => name === 'email' && keywordsOf(schema).format === 'email')
      ? { email }
      : {}

  /** What differs between two runs of one write for two people in any case. */
  const OWN =
    /^(id|user_id|public_key|secret_key|kid|token_hash|password_hash|person_id|email|wise_account_email|invited_email|email_folded|recipient|content|data|hint|coupon_id|entity_id|plan_id|feature_id|plans|features|catalogue_version|slug)$/

  /** Names that are unique differ by their number. */
  const plainOf = (value: unknown) =>
    typeof value === 'string' ? value.replace(/\b(example|offer)-\d+/, '$1') : value

  const isSealed = (value: unknown) => typeof value === 'string' && /^v1\.[0-9a-f]{8}\./.test(value)

  /** A new product has an id of its own everywhere. */
  const isOwn = ({ op }: Mount, name: string) =>
    OWN.test(name) || (name === 'product_id' && /create(-store)?-product$/.test(op.id))

  const shape = (mount: Mount, changes: Change[]) =>
    changes
      .map(({ table, before, after }) => ({
        table,
        isNew: before === undefined,
        values: Object.entries(after)
          .filter(([name]) => !isOwn(mount, name))
          .map(([name, value]) => [name, isSealed(value) ? 'sealed' : plainOf(value)]),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

  /** What a write records is among the events it declares, and something where it declares any (DECISIONS 6.1). */
  function recordsItsEvents({ op }: Mount, changes: Change[]): void {
    const emits: readonly string[] = op.kind === 'write' ? op.emits : []
    const events = changes.filter(({ table, before }) => table === 'events' && before === undefined)
    const types = events.map(({ after }) => String(after['type']))
    const unknown = types.filter((type) => !emits.includes(type))
    assert.deepEqual(unknown, [], `${op.id} records what it does not declare`)
    assert.equal(types.length > 0, emits.length > 0, `${op.id} declares ${emits} and records ${types}`)
  }

  test('a write records the events it declares, and stores the same with every other field and column named beside its arguments', async () => {
    assert.ok(writes().length > 0)
    for (const [index, mount] of writes().entries()) {
      const changes = await changesOf(mount, `plain-${index}@example.com`, {})
      recordsItsEvents(mount, changes)
      const plain = shape(mount, changes)
      assert.ok(plain.length > 0, `${mount.op.id} writes something`)
      for (const [round, values] of [
        [TEXT, 1],
        [true, NUMBER],
      ].entries()) {
        const changes = await changesOf(mount, `${round}-${index}@example.com`, extrasFor(mount, values))
        assert.deepEqual(shape(mount, changes), plain, `${mount.op.id} with ${values}`)
      }
    }
    const dump = textOf(await dumpOf(world.ctx.database))
    assert.ok(!dump.includes(TEXT) && !dump.includes(String(NUMBER)))
  })

  test('a user cannot verify its address, write its note or change its earnings', async () => {
    const { ada } = world.people
    const path = `/v1/users/${ada.id}.json`
    const extras = {
      is_verified: true,
      note: TEXT,
      gross: NUMBER,
      email: 'x@example.com',
      password: 'another pass phrase',
    }
    const before = await dumpOf(world.ctx.database, TRACES)
    const answer = await world.send(world.sign(ada.keys, { method: 'PUT', path, ...jsonBody(extras) }))
    assert.equal(answer.status, 200)
    assert.equal(answer.json.is_verified, false)
    assert.deepEqual(changesBetween(before, await dumpOf(world.ctx.database, TRACES)), [])
  })
})

describe('S06: what a reply may hold', () => {
  const reads = () =>
    MOUNTS.filter(
      ({ op, served, kind }) => served && kind === 'product' && hasFields(op.query) && !ONCE.has(op.id),
    )
  const hasFields = (query: TObject | undefined) => propertiesOf(query).some(([name]) => name === 'fields')

  /** The schema of what `fields` picks from: the items of a list, the one thing under a key, or the reply. */
  function itemSchema({ op }: Mount): TObject {
    const response = op.response as TObject
    if (op.items === undefined) return response
    const whole = response.properties[op.items] as TObject & { items?: TObject }
    return whole.items ?? whole
  }
  const itemProperties = (mount: Mount) => Object.keys(itemSchema(mount).properties)
  const requiredOf = (mount: Mount): readonly string[] => itemSchema(mount).required ?? []

  const itemsOf = ({ op }: Mount, json: Record<string, object | object[]>): object[] =>
    op.items === undefined ? [json] : [json[op.items] ?? []].flat()

  test('a reply has exactly the fields of its schema', async () => {
    assert.ok(reads().length > 0)
    for (const mount of reads()) {
      const { json, status } = await world.send(allowedRequest(world, mount))
      assert.equal(status, 200, mount.op.id)
      for (const item of itemsOf(mount, json)) {
        const required = requiredOf(mount)
        const known = itemProperties(mount).filter((name) => name in item || required.includes(name))
        assert.deepEqual(Object.keys(item).toSorted(), known.toSorted(), mount.op.id)
      }
    }
  })

  test('no reply of any operation names a column that is nobody else’s business', async () => {
    const HIDDEN = [
      'password_hash',
      'token_hash',
      'email_folded',
      'name_folded',
      'lease_until',
      'fence',
      'hash',
    ]
    for (const mount of mainMounts().filter(({ op }) => op.status !== 204)) {
      const { text } = await world.send(allowedRequest(world, mount))
      for (const name of HIDDEN) assert.ok(!text.includes(`"${name}"`), `${mount.op.id} ${name}`)
    }
  })

  /** As many names as the argument takes at once. */
  const inPieces = (names: string[]): string[][] =>
    Array.from({ length: Math.ceil(names.length / 80) }, (_, piece) =>
      names.slice(piece * 80, piece * 80 + 80),
    )

  test('fields= reaches no column that the reply does not have, whichever is asked for', async () => {
    for (const mount of reads()) {
      const properties = new Set(itemProperties(mount))
      const dangerous = [
        '__proto__',
        'constructor',
        'toString',
        '*',
        'users.password_hash',
        'id as password_hash',
      ]
      const names = [...new Set([...columns, ...dangerous])]
      const hidden = names.filter((name) => !properties.has(name))
      const single = [...hidden.filter((_, index) => index % 20 === 0), ...dangerous, ...properties]
      const call: Call = allowed(world, mount, requestTo(mount, world.ids.own))
      for (const some of [...inPieces(hidden), ...single.map((name) => [name])]) {
        const path = withQuery(call.path, `fields=${encodeURIComponent(some.join(','))}`)
        const { json, status } = await world.send({ ...call, path })
        assert.equal(status, 200, `${mount.op.id} ${some}`)
        for (const item of itemsOf(mount, json)) {
          const expected = some.filter(
            (name) => properties.has(name) && (name in item || requiredOf(mount).includes(name)),
          )
          assert.deepEqual(Object.keys(item), expected, `${mount.op.id} ${some}`)
        }
      }
    }
  })

  test('an event shows its user without the secret key, however it is asked for', async () => {
    const { product } = world.seller
    const headers = { authorization: `Bearer ${product.token}` }
    for (const query of ['', '?fields=objects', '?fields=objects,secret_key']) {
      const path = `/v1/products/${product.id}/events/${world.ids.own['event_id']}.json${query}`
      const { json } = await world.send({ method: 'GET', path, headers })
      assert.equal(json.objects.user.id, String(world.people.ada.id))
      assert.ok(!('secret_key' in json.objects.user))
    }
  })
})
