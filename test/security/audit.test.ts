import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { toRfc2822 } from '../../src/lib/time.ts'
import { testEngine } from '../database.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { allowed, allowedRequest, GUARDED, isWrite, mainMounts } from './requests.ts'
import { confirmationTokensOf } from './secrets.ts'
import { signed } from './signing.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('audit', { config: { trustProxy: ['127.0.0.1'] } })
})
after(() => world.close())

const IP = '198.51.100.7'
const rowsOf = () => world.ctx.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const detailsOf = ({ details }: Row) =>
  JSON.parse(details) as { count?: number; params?: object; fields?: string[] }

describe('S40: the audit log', () => {
  test('every write and every authentication of a run has its row: who, what, when, from where', async () => {
    const known = new Set((await rowsOf()).map(({ id }) => id))
    const run = await makeCalls()
    await world.stop()
    const rows = (await rowsOf()).filter(({ id }) => !known.has(id))
    assert.deepEqual(countBy(rows.filter(isOfWrite).map(({ action }) => action)), countBy(run.writes))
    const sum = (action: string) =>
      rows
        .filter((row) => row.action === action)
        .reduce((total, row) => total + (detailsOf(row).count ?? 0), 0)
    assert.equal(sum('authentication.failure'), run.failures)
    assert.ok(
      sum('authentication.success') >= run.successes,
      'those of the start of the world may be among them',
    )
    assert.ok(sum('authentication.success') <= run.successes + run.earlier)
    for (const row of rows) {
      const what = JSON.stringify(row)
      assert.equal(row.at, world.ctx.clock.real(), what)
      if (row.ip !== '127.0.0.1') assert.equal(row.ip, IP, what)
      assert.match(String(row.request_id), /^req_[0-9a-z]+$/, what)
      assert.ok(row.credential !== '' && row.actor_kind !== '', what)
      if (isOfWrite(row)) assert.ok(row.actor_id > 0, what)
    }
  })

  const isOfWrite = ({ action, ip }: Row) => !action.startsWith('authentication.') && ip === IP

  const countBy = (names: readonly string[]) =>
    names
      .toSorted()
      .reduce<Record<string, number>>((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {})

  interface Run {
    /** The operation of each write that was answered with success, once each. */
    readonly writes: string[]
    failures: number
    successes: number
    /** Requests of the start of the world. */
    readonly earlier: number
  }

  /** Reads, writes and refusals of every operation; counts from the answers alone what must be recorded. */
  async function makeCalls(): Promise<Run> {
    const run: Run = { writes: [], failures: 0, successes: 0, earlier: 100 }
    const send = (call: Call) => world.send({ ...call, headers: { ...call.headers, 'x-forwarded-for': IP } })
    const count = ({ status }: Answer, hasCredential: boolean) => {
      if (status === 401) run.failures++
      else if (hasCredential) run.successes++
    }
    for (const mount of mainMounts().filter(({ op }) => !GUARDED.has(op.id))) {
      const isOpen = mount.op.access === 'open'
      const answer = await send(allowedRequest(world, mount))
      count(answer, !isOpen)
      if (isWrite(mount.op) && answer.status < 300) run.writes.push(mount.op.id)
      if (isOpen) continue
      const { path, method } = allowedRequest(world, mount)
      count(await send({ method, path }), false)
      count(
        await send(allowed(world, mount, { method, path: path.replace(/\d+(?=\D*$)/, '987654321') })),
        true,
      )
    }
    await makeRefusals(run, send, count)
    const tokens = await confirmationTokensOf(world)
    for (const token of tokens.slice(0, 2)) {
      assert.equal((await send({ method: 'POST', path: `/confirm-email/${token}` })).status, 200)
      run.writes.push('keywright/confirm-email')
    }
    assert.ok(run.writes.length > 5 && run.failures > 10 && run.successes > 10)
    return run
  }

  /** The ways to be refused that no operation's own handler sees, and a write that is answered twice. */
  async function makeRefusals(
    run: Run,
    send: (call: Call) => Promise<Answer>,
    count: (answer: Answer, hasCredential: boolean) => void,
  ) {
    const { product, other } = world.seller
    const users = `/v1/products/${product.id}/users.json`
    const headers = { authorization: `Bearer ${product.token}` }
    const date = toRfc2822(world.ctx.clock.real())
    const refused: Call[] = [
      { method: 'GET', path: `/v1/products/${other.id}/users.json`, headers },
      { method: 'GET', path: '/v1/nothing.json', headers },
      { method: 'GET', path: '/v1/installs/1/users.json', headers },
      { method: 'GET', path: '/v1/products/%zz/users.json', headers },
      signed(product, { method: 'GET', path: users }, { date: 'yesterday', signedType: null }),
      signed(
        product,
        { method: 'POST', path: users, body: '{}' },
        { date, signedType: 'application/json', md5: '' },
      ),
    ]
    for (const call of refused) {
      const answer = await send(call)
      assert.equal(answer.status, 401, call.path)
      count(answer, true)
    }
    // The last is refused for its body, after its signature was found good.
    run.successes++
    const { headers: json, body } = jsonBody({ email: 'audited@example.com', name: 'x' })
    for (const replayed of [undefined, 'true']) {
      const key = { ...json, ...headers, 'idempotency-key': 'audited' }
      const answer = await send({ method: 'POST', path: users, headers: key, body })
      assert.equal(answer.headers['idempotent-replayed'], replayed)
      count(answer, true)
    }
    run.writes.push('users/create')
  }

  test('a row names what was written, never a value of it', async () => {
    const rows = (await rowsOf()).filter(({ action }) => action === 'users/create')
    assert.ok(rows.length > 0)
    for (const row of rows) {
      assert.ok(detailsOf(row).fields?.includes('email'))
      assert.doesNotMatch(row.details, /@|example|Some|Body/)
    }
  })

  const attempts: Readonly<Record<string, RawBuilder<unknown>>> = {
    'a change of what': sql`update audit_log set action = 'forged' where hash is null`,
    'a change of who': sql`update audit_log set credential = 'forged' where hash is null`,
    'a change of when': sql`update audit_log set at = at + 1 where hash is null`,
    'a change of the id': sql`update audit_log set id = id + 1000000 where hash is null`,
    'a change in the chain': sql`update audit_log set action = 'forged' where hash is not null`,
    'a removal': sql`delete from audit_log where id = (select max(id) from audit_log)`,
    'a replacement': sql`insert into audit_log select * from audit_log where true on conflict (id) do update set action = 'forged'`,
    'a place in the chain given twice': sql`update audit_log set seq = 1, hash = 'forged' where hash is not null`,
    ...(testEngine() === 'postgres' && { 'emptying it': sql`truncate audit_log` }),
    ...(testEngine() === 'sqlite' && {
      'pushing a row out of the chain': sql`update or replace audit_log set seq = 1, hash = 'forged' where id = (select max(id) from audit_log)`,
      'replacing a row': sql`replace into audit_log select * from audit_log where id = (select max(id) from audit_log)`,
    }),
  }
  for (const [what, statement] of Object.entries(attempts)) {
    test(`${what} is refused by the database`, async () => {
      const [first] = await rowsOf()
      const chain = sql`update audit_log set seq = 1, hash = 'first' where id = ${first?.id} and hash is null`
      await world.ctx.database.transaction((db) => chain.execute(db))
      const before = JSON.stringify(await rowsOf())
      await assert.rejects(
        world.ctx.database.transaction((db) => statement.execute(db)),
        /append-only/,
      )
      assert.equal(JSON.stringify(await rowsOf()), before)
    })
  }
})
