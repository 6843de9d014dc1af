// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TObject } from '../../src/lib/type.ts'
import { transaction } from '../../src/context.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { EVENT_TYPES } from '../../src/db/tables/event-types.ts'
import { systemScope } from '../../src/access/scope.ts'
import { createInstall } from '../../src/licensing/installs/create.ts'
import { jsonBody } from './client.ts'
import { bodyOf } from './examples.ts'
import { isFresh } from './fresh.ts'
import { newIds } from './new-ids.ts'
import {
  allowed,
  allowedRequest,
  GUARDED,
  isWrite,
  mainMounts,
  MOUNTS,
  requestTo,
  withQuery,
  sentTo,
  WRITES_NOTHING,
  LENIENT,
} from './requests.ts'
import { changesBetween, columnsOf, dumpOf, restore, textOf, TRACES, type Change } from './tables.ts'
import { keywordsOf, propertiesOf } from './values.ts'
import { startWorld, type World } from './world.ts'

let world: World
/** The names of all columns, and whether they are of text. */
let columns: ReadonlyMap<string, boolean>
before(async () => {
  world = await startWorld('data')
  columns = new Map((await columnsOf(world.ctx.database)).map(({ name, isText }) => [name, isText]))
  await knowSite()
})
after(() => world.close())

/** The site that examples tell of is the same to every write, the first one too. */
const knowSite = () => {
  const { seller, people, ctx } = world
  const scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
  const told = {
    user_id: people.ada.id,
    uid: 'the first install of the site',
    url: 'https://shop.example.com/',
  }
  return transaction(ctx, (tx) => createInstall(tx, scope, told))
}

const TEXT = 'smuggled-value'
const NUMBER = 77_777_777

