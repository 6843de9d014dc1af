// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mount } from '../../src/http/mounts.ts'
import { HOUR, SECOND } from '../../src/lib/time.ts'
import { newUid } from '../installs.ts'
import { GENEROUS } from '../rates.ts'
import { allOf } from '../whole-database.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { idsFor, isWrite, MOUNTS, requestTo } from './requests.ts'
import { startWorld, type World } from './world.ts'

const CALLS = 90
const BURST = 5
/** By how much a table may grow: an opt-in has several events, thirty log-ins may fail, and rows count many calls. */
const MOST_ROWS = CALLS / 2
const OF_PRODUCT = 25

const PER_SECOND = 0.05
const tight = { perSecond: PER_SECOND, burst: BURST }
const rate = {
  ...GENEROUS,
  checkouts: tight,
  strangers: tight,
  products: { perSecond: PER_SECOND, burst: OF_PRODUCT },
}

let world: World
before(async () => {
  world = await startWorld('floods', { config: { rate, trustProxy: ['127.0.0.1'] } })
})
after(() => world.close())

type Sizes = Readonly<Record<string, number>>

async function sizes(): Promise<Sizes> {
  await world.recorded()
  const contents = await allOf(world.ctx.database)
  return Object.fromEntries(
    Object.entries(contents).map(([name, text]) => [name, text === '' ? 0 : text.split('\n').length]),
  )
}

/** The calls one after another, a second between them, and by how much each table grew. */
async function flood(call: (index: number) => Call, ipOf = (_: number) => '198.51.100.9') {
  world.ctx.clock.advance(HOUR)
  const old = await sizes()
  const answers: Answer[] = []
  for (let index = 0; index < CALLS; index++) {
    world.ctx.clock.advance(SECOND)
    const one = call(index)
    answers.push(await world.send({ ...one, headers: { ...one.headers, 'x-forwarded-for': ipOf(index) } }))
  }
  const now = await sizes()
  const grown = Object.entries(now).map(([name, size]) => [name, size - (old[name] ?? 0)] as const)
  return { answers, grown: new Map(grown) }
}

let strangers = 0

/** Each call as if of another person at another site, with a key that nobody has. */
const FRESH: readonly [RegExp, () => string][] = [
  [/uid$/, newUid],
  [/email$/, () => `stranger${++strangers}@example.com`],
  [/(?:license|secret)_key$/, () => `sk_nobody${++strangers}`],
]

const renewed = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value: unknown) => {
    const fresh = FRESH.find(([pattern]) => pattern.test(name))
    return fresh && typeof value === 'string' ? fresh[1]() : value
  })

const withFresh = (call: Call): Call =>
  typeof call.body === 'string' && call.body.startsWith('{') ? { ...call, body: renewed(call.body) } : call

const KINDS: readonly Mount['kind'][] = ['product', 'root', 'account']

const mounts = MOUNTS.filter(
  ({ op: { caller }, kind, served }) =>
    served && KINDS.includes(kind) && (caller === 'open' || caller === 'public'),
)

const asNobody = ({ op }: Mount, call: Call): Call =>
  op.caller === 'open' ? call : world.sign(world.seller.product, call, 'FSP')

function assertBounded(grown: ReadonlyMap<string, number>): void {
  const most = [...grown].filter(([, rows]) => rows > MOST_ROWS)
  assert.deepEqual(most, [])
}

/** The rows of the audit log that tell of addresses that begin so. */
async function rowsOf(start: string) {
  const rows = await world.ctx.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  return rows.filter(({ ip }) => ip?.startsWith(start))
}

const countsIn = (rows: readonly { readonly details: string }[]) =>
  rows.reduce((sum, { details }) => sum + (JSON.parse(details) as { count: number }).count, 0)

