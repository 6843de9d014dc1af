import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ID_FORMAT } from '../../src/http/wire.ts'
import { lately } from '../app.ts'
import { inParallel, type Answer } from './client.ts'
import { allowed, GUARDED, idsFor, mainMounts, placesOf, withValue } from './requests.ts'
import { keywordsOf, plainOf } from './values.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('ids')
})
after(() => world.close())

describe('S19: ids of 64 bits', () => {
  const openMounts = () => mainMounts().filter(({ op }) => !GUARDED.has(op.id))
  const idPlaces = () =>
    openMounts().flatMap((mount) =>
      placesOf(mount)
        .filter(({ schema }) => keywordsOf(plainOf(schema)).format === ID_FORMAT)
        .map((place) => ({ mount, place })),
    )

  const NOBODYS = ['987654321', '9007199254740991', '9007199254740992', '9007199254740993']
  const LAST = '9223372036854775807'
  const NONE = ['0', '-1', '1.0', '1e3', '01', '+1', ' 1', '1 ', '0x1', '1_0', '１', '1'.repeat(20), 'NaN']
  const BEYOND = '9223372036854775808'

  /** Whether nothing was taken for it: not found, an empty list, or the very id is kept. */
  function isExact(
    { mount, place }: ReturnType<typeof idPlaces>[number],
    id: string,
    { status, json }: Answer,
  ) {
    if (place.where === 'path' || status === 404) return status === 404
    // What is before an id is all that there is until then.
    if (place.name === 'before') return status === 200
    // What is done later names an id of another server.
    if (place.where === 'body') return [202, 400].includes(status) || json[place.name] === id
    // What is no list names the field that is nobody's.
    if (status === 400 && mount.op.items === undefined) return json.error.details[0].field === place.name
    return status === 200 && (json.count === 0 || json[mount.op.items ?? '']?.length === 0)
  }

  test('an id that is well-formed and nobody’s is found nowhere, up to the last; what is none is 400', async () => {
    assert.ok(idPlaces().length > 0)
    await inParallel([...idPlaces().entries()], async ([turn, one]) => {
      const { mount, place } = one
      const ids = await idsFor(world, mount)
      const ask = (value: string) =>
        world.send(allowed(world, mount, withValue(mount, ids, place, value), ids))
      for (const id of [NOBODYS[turn % NOBODYS.length] ?? '', LAST]) {
        const answer = await ask(id)
        const why = answer.status === 500 ? lately.join('') : answer.text
        assert.ok(isExact(one, id, answer), `${mount.op.id} ${place.name} ${id}: ${why}`)
      }
      for (const text of [...threeOf(turn), BEYOND]) {
        const { status } = await ask(text)
        assert.equal(status, 400, `${mount.op.id} ${place.name} ${text}`)
      }
    })
  })

  /** Three of what is none, others from place to place. */
  const threeOf = (turn: number) => [0, 1, 2].map((one) => NONE[(3 * turn + one) % NONE.length] ?? '')

  test('the largest id that a row can have comes back as it is, and no neighbour is taken for it', async () => {
    const id = 9007199254740990
    const event = {
      developer_id: world.seller.developer.id,
      product_id: world.seller.product.id,
      type: 'user.created',
      event_trigger: 'system',
      state: 'canceled',
      created: world.ctx.clock.now(),
    } as const
    await world.ctx.database.transaction((db) =>
      db
        .insertInto('events')
        .values({ id, ...event })
        .execute(),
    )
    const read = (text: string) =>
      world.send({
        method: 'GET',
        path: `/v1/products/${world.seller.product.id}/events/${text}.json`,
        headers: { authorization: `Bearer ${world.seller.product.token}` },
      })
    assert.equal((await read(String(id))).json.id, String(id))
    for (const other of ['9007199254740989', '9007199254740991', '9007199254740992', '9007199254740994']) {
      const { status, json } = await read(other)
      // Meanwhile another test may have made one after the largest.
      assert.ok(status === 404 || json.id === other, other)
    }
    await world.ctx.database.transaction((db) => db.deleteFrom('events').where('id', '=', id).execute())
  })
})