describe('S05: mass assignment', () => {
  const writes = () => mainMounts().filter(({ op }) => isWrite(op) && !GUARDED.has(op.id))

  /**
   * Every column of every table and every field of the reply that is not an argument, each with a value it could take.
   */
  function extrasFor({ op }: Mount): Record<string, unknown> {
    const known = new Set([...propertiesOf(op.body), ...propertiesOf(op.query)].map(([name]) => name))
    const fields = propertiesOf(op.response as TObject | undefined).map(([name]) => name)
    const names = [...columns.keys(), ...fields, 'entity_id', 'isAdmin', 'role', 'scope', 'product', 'user']
    const unknown = names.filter((name) => !known.has(name))
    return Object.fromEntries(unknown.map((name) => [name, smuggled(name)]))
  }

  const smuggled = (name: string) =>
    /^(is|has|can|with|permits)_/.test(name) ||
    name === 'isAdmin' ||
    (columns.get(name) === false ? NUMBER : TEXT)

  /** Runs a write for a fresh person and answers what it changed, with `extras` in body and query. */
  async function changesOf(mount: Mount, email: string, extras: Record<string, unknown>): Promise<Change[]> {
    const ids = await newIds(world, mount, email)
    const example = { ...bodyOf(mount.op, ids), ...emailOf(mount, `new-${email}`) }
    const before = await dumpOf(world.ctx.database, TRACES)
    const { method, path } = requestTo(mount, ids)
    const query = String(new URLSearchParams(extras as Record<string, string>))
    const { headers, body } = sentTo(mount.op, { ...example, ...extras })
    const call = { method, path: withQuery(path, query), headers: { ...headers, ...LENIENT }, body }
    const answer = await world.send(allowed(world, mount, call, ids))
    assert.equal(answer.status, mount.op.status, `${mount.op.id} ${answer.text}`)
    const changes = changesBetween(before, await dumpOf(world.ctx.database, TRACES))
    await restore(world.ctx.database, changes)
    return changes
  }

  const emailOf = ({ op }: Mount, email: string) =>
    !isFresh(op) && !WITHOUT_EMAIL.has(op.id) && isEmailTaken(op) ? { email } : {}

  /** A license is given to who is known; another address is asked for by mail (`change-email.test.ts`). */
  const WITHOUT_EMAIL: ReadonlySet<string> = new Set([
    'plans/create-license',
    'keywright/update-person',
    'users/update',
  ])

  /** An address of one's own is changed with the password only. */
  const isEmailTaken = ({ id, body }: Mount['op']) =>
    id !== 'keywright/update-person' &&
    propertiesOf(body).some(([name, schema]) => name === 'email' && keywordsOf(schema).format === 'email')

  /** What differs between two runs of one write for two people in any case. */
  const OWN =
    /^(id|((new_)?install|license|site|coupon|cart|entity|plan|pricing|feature|user|person|product_user|user_key|trial|subscription|(bound_)?payment|payment_method|checkout|charge|webhook|event|outcome|bulk)_id|public_key|secret_key|kid|(token|password|key|owner|candidate)_hash|uid|address|email|wise_account_email|invited_email|(email|search)_folded|recipient|content|data|hint|plans|features|catalogue_version|slug|thing|order_key|seq)$/

  /** Names that are unique differ by their number, and what is sold by its ids. */
  const plainOf = (value: unknown) =>
    typeof value === 'string'
      ? value
          .replace(/\b(example|offer)-\d+/, '$1')
          .replaceAll(/("(?:plan|pricing)_id":|"boughtAs":"buy:\d+:)\d+/g, '$1')
      : value

  const isSealed = (value: unknown) => typeof value === 'string' && /^v1\.[0-9a-f]{8}\./.test(value)

  /** What a purchase names at its gateway and in the books, each for itself. */
  const OF_PURCHASE = ['key', 'details', 'external_id', 'number', 'last', 'name']

  /** A new product has an id of its own everywhere. */
  const isOwn = ({ op }: Mount, name: string) =>
    OWN.test(name) ||
    (op.id.includes('deployment') && /^(version(_key)?|(free|premium)_releases_count)$/.test(name)) ||
    (name === 'product_id' && /create(-store)?-product$/.test(op.id)) ||
    (op.id === 'keywright/pay-checkout' && OF_PURCHASE.includes(name))

  const shape = (mount: Mount, changes: Change[]) =>
    changes
      .map(({ table, before, after }) => ({
        table,
        // A counter is made when it first counts.
        isNew: before === undefined && table !== 'invoice_numbers',
        values: Object.entries(after)
          .filter(([name]) => !isOwn(mount, name))
          .map(([name, value]) => [name, isSealed(value) ? 'sealed' : plainOf(value)]),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

  const SERVERS: ReadonlySet<string> = new Set(EVENT_TYPES)

  /**
   * What a write records is among the events it declares, and something where it declares any
   * (`docs/decisions.md` 6.1).
   */
  function recordsItsEvents({ op }: Mount, changes: Change[]): void {
    const emits: readonly string[] = op.kind === 'write' ? op.emits : []
    const events = changes.filter(({ table, before }) => table === 'events' && before === undefined)
    // What a client tells of is under a name of its own, and declared by nobody.
    const types = events.map(({ after }) => String(after['type'])).filter((type) => SERVERS.has(type))
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
      assert.equal(plain.length > 0, !WRITES_NOTHING.has(mount.op.id), `${mount.op.id} writes something`)
      const same = await changesOf(mount, `again-${index}@example.com`, extrasFor(mount))
      assert.deepEqual(shape(mount, same), plain, mount.op.id)
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
      ({ op, served, kind }) => served && kind === 'product' && hasFields(op.query) && !op.produces,
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
      const { json, status } = await world.send(await allowedRequest(world, mount))
      assert.equal(status, mount.op.status, `${mount.op.id} ${JSON.stringify(json)}`)
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
      const { text } = await world.send(await allowedRequest(world, mount))
      for (const name of HIDDEN) assert.ok(!text.includes(`"${name}"`), `${mount.op.id} ${name}`)
    }
  })

  /** As many names as the argument takes at once. */
  const inPieces = (names: string[]): string[][] =>
    Array.from({ length: Math.ceil(names.length / 80) }, (_, piece) =>
      names.slice(piece * 80, piece * 80 + 80),
    )

  const DANGEROUS = [
    '__proto__',
    'constructor',
    'toString',
    '*',
    'users.password_hash',
    'id as password_hash',
  ]

  /** Asks for these fields alone, and finds exactly those that the reply has. */
  async function picks(mount: Mount, names: readonly string[]): Promise<void> {
    const properties = new Set(itemProperties(mount))
    const fields = encodeURIComponent(names.join(','))
    const { json, status } = await world.send(
      await allowedRequest(world, mount, (call) => ({
        ...call,
        path: withQuery(call.path, `fields=${fields}`),
      })),
    )
    assert.equal(status, mount.op.status, `${mount.op.id} ${names} ${JSON.stringify(json)}`)
    for (const item of itemsOf(mount, json)) {
      const expected = names.filter(
        (name) => properties.has(name) && (name in item || requiredOf(mount).includes(name)),
      )
      assert.deepEqual(Object.keys(item).toSorted(), expected.toSorted(), `${mount.op.id} ${names}`)
    }
  }

  test('fields= reaches no column that the reply does not have, however many are asked for', async () => {
    for (const [index, mount] of reads().entries()) {
      const properties = itemProperties(mount)
      const names = [...new Set([...columns.keys(), ...DANGEROUS])]
      const hidden = names.filter((name) => !properties.includes(name))
      for (const some of inPieces(hidden)) await picks(mount, some)
      await picks(mount, [...DANGEROUS, ...properties])
      // One by one where that is cheap: the same function picks for all.
      const single =
        index < 3 ? [...DANGEROUS, ...hidden.slice(0, 20), ...properties] : properties.slice(0, 1)
      for (const name of single) await picks(mount, [name])
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
