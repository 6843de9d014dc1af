import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../../src/log.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { confirmationTokensOf } from './secrets.ts'
import { dumpOf, stateOf, textOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

const MARKER = 'select hunter2 from /srv/keywright/secret.ts'
const lines: string[] = []
/** Statements on which the database fails; null: on none. */
let failsOn: RegExp | null = null

let world: World
before(async () => {
  world = await startWorld('failures', {
    log: createLog('info', { write: (line) => void lines.push(line) }),
    onStatement: (statement) => {
      if (failsOn?.test(statement)) throw new Error(MARKER)
    },
  })
})
after(() => world.close())
afterEach(() => {
  failsOn = null
})

const authorized = (call: Partial<Call> = {}): Call => ({
  method: 'GET',
  path: `/v1/products/${world.seller.product.id}/users.json`,
  ...call,
  headers: { authorization: `Bearer ${world.seller.product.token}`, ...call.headers },
})
const create = (email: string, extra: Record<string, string> = {}): Call => {
  const { headers, body } = jsonBody({ email, name: 'Some Body', password: 'a pass phrase to hash' })
  return authorized({ method: 'POST', headers: { ...headers, ...extra }, body })
}

/** A 500 that tells its request id and nothing else, while the log tells the rest under the same id. */
async function failsQuietly(call: Call): Promise<Answer> {
  lines.length = 0
  const answer = await world.send(call)
  assert.equal(answer.status, 500, answer.text)
  const { path, error } = answer.json
  assert.deepEqual(Object.keys(error).toSorted(), [
    'code',
    'documentation_url',
    'http',
    'message',
    'request_id',
    'timestamp',
    'type',
  ])
  assert.deepEqual([error.code, error.type, error.http], ['internal_error', 'InternalError', 500])
  assert.equal(error.message, 'Something went wrong here; the request id names it in our log.')
  assert.equal(path, call.path.replace('/v1', '').split('?')[0])
  const shown = `${answer.text} ${JSON.stringify(answer.headers)}`
  assert.doesNotMatch(
    shown,
    /hunter2|\.ts\b|\.js\b|node_modules|\bat \w|\bselect\b|relation|no such|sqlite|postgres|SyntaxError/i,
  )
  const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  const own = logged.filter(({ request_id: id }) => id === error.request_id)
  assert.equal(own.length, 1, lines.join(''))
  assert.equal(answer.headers['x-request-id'], error.request_id)
  assert.ok(own[0].err.message !== '' && own[0].err.stack.includes('.ts'))
  assert.equal(own[0].status, 500)
  return answer
}

const execute = (statement: ReturnType<typeof sql>) =>
  world.ctx.database.transaction((db) => statement.execute(db))

async function without(table: string, work: () => Promise<unknown>) {
  const away = `${table}_away`
  await execute(sql`alter table ${sql.table(table)} rename to ${sql.table(away)}`)
  try {
    await work()
  } finally {
    await execute(sql`alter table ${sql.table(away)} rename to ${sql.table(table)}`)
  }
}

describe('S37: an error of ours in each layer', () => {
  test('in a query of a read', () => without('product_users', () => failsQuietly(authorized())))

  test('in a search, which runs beside the requests', () =>
    without('product_users', () => {
      const { path } = authorized()
      return failsQuietly(authorized({ path: `${path}?search=body` }))
    }))

  test('in the presentation of a row: a key that does not open, data that is no JSON', async () => {
    const { bea } = world.people
    await execute(sql`update product_users set secret_key = 'v1.hunter2.x' where user_id = ${bea.id}`)
    await failsQuietly(authorized({ path: `/v1/products/${world.seller.product.id}/users/${bea.id}.json` }))
    await execute(sql`update events set data = 'hunter2' where id = ${Number(world.ids.own['event_id'])}`)
    await failsQuietly(
      authorized({
        path: `/v1/products/${world.seller.product.id}/events/${world.ids.own['event_id']}.json`,
      }),
    )
    await execute(sql`update events set data = null where id = ${Number(world.ids.own['event_id'])}`)
    await execute(sql`delete from billing where user_id = ${bea.id}`)
    await execute(sql`delete from email_confirmations where user_id = ${bea.id}`)
    await execute(sql`delete from product_users where user_id = ${bea.id}`)
  })

  test('in authentication, which then lets nobody in', async () => {
    await without('api_tokens', async () => {
      await failsQuietly(authorized())
      await failsQuietly(authorized({ path: '/v1/nothing.json' }))
    })
    await without('access_tokens', () => {
      const authorization = `FSA ${world.seller.developer.id}:${world.access.live}`
      const path = `/v1/developers/${world.seller.developer.id}/products/${world.seller.product.id}/users.json`
      return failsQuietly({ method: 'GET', path, headers: { authorization } })
    })
    const { developer } = world.stranger
    await execute(sql`update developers set secret_key = 'v1.hunter2.x' where id = ${developer.id}`)
    const call = { method: 'GET', path: `/v1/developers/${developer.id}/token.json` }
    await failsQuietly(world.sign(developer, call))
  })

  test('in any statement of a write, its audit row, its stored reply and its commit: nothing is stored', async () => {
    const key = { 'idempotency-key': 'fails at first' }
    const points = [
      /into "users"/,
      /into "product_users"/,
      /into "events"/,
      /into "mails"/,
      /"audit_log"/,
      /into idempotency_keys/,
      /update "idempotency_keys"/,
    ]
    for (const point of points) {
      const before = await stateOf(world.ctx.database)
      failsOn = point
      await failsQuietly(create('failing@example.com', key))
      failsOn = null
      assert.equal(await stateOf(world.ctx.database), before, String(point))
    }
    const before = await stateOf(world.ctx.database)
    failsOn = /^commit$/
    await failsQuietly(create('failing@example.com'))
    failsOn = null
    assert.equal(await stateOf(world.ctx.database), before)
    assert.ok(!textOf(await dumpOf(world.ctx.database)).includes('failing@example.com'))
    const after = await world.send(create('failing@example.com', key))
    assert.equal(after.status, 200, 'the key was not used up by what failed')
  })

  test('in a page', async () => {
    const [token] = await confirmationTokensOf(world)
    await without('email_confirmations', () =>
      failsQuietly({ method: 'GET', path: `/confirm-email/${token}` }),
    )
    const before = await stateOf(world.ctx.database)
    failsOn = /"audit_log"/
    await failsQuietly({ method: 'POST', path: `/confirm-email/${token}` })
    failsOn = null
    assert.equal(await stateOf(world.ctx.database), before)
  })

  test('authentications that could not be recorded are kept and recorded later, each in its row', async () => {
    const CALLERS = 40
    await world.recorded()
    const failures = () =>
      world.ctx.db
        .selectFrom('audit_log')
        .select('credential')
        .where('action', '=', 'authentication.failure')
        .execute()
    const known = (await failures()).length
    failsOn = /"audit_log"/
    lines.length = 0
    const refuse = async (authorization: string) =>
      assert.equal((await world.send(authorized({ headers: { authorization } }))).status, 401)
    for (let id = 1; id <= CALLERS; id++) await refuse(`FS ${id}:pk_nobody:signature`)
    const lost = () => lines.join('').split('authentications could not be recorded').length - 1
    const deadline = Date.now() + 10_000
    do {
      await refuse('Bearer kw_unrecorded')
      await new Promise((resolve) => setTimeout(resolve, 50))
    } while (lost() < 4 && Date.now() < deadline)
    assert.ok(lost() >= 4)
    failsOn = null
    await world.stop()
    const told = (await failures()).slice(known).map(({ credential }) => credential)
    const callers = Array.from({ length: CALLERS }, (_, index) => `FS:${index + 1}`)
    assert.deepEqual(told.toSorted(), [...callers, 'Bearer'].toSorted())
  })
})
