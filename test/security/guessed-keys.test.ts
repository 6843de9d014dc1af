// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { HOUR, SECOND } from '../../src/lib/time.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { GENEROUS } from '../rates.ts'
import { jsonBody, type Call } from './client.ts'
import { bodyOf } from './examples.ts'
import { allowed, idsFor, MOUNTS, placesOf, requestTo, withQuery, withValue, type Place } from './requests.ts'
import { installKeysOf, startWorld, type Ids, type World } from './world.ts'

/** Failures that an address has at once. */
const BURST = 5
const GUESSES = BURST + 3

let world: World
before(async () => {
  const rate = { ...GENEROUS, failed: { perSecond: 1, burst: BURST } }
  world = await startWorld('guessed_keys', { config: { rate, trustProxy: ['127.0.0.1'] } })
})
after(() => world.close())

const isKey = ({ name }: Pick<Place, 'name'>) => name === 'license_key' || name === 'license_keys'

/** Where a key stands in the items of a list, which no schema describes. */
const IN_ITEMS: Readonly<Record<string, string>> = { 'keywright/update-user-installs': 'installs' }

/** Only after a `+` a key opens more than what the caller has. */
const opening = ({ op }: Mount, call: Call): Call =>
  op.id === 'users/list-licenses' ? { ...call, path: withQuery(call.path, 'ids=%2B1') } : call

interface Keyed {
  readonly mount: Mount
  readonly name: string
  /** The request with this key. */
  call(ids: Ids, key: string): Call
}

/** A key in the body wins over one in the query. */
function bodyWith({ op }: Mount, ids: Ids, key: string): Partial<Call> {
  const body = bodyOf(op, ids)
  return 'license_key' in body ? jsonBody({ ...body, license_key: key }) : {}
}

const keyedOf = (mount: Mount): Keyed[] => {
  const named = placesOf(mount)
    .filter(isKey)
    .map((place) => ({
      mount,
      name: place.name,
      call: (ids: Ids, key: string) =>
        opening(mount, { ...withValue(mount, ids, place, key), ...bodyWith(mount, ids, key) }),
    }))
  const list = IN_ITEMS[mount.op.id]
  if (list === undefined) return named
  const call = (ids: Ids, key: string) => {
    const body = bodyOf(mount.op, ids)
    const items = (body[list] as object[]).map((item) => ({ ...item, license_key: key }))
    return { ...requestTo(mount, ids), ...jsonBody({ ...body, [list]: items }) }
  }
  return [...named, { mount, name: list, call }]
}

const ways = MOUNTS.filter(({ served }) => served).flatMap(keyedOf)
const ofSites = ways.filter(({ mount: { kind } }) => kind === 'user' || kind === 'install')

let guessed = 0
let addresses = 0

/** By the keys of the user or the install, from an address. */
async function send({ mount, call }: Keyed, ip: string, guess?: string) {
  const ids = await idsFor(world, mount)
  const made = call(ids, guess ?? ids['license_key'] ?? '')
  const from = { ...made, headers: { ...made.headers, 'x-forwarded-for': ip } }
  const signer = mount.kind === 'install' ? installKeysOf(ids) : world.people.ada.keys
  const isTheirs = mount.kind === 'install' || mount.kind === 'user'
  return world.send(isTheirs ? world.sign(signer, from) : allowed(world, mount, from, ids))
}

const guess = (way: Keyed, ip: string) => send(way, ip, `KEY-${++guessed}`)
const nextAddress = () => `192.0.2.${++addresses}`

describe('S10: a license key that is guessed counts as a failed look-up of the address, wherever it is given', () => {
  for (const way of ofSites) {
    const { op, path, method } = way.mount
    test(`${op.id} (${method} ${path}) with ${way.name}`, async () => {
      world.ctx.clock.advance(HOUR)
      const [site, elsewhere] = [nextAddress(), nextAddress()]
      for (let call = 0; call < GUESSES; call++) {
        const { status, text } = await send(way, site)
        assert.ok(status < 300, `a right key is never limited: ${status} ${text}`)
      }
      const limited: boolean[] = []
      for (let call = 0; call < GUESSES; call++) limited.push((await guess(way, site)).status === 429)
      assert.deepEqual(
        limited,
        Array.from({ length: GUESSES }, (_, call) => call >= BURST),
      )
      assert.equal((await send(way, site)).status, 429, 'what is right looks like what is wrong')
      assert.ok((await send(way, elsewhere)).status < 300)
      world.ctx.clock.advance(2 * SECOND)
      assert.ok((await send(way, site)).status < 300)
    })
  }

  test('the seller is not limited', async () => {
    const ofSeller = ways.filter(({ mount: { kind, op } }) => kind === 'product' && op.caller !== 'open')
    assert.ok(ofSeller.length > 0)
    for (const way of ofSeller) {
      const ip = nextAddress()
      for (let call = 0; call < GUESSES; call++) assert.notEqual((await guess(way, ip)).status, 429)
    }
  })
})
