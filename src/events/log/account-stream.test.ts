// Runs beside others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { writesEvents } from '../../../test/contract/seen.ts'
import { read, streamOf, type Reader } from '../../../test/event-stream.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { accessHeader, joinTeam, logIn, setPassword } from '../../../test/logins.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import { systemScope } from '../../access/scope.ts'
import { transaction } from '../../context.ts'
import { runDue, startWorker, type Worker } from '../../jobs/worker.ts'
import { deliverEvents } from '../delivery/deliver-events-job.ts'
import { recordEvent } from './record.ts'

let app: TestApp
let rival: Seller
let worker: Worker
let authorization: string
before(async () => {
  app = await startTestApp('account_stream')
  writesEvents(app.ctx.database, 'license.created')
  rival = await app.write((tx) => createSeller(tx, 'rival@example.com'))
  await setPassword(app)
  const { id: developerId } = app.seller.developer
  const { access } = await app.write((tx) => issueAccessToken(tx, { developerId, userId: null }))
  authorization = `FSA ${developerId}:${access}`
  // What made the sellers has its number before anybody reads.
  await runDue(app.ctx, [deliverEvents])
  worker = startWorker(app.ctx, [deliverEvents])
})
after(async () => {
  await worker.stop()
  await app.close()
})

const url = (query = '') =>
  `${streamOf(app).replace(/\/v1\/products\/\d+/, `/v1/developers/${app.seller.developer.id}`)}${query}`

const follow = (query = '', last?: string): Promise<Reader> =>
  read(app, { authorization, url: url(query), ...(last !== undefined && { after: last }) })

interface What {
  readonly of?: Seller
  readonly productId?: number
  readonly environment?: 0 | 1
}

/** An event about a user with this number, in the first product unless another one is named. */
const happen = (n: number, { of = app.seller, productId = of.product.id, environment = 0 }: What = {}) =>
  transaction(app.ctx, (tx) =>
    recordEvent(tx, systemScope({ developerId: of.developer.id, productId }), {
      type: 'license.created',
      userId: n,
      data: null,
      environment,
    }),
  )

const usersIn = ({ seen }: Reader) => seen.map(({ data }) => Number(JSON.parse(data).user_id))

test('what happens in any product of the account is read in one order, and nothing of another seller', async () => {
  const reader = await follow()
  assert.equal(reader.status, 200)
  await happen(1)
  await happen(2, { productId: app.seller.other.id })
  await happen(3, { of: rival })
  await happen(4)
  await reader.has(3)
  reader.close()
  assert.deepEqual(usersIn(reader), [1, 2, 4])
  const { id, plugin_id: product } = JSON.parse(reader.seen[1]?.data ?? '')
  const { json } = await app.call('GET', `/products/${product}/events/${id}.json`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(JSON.parse(reader.seen[1]?.data ?? ''), json)
})

test('writers in several products side by side: who comes again and again misses nothing and gets each once', async () => {
  const first = await follow()
  const products = [app.seller.product.id, app.seller.other.id]
  const writer = async (n: number) => {
    for (let count = 0; count < 20; count++) {
      await happen(1_000 + n * 100 + count, { productId: products[(n + count) % 2] ?? 0 })
    }
  }
  const writing = Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)))
  const got: number[] = []
  let reader = first
  for (let wanted = 7; got.length < 120; wanted += 7) {
    await reader.has(Math.min(wanted, 120 - got.length))
    reader.close()
    got.push(...usersIn(reader))
    const last = reader.seen.at(-1)?.id
    assert.ok(last)
    if (got.length < 120) reader = await follow('', last)
  }
  await writing
  assert.equal(got.length, 120)
  assert.equal(new Set(got).size, 120)
})

test('a reader chooses what is live or of the sandbox, and products', async () => {
  const all = await Promise.all([
    follow('?environment=1'),
    follow('?environment=0'),
    follow(`?product_ids=${app.seller.other.id}`),
    follow(`?product_ids=${rival.product.id},${app.seller.other.id}`),
  ])
  await happen(11, { environment: 1 })
  await happen(12)
  await happen(13, { productId: app.seller.other.id })
  await happen(14, { of: rival })
  await happen(15, { environment: 1, productId: app.seller.other.id })
  await Promise.all([2, 2, 2, 2].map((count, n) => all[n]?.has(count)))
  assert.deepEqual(
    all.map((reader) => usersIn(reader)),
    [
      [11, 15],
      [12, 13],
      [13, 15],
      [13, 15],
    ],
  )
  for (const reader of all) reader.close()
  for (const wrong of [
    '?environment=2',
    '?product_ids=x',
    '?product_ids=1,1',
    '?last_event_id=x',
    '?is_unnamed=1',
  ]) {
    assert.equal((await follow(wrong)).status, 400, wrong)
  }
})

test('a browser gets events without a name, and where it stands before the first', async () => {
  const reader = await follow('?is_unnamed=true')
  await reader.has(1)
  await happen(41)
  await reader.has(2)
  reader.close()
  const [place, event] = reader.seen
  assert.deepEqual([place?.event, place?.id, event?.event], ['place', place?.data, undefined])
  assert.equal(JSON.parse(event?.data ?? '').user_id, '41')
  assert.ok(Number(event?.id) > Number(place?.id))
})

test('an event is sent within a second of its commit', async () => {
  const reader = await follow()
  const slowest: number[] = []
  for (let n = 1; n <= 5; n++) {
    await happen(20 + n)
    const committed = performance.now()
    worker.nudge()
    await reader.has(n)
    slowest.push(performance.now() - committed)
  }
  reader.close()
  assert.ok(Math.max(...slowest) < 1_000, String(slowest))
})

test('an open stream of the account shows each event as the role of its reader is then, and none to who was removed', async () => {
  const owner = await logIn(app)
  const { json: member } = await owner.call('POST', '/members.json', {
    body: { email: 'member@example.com', role: 'support' },
  })
  const access = await accessHeader(app, await joinTeam(app, member.id))
  await runDue(app.ctx, [deliverEvents])
  const reader = await read(app, { ...access, url: url() })
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  const data = { license_key: 'sk_shown_to_some' }
  const tell = () =>
    transaction(app.ctx, (tx) =>
      recordEvent(tx, scope, { type: 'license.created', userId: 31, data, environment: 0 }),
    )
  await tell()
  await reader.has(1)
  assert.match(reader.seen[0]?.data ?? '', /sk_shown_to_some/)
  await owner.call('PUT', `/members/${member.id}.json`, { body: { role: 'developer' } })
  await tell()
  // With what is told of the member itself.
  await reader.has(3)
  const told = () => reader.seen.filter(({ event }) => event === 'license.created')
  assert.deepEqual(
    told().map(({ data }) => data.includes('sk_shown_to_some')),
    [true, false],
  )
  await owner.call('DELETE', `/members/${member.id}.json`)
  await tell()
  await reader.ended
  assert.equal(told().length, 2)
})
