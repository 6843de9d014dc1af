// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import { transaction } from '../../src/context.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { faceOf } from './answers.ts'
import { callersOf, type Credentialed } from './callers.ts'
import { inParallel } from './client.ts'
import type { Credential } from './matrix.ts'
import { idsFor, MOUNTS, parametersOf, requestTo } from './requests.ts'
import { stateOf } from './tables.ts'
import { inPortal } from './visits.ts'
import { startWorld, type Ids, type World } from './world.ts'

let world: World
let callers: Record<Credential, Credentialed>
let elsewhere: Credentialed
before(async () => {
  world = await startWorld('portal')
  callers = await callersOf(world)
  const { seller, people, ctx } = world
  const owner = { developerId: seller.developer.id, userId: people.ada.id, productId: seller.other.id }
  const { access } = await transaction(ctx, (tx) => issueAccessToken(tx, { ...owner, isPortal: true }))
  elsewhere = (call) => inPortal(world, access, call)
})
after(() => world.close())

/** Every operation at each of its addresses below a user, those of the product in the path too. */
const OF_USERS = MOUNTS.filter(({ kind, served }) => kind === 'user' && served)

const STRANGERS = [
  'portal of another user',
  'portal of another product',
  'portal of another developer',
  'portal that expired',
  'portal that was left',
] as const satisfies readonly Credential[]

/** An id that no row has. */
const NOBODY = '987654321'
const nobodys = (): Ids => Object.fromEntries(Object.keys(world.ids.own).map((name) => [name, NOBODY]))

const nameOf = ({ method, path }: Mount) => `${method} ${path}`

describe('52: the cookie of the portal', () => {
  test('of another buyer, product or seller, too old or signed out opens no operation of a user, tells nobody whether the user exists, and writes nothing', async () => {
    const trials = OF_USERS.flatMap((mount) => STRANGERS.map((credential) => ({ mount, credential })))
    assert.ok(OF_USERS.length > 100)
    const before = await stateOf(world.ctx.database)
    await inParallel(trials, async ({ mount, credential }) => {
      const ask = (ids: Ids) => world.send(callers[credential](requestTo(mount, ids), ids))
      const [answer, missing] = [await ask(world.ids.own), await ask(nobodys())]
      const at = `${nameOf(mount)} with ${credential}: ${answer.text}`
      assert.equal(answer.status, 401, at)
      assert.deepEqual(faceOf(answer), faceOf(missing), at)
    })
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('of the same buyer in another product opens nothing of this one, lists nothing of it, and writes nothing', async () => {
    const named = OF_USERS.filter(({ path }) => parametersOf(path).length > 1)
    const before = await stateOf(world.ctx.database)
    const { own } = world.ids
    await inParallel(named, async (mount) => {
      const { status, text } = await world.send(elsewhere(requestTo(mount, own), own))
      const refused = parametersOf(mount.path).includes('product_id') ? 401 : 404
      assert.equal(status, refused, `${nameOf(mount)}: ${text}`)
    })
    assert.equal(await stateOf(world.ctx.database), before)
    const lists = OF_USERS.filter(({ op, path }) => op.kind === 'read' && parametersOf(path).length === 1)
    for (const mount of lists) {
      const { text } = await world.send(elsewhere(requestTo(mount, own), own))
      assert.doesNotMatch(text, new RegExp(`"(plugin|product)_id":"${own['product_id']}"`), nameOf(mount))
    }
  })

  test('of a buyer finds nothing at an id of somebody else in an address of its own, and writes nothing', async () => {
    const trials = OF_USERS.flatMap((mount) =>
      parametersOf(mount.op.path)
        .filter((name) => name !== 'user_id')
        .map((name) => ({ mount, name })),
    )
    assert.ok(trials.length > 50)
    const made = await inParallel(trials, async (trial) => ({
      ...trial,
      ids: await idsFor(world, trial.mount),
    }))
    const before = await stateOf(world.ctx.database)
    await inParallel(made, async ({ mount, name, ids }) => {
      const ask = (id: string) =>
        world.send(callers.portal(requestTo(mount, ids, { ...ids, [name]: id }), ids))
      const missing = await ask(NOBODY)
      const { neighbour, other, stranger } = world.ids
      for (const from of [neighbour, other, stranger]) {
        const id = from[name]
        if (id === undefined) continue
        const answer = await ask(id)
        const at = `${nameOf(mount)} ${name}: ${answer.text}`
        assert.ok([401, 404].includes(answer.status), at)
        assert.deepEqual(faceOf(answer), faceOf(missing), at)
      }
    })
    assert.equal(await stateOf(world.ctx.database), before)
  })
})
