import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { testContext, type TestContext } from '../../test/app.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { startServer } from '../start.ts'
import { AuthenticationLog } from './authentication-log.ts'
import { Metrics } from './metrics.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let ctx: TestContext
let seller: Seller
before(async () => {
  opened = await testContext('authentication_log')
  ctx = opened.ctx
  seller = await transaction(ctx, (tx) => createSeller(tx))
})
after(() => opened.drop())

const rowsAfter = async (id: number) =>
  ctx.db.selectFrom('audit_log').selectAll().where('id', '>', id).orderBy('id').execute()
const lastId = async () => Math.max(0, ...(await rowsAfter(0)).map(({ id }) => id))

test('a refusal is written at once, what was let in when its second is over', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const start = await lastId()
  const running = await startServer(ctx)
  try {
    const list = (authorization: string) =>
      fetch(`${running.address}/v1/products/${seller.product.id}/users.json`, { headers: { authorization } })
    const actionsAfter = async (id: number, count: number) => {
      for (let tries = 0; tries < 500; tries++) {
        const rows = await rowsAfter(id)
        if (rows.length >= count) return rows.map(({ action }) => action)
        await sleep(10)
      }
      return assert.fail('nothing is written')
    }
    assert.equal((await list(`Bearer ${seller.product.token}`)).status, 200)
    assert.equal((await list('Bearer wrong')).status, 401)
    assert.deepEqual(await actionsAfter(start, 1), ['authentication.failure'])
    t.mock.timers.tick(1000)
    assert.deepEqual(await actionsAfter(start, 2), ['authentication.failure', 'authentication.success'])
  } finally {
    await running.stop()
  }
})

test('a caller is counted apart in each product, and by address', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  const actor = { kind: 'developer', id: 1, credential: 'FSA:1' } as const
  for (const [productId, ip] of [
    [1, '192.0.2.1'],
    [2, '192.0.2.1'],
    [1, '192.0.2.2'],
    [1, '192.0.2.1'],
  ] as const) {
    log.success({ actor, productId, ip, requestId: 'req_1' })
  }
  await log.close()
  assert.deepEqual(
    (await rowsAfter(start)).map(({ product_id, ip, details }) => [product_id, ip, details]),
    [
      [1, '192.0.2.1', '{"count":2}'],
      [2, '192.0.2.1', '{"count":1}'],
      [1, '192.0.2.2', '{"count":1}'],
    ],
  )
})

test('many installs that are let in at once share rows, in which each is named', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  const caller = (id: number, productId: number) => ({
    actor: { kind: 'install', id, credential: `FS:install:${id}` } as const,
    productId,
    ip: `192.0.2.${id % 200}`,
    requestId: `req_${id}`,
  })
  for (let id = 1; id <= 120; id++) log.success(caller(id, 1))
  log.success(caller(7, 1))
  log.success(caller(500, 2))
  log.failure(caller(501, 1), 'unauthorized_access')
  await log.close()
  const rows = await rowsAfter(start)
  const told = rows.map(({ action, product_id, credential, ip }) => [action, product_id, credential, ip])
  const shared = ['authentication.success', 1, 'several', null]
  assert.deepEqual(told, [
    ['authentication.failure', 1, 'FS:install:501', '192.0.2.101'],
    shared,
    shared,
    shared,
    ['authentication.success', 2, 'FS:install:500', '192.0.2.100'],
  ])
  const details = rows
    .filter(({ credential }) => credential === 'several')
    .map((row) => JSON.parse(row.details))
  assert.deepEqual(
    details.map(({ count }) => count),
    [51, 50, 20],
  )
  const callers = details.flatMap((one) => one.callers)
  assert.deepEqual(callers[6], ['FS:install:7', '192.0.2.7', 'req_7', 2])
  assert.equal(new Set(callers.map(([credential]) => credential)).size, 120)
})

test('an install that is let in from two addresses, or in two ways, is told of for each', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  for (const [credential, ip] of [
    ['FS:install:9', '192.0.2.1'],
    ['FS:install:9', '192.0.2.2'],
    ['install_token:4', '192.0.2.1'],
    ['FS:install:9', '192.0.2.2'],
    ['FS:install:9', '192.0.2.1'],
  ] as const) {
    log.success({ actor: { kind: 'install', id: 9, credential }, productId: 1, ip, requestId: 'req_1' })
  }
  await log.close()
  assert.deepEqual(
    (await rowsAfter(start)).map(({ credential, ip, details }) => [credential, ip, details]),
    [
      ['FS:install:9', '192.0.2.1', '{"count":2}'],
      ['FS:install:9', '192.0.2.2', '{"count":2}'],
      ['install_token:4', '192.0.2.1', '{"count":1}'],
    ],
  )
})

test('more than 10,000 installs at once are counted together too', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  for (let id = 1; id <= 10_003; id++) {
    const actor = { kind: 'install', id, credential: `FS:install:${id}` } as const
    log.success({ actor, productId: 1, ip: '192.0.2.1', requestId: `req_${id}` })
  }
  await log.close()
  const rows = await rowsAfter(start)
  const several = rows.filter(({ credential }) => credential === 'several')
  assert.equal(several.length, 10_000 / 50)
  assert.deepEqual(
    rows
      .filter(({ credential }) => credential !== 'several')
      .map(({ credential, details }) => [credential, details]),
    [['many', '{"count":3}']],
  )
})