const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('S35: nothing that a stranger does writes rows without bound', () => {
  for (const mount of mounts) {
    test(`${mount.op.id} with nothing or the public key`, async () => {
      const ids = await idsFor(world, mount)
      const { answers, grown } = await flood(() => asNobody(mount, withFresh(requestTo(mount, ids))))
      assertBounded(grown)
      for (const { status, headers, text } of answers) {
        assert.ok(status < 500, text)
        if (status === 429) assert.ok(Number(headers['retry-after']) > 0)
      }
      if (mount.op.isAnybodys) assert.equal(countOf(answers, 429) + countOf(answers, mount.op.status), CALLS)
    })
  }

  test('every write that asks for no key is limited, or counts what it refuses', () => {
    const unlimited = mounts
      .map(({ op }) => op)
      .filter((op) => isWrite(op) && !op.isAnybodys && !op.isCheckout && !op.keyOf)
    assert.deepEqual([...new Set(unlimited.map(({ id }) => id))].toSorted(), [
      'developers/log-in',
      'keywright/log-in-user',
      'keywright/sign-in',
    ])
  })

  const refused: Readonly<Record<string, () => Call>> = {
    'a list without a credential': () => ({
      method: 'GET',
      path: `/v1/products/${world.seller.product.id}/users.json`,
    }),
    'a guessed token': () => ({
      method: 'GET',
      path: `/v1/products/${world.seller.product.id}/users.json`,
      headers: { authorization: 'Bearer kw_guessed' },
    }),
  }
  for (const [what, call] of Object.entries(refused)) {
    test(`${what} is counted together`, async () => {
      const { answers, grown } = await flood(call)
      assert.equal(countOf(answers, 401), CALLS)
      assertBounded(grown)
    })
  }

  const optIn = (email: string): Call => ({
    method: 'POST',
    path: '/action/service/user/install/',
    ...jsonBody({
      plugin_id: world.seller.product.id,
      plugin_public_key: world.seller.product.publicKey,
      user_email: email,
      site_uid: newUid(),
      site_url: 'https://site.example.org',
      format: 'json',
    }),
  })
  const people: Readonly<Record<string, (index: number) => string>> = {
    'people whom nobody knows': (index) => `opted${index}@example.com`,
    'a person who is known': () => world.people.ada.email,
  }
  for (const [who, emailOf] of Object.entries(people)) {
    test(`opt-ins of ${who}`, async () => {
      const { answers, grown } = await flood((index) => optIn(emailOf(index)))
      assert.ok(countOf(answers, 200) >= BURST, answers[0]?.text)
      assert.equal(countOf(answers, 200) + countOf(answers, 429), CALLS)
      assertBounded(grown)
    })
  }

  test('from many addresses a product takes no more than is set', async () => {
    const skip = mounts.find(({ op }) => op.id === 'products/skip-account-connection') ?? assert.fail()
    const ids = await idsFor(world, skip)
    const one = () => ({ ...requestTo(skip, ids), ...jsonBody({ uid: newUid() }) })
    const { answers } = await flood(
      () => asNobody(skip, one()),
      (index) => `203.0.113.${index}`,
    )
    assert.equal(countOf(answers, 204), OF_PRODUCT + Math.floor((CALLS - 1) * PER_SECOND))
  })

  const inHex = (index: number) => (index + 1).toString(16)
  const OF_NETWORK = Math.floor(OF_PRODUCT / 4)
  const places: Readonly<Record<string, readonly [most: number, ipOf: (index: number) => string]>> = {
    'the many /64 of a /48 of IPv6': [OF_NETWORK + 1, (index) => `2001:db8:60:${inHex(index)}::1`],
    'several networks by turns': [OF_PRODUCT, (index) => `203.0.113.${100 + (index % 18)}`],
  }
  const everybodys = [
    'products/skip-account-connection',
    'keywright/open-checkout',
    'keywright/update-checkout',
    'keywright/pay-checkout',
  ]
  const floodsOfProduct = Object.entries(places).flatMap(([where, place]) =>
    everybodys.map((id) => ({ id, where, most: place[0], ipOf: place[1] })),
  )
  for (const [place, { id, where, most, ipOf }] of floodsOfProduct.entries()) {
    test(`whoever calls ${id} from ${where} keeps nobody else from a product`, async () => {
      const mount = mounts.find(({ op }) => op.id === id) ?? assert.fail()
      const ids = await idsFor(world, mount)
      const ofOne = () => (id === everybodys[0] ? jsonBody({ uid: newUid() }) : {})
      const call = () => asNobody(mount, { ...withFresh(requestTo(mount, ids)), ...ofOne() })
      const { answers } = await flood(call, ipOf)
      const { status } = mount.op
      assert.ok(countOf(answers, status) >= OF_NETWORK, answers[0]?.text)
      assert.ok(countOf(answers, status) <= most, String(countOf(answers, status)))
      const { headers, ...one } = call()
      const other = await world.send({
        ...one,
        headers: { ...headers, 'x-forwarded-for': `192.0.2.6${place}` },
      })
      assert.equal(other.status, status, other.text)
    })
  }

  const guess = refused['a guessed token'] ?? assert.fail()
  const resend = () => mounts.find(({ op }) => op.id === 'licenses/resend-keys') ?? assert.fail()
  const asked = async () => {
    const ids = await idsFor(world, resend())
    return () => asNobody(resend(), withFresh(requestTo(resend(), ids)))
  }
  /** What the log tells of a network, by what was done; what has no row of its own counts as well. */
  const toldOf = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
    Object.fromEntries(
      [...Map.groupBy(rows, ({ action }) => action)].map(([action, its]) => [action, countsIn(its)]),
    )

  test('the addresses of a /64 of IPv6 are one caller, and its rows tell the network', async () => {
    const guesses = await flood(guess, (index) => `2001:db8:1:2::${inHex(index)}`)
    assertBounded(guesses.grown)
    const refusals = await rowsOf('2001:db8:1:2')
    assert.deepEqual(toldOf(refusals), { 'authentication.failure': CALLS })
    assert.ok(refusals.some(({ ip }) => ip === '2001:db8:1:2::/64'))

    const { answers, grown } = await flood(await asked(), (index) => `2001:db8:1:3::${inHex(index)}`)
    assertBounded(grown)
    const rows = await rowsOf('2001:db8:1:3')
    const done = countOf(answers, resend().op.status)
    assert.deepEqual(toldOf(rows), { 'authentication.success': CALLS, 'licenses/resend-keys': done })
    assert.ok(rows.some(({ ip }) => ip === '2001:db8:1:3::/64'))
  })

  const MANY = 2_000
  const ROWS_OF_NETWORK = 150
  const floods: Readonly<Record<string, () => Promise<() => Call>>> = {
    refusals: async () => guess,
    'calls with the public key': asked,
  }
  for (const [place, [what, callOf]] of Object.entries(floods).entries()) {
    test(`${what} from many /64 of one /48 of IPv6 share rows, and take none from anybody else`, async () => {
      const call = await callOf()
      const old = (await sizes())['audit_log'] ?? 0
      const network = `2001:db8:${place + 7}`
      const send = (ip: string, { headers, ...one }: Call) =>
        world.send({ ...one, headers: { ...headers, 'x-forwarded-for': ip } })
      const answers: Answer[] = []
      for (let index = 0; index < MANY; index++) {
        world.ctx.clock.advance(10)
        answers.push(await send(`${network}:${inHex(index)}::1`, call()))
      }
      await send(`192.0.2.${place}`, guess())
      const grown = ((await sizes())['audit_log'] ?? 0) - old
      assert.ok(grown < ROWS_OF_NETWORK, String(grown))
      const rows = await rowsOf(network)
      const done = countOf(answers, resend().op.status)
      const expected = {
        'authentication.failure': countOf(answers, 401),
        'authentication.success': MANY - countOf(answers, 401),
        'licenses/resend-keys': done,
      }
      assert.deepEqual(
        toldOf(rows),
        Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0)),
      )
      const shared = rows.filter(({ ip }) => ip === `${network}::/48`)
      assert.ok(countsIn(shared) > MANY / 2)
      for (const { credential } of shared) assert.equal(credential, 'many')
      assert.equal((await rowsOf(`192.0.2.${place}`)).length, 1)
    })
  }

  test('what is counted together tells who, what, from where and how often', async () => {
    const ip = '192.0.2.44'
    const { answers } = await flood(await asked(), () => ip)
    const told = (await rowsOf(ip)).filter(({ action }) => action === resend().op.id)
    assert.equal(countsIn(told), countOf(answers, resend().op.status))
    for (const row of told) {
      assert.equal(row.product_id, world.seller.product.id)
      assert.match(row.credential, /^FSP:product:/)
      assert.match(row.details, /"fields":\["email"\]/)
    }
  })
})
