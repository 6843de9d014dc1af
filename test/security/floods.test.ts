import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mount } from '../../src/http/mounts.ts'
import { HOUR, SECOND } from '../../src/lib/time.ts'
import { newUid } from '../installs.ts'
import { allOf } from '../whole-database.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { idsFor, isWrite, MOUNTS, requestTo } from './requests.ts'
import { startWorld, type World } from './world.ts'

const CALLS = 90
const BURST = 5
/** By how much a table may grow: an opt-in has several events, thirty log-ins may fail, and rows count many calls. */
const MOST_ROWS = CALLS / 2
const OF_PRODUCT = 25

const generous = { perSecond: 1_000_000, burst: 1_000_000 }
const PER_SECOND = 0.05
const tight = { perSecond: PER_SECOND, burst: BURST }
const rate = {
  failed: generous,
  keyed: generous,
  authenticated: null,
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
  [/license_key$/, () => `sk_nobody${++strangers}`],
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
  ({ op: { access }, kind, served }) =>
    served && KINDS.includes(kind) && (access === 'open' || access === 'public'),
)

const asNobody = ({ op }: Mount, call: Call): Call =>
  op.access === 'open' ? call : world.sign(world.seller.product, call, 'FSP')

function assertBounded(grown: ReadonlyMap<string, number>): void {
  const most = [...grown].filter(([, rows]) => rows > MOST_ROWS)
  assert.deepEqual(most, [])
}

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

  test('what is counted together tells who, what, from where and how often', async () => {
    const resend = mounts.find(({ op }) => op.id === 'licenses/resend-keys') ?? assert.fail()
    const ids = await idsFor(world, resend)
    const ip = '192.0.2.44'
    const { answers } = await flood(
      () => asNobody(resend, withFresh(requestTo(resend, ids))),
      () => ip,
    )
    const rows = await world.ctx.db.selectFrom('audit_log').selectAll().where('ip', '=', ip).execute()
    const told = rows.filter(({ action }) => action === resend.op.id)
    const counts = told.map(({ details }) => (JSON.parse(details) as { count: number }).count)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      countOf(answers, resend.op.status),
    )
    for (const row of told) {
      assert.equal(row.product_id, world.seller.product.id)
      assert.match(row.credential, /^FSP:product:/)
      assert.match(row.details, /"fields":\["email"\]/)
    }
  })
})