test('more than 10,000 callers at once are counted together, under the name of none of them', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  for (let index = 0; index < 10_005; index++) {
    const actor = { kind: 'token', id: seller.product.id, credential: `token:${index}` } as const
    log.success({ actor, productId: seller.product.id, ip: '192.0.2.1', requestId: `req_${index}` })
  }
  await log.close()
  const rows = await rowsAfter(start)
  assert.equal(rows.length, 10_001)
  const { id: _id, at: _at, ...many } = rows.find(({ credential }) => credential === 'many') ?? assert.fail()
  assert.deepEqual(
    { ...many },
    {
      action: 'authentication.success',
      actor_kind: 'anonymous',
      actor_id: 0,
      credential: 'many',
      product_id: null,
      user_id: null,
      license_id: null,
      developer_id: null,
      ip: null,
      request_id: null,
      details: '{"count":5}',
      seq: null,
      hash: null,
    },
  )
})

const guess = (credential: string, ip: string) => ({
  actor: { kind: 'anonymous', id: 0, credential } as const,
  productId: null,
  ip,
  requestId: 'req_1',
})
const countIn = ({ details }: { readonly details: string }) =>
  (JSON.parse(details) as { count: number }).count

test('one address of IPv6 is told as it is, several of a /64 by what they have in common', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  for (const ip of ['2001:db8::1', '2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:2::']) {
    log.failure(guess('Bearer', ip), 'unauthorized_access')
  }
  const actor = { kind: 'token', id: seller.product.id, credential: 'token:1' } as const
  for (const ip of ['2001:db8::1', '2001:db8::2'])
    log.success({ actor, productId: 1, ip, requestId: 'req_2' })
  await log.close()
  assert.deepEqual(
    (await rowsAfter(start)).map((row) => [row.ip, countIn(row)]),
    [
      ['2001:db8::1', 2],
      ['2001:db8:0:1::/64', 3],
      ['2001:db8::/64', 2],
    ],
  )
})

test('an address that guesses many names has a hundred rows, then one every two seconds; the rest is counted', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  for (let id = 1; id <= 300; id++) log.failure(guess(`FS:${id}`, '192.0.2.1'), 'unauthorized_access')
  log.failure(guess('FS:1', '192.0.2.2'), 'unauthorized_access')
  await log.flush()
  ctx.clock.advance(10_000)
  for (let id = 301; id <= 400; id++) log.failure(guess(`FS:${id}`, '192.0.2.1'), 'unauthorized_access')
  await log.close()
  const rows = await rowsAfter(start)
  const ofOne = rows.filter(({ ip }) => ip === '192.0.2.1')
  const shared = ofOne.filter(({ credential }) => credential === 'many')
  assert.equal(ofOne.length - shared.length, 105)
  assert.deepEqual(shared.map(countIn), [200, 95])
  assert.equal(rows.length - ofOne.length, 1)
})

test('what found room for a row has it still when it could not be written at first, also beside what came since', async () => {
  const start = await lastId()
  let isAway = true
  const transaction: typeof ctx.database.transaction = (work) => {
    if (!isAway) return ctx.database.transaction(work)
    refuse(50)
    return Promise.reject(new Error('The database is away.'))
  }
  const log = new AuthenticationLog({ ...ctx, database: { ...ctx.database, transaction } }, new Metrics())
  const refuse = (count: number) => {
    for (let id = 1; id <= count; id++) log.failure(guess(`FS:${id}`, '192.0.2.77'), 'unauthorized_access')
  }
  refuse(130)
  await log.flush()
  isAway = false
  await log.close()
  const rows = await rowsAfter(start)
  const shared = rows.filter(({ credential }) => credential === 'many')
  assert.equal(rows.length - shared.length, 100)
  assert.equal(
    rows.reduce((sum, row) => sum + countIn(row), 0),
    180,
  )
})

test('more than 10,000 networks are counted together, at once or within the time that rows take to come back', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  const refuse = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      log.failure(guess('Bearer', `10.0.${index >> 8}.${index & 255}`), 'unauthorized_access')
    }
  }
  refuse(0, 10_007)
  await log.flush()
  ctx.clock.advance(1_000)
  refuse(20_000, 20_015)
  await log.close()
  const rows = await rowsAfter(start)
  const many = rows.filter(({ credential }) => credential === 'many')
  assert.equal(rows.length - many.length, 10_010)
  assert.deepEqual(
    many.map((row) => [row.ip, countIn(row)]),
    [
      [null, 7],
      [null, 5],
    ],
  )
})

test('an install that calls from many addresses within a second is told of for eight, then together', async () => {
  const start = await lastId()
  const log = new AuthenticationLog(ctx, new Metrics())
  const actor = { kind: 'install', id: 9, credential: 'FS:install:9' } as const
  for (let index = 0; index < 50; index++) {
    log.success({ actor, productId: 1, ip: `2001:db8:1:${index}::1`, requestId: 'req_1' })
  }
  await log.close()
  const rows = await rowsAfter(start)
  const callers = rows.flatMap((row) => JSON.parse(row.details).callers ?? [])
  assert.equal(rows.length, 1)
  assert.equal(callers.length, 10)
  assert.deepEqual(callers.at(-1), ['FS:install:9', null, null, 41])
})
