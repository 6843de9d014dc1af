// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { operations } from '../../src/app.ts'
import type { Mount } from '../../src/http/mounts.ts'
import { hashToken } from '../../src/lib/credentials.ts'
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

/** Writes that nobody need be known for, and the link that makes somebody an owner. */
const ANYBODYS = new Set([
  ...operations.filter(({ caller }) => caller === 'open').map(({ id }) => id),
  'keywright/confirm-ownership',
])

const IP = '198.51.100.7'
const rowsOf = () => world.ctx.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const detailsOf = ({ details }: Row) =>
  JSON.parse(details) as { count?: number; reason?: string; params?: object; fields?: string[] }

describe('S40: the audit log', () => {
  test("what anybody may do and the seller did has a row of the seller's own", async () => {
    const { product } = world.seller
    const body = jsonBody({ email: world.people.ada.email })
    const call = { method: 'POST', path: `/v1/products/${product.id}/licenses/resend.json`, ...body }
    const asked = async (scheme: 'FS' | 'FSP') => {
      const answer = await sendFromThere(world.sign(product, call, scheme))
      assert.equal(answer.status, 200, answer.text)
      return String(answer.headers['x-request-id'])
    }
    const [own] = [await asked('FS'), await asked('FSP')]
    await world.recorded()
    const told = (await rowsOf()).filter(({ action }) => action === 'licenses/resend-keys').slice(-2)
    const ofSeller = told.find(({ credential }) => credential === `FS:product:${product.id}`) ?? assert.fail()
    assert.deepEqual([ofSeller.request_id, detailsOf(ofSeller).count], [own, undefined])
    const ofAnybody =
      told.find(({ credential }) => credential === `FSP:product:${product.id}`) ?? assert.fail()
    assert.equal(detailsOf(ofAnybody).count, 1)
  })

  test('every write and every authentication of a run has its row: who, what, when, from where', async () => {
    await world.recorded()
    const known = new Set((await rowsOf()).map(({ id }) => id))
    const run = await makeCalls()
    await world.stop()
    const rows = (await rowsOf()).filter(({ id }) => !known.has(id))
    const told = rows.flatMap((row) => Array<string>(detailsOf(row).count ?? 1).fill(lineOf(row)))
    assert.deepEqual(countBy(told), countBy(run.lines))
    for (const row of rows) {
      const what = JSON.stringify(row)
      assert.equal(row.at, world.ctx.clock.real(), what)
      assert.equal(row.ip, IP, what)
      assert.match(String(row.request_id), /^req_[0-9a-z]+$/, what)
      assert.equal(row.actor_kind === 'anonymous', row.actor_id === 0, what)
      const isNobody = row.action === 'authentication.failure' || ANYBODYS.has(row.action)
      assert.ok(isNobody || row.actor_id > 0, what)
    }
  })

  const line = (action: string, { credential, productId }: Who, reason = 'done') =>
    `${action} by ${credential} in ${productId}: ${reason}`

  const lineOf = (row: Row) =>
    line(row.action, { credential: row.credential, productId: row.product_id }, detailsOf(row).reason)

  const countBy = (names: readonly string[]) =>
    names
      .toSorted()
      .reduce<Record<string, number>>((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {})

  interface Who {
    readonly credential: string
    readonly productId: number | null
  }

  const unproven = (credential: string): Who => ({ credential, productId: null })

  /** A caller as it is recorded when it is let in, and when it is not. */
  interface Sender {
    readonly proven: Who
    readonly tried: Who
  }

  interface Run {
    /** What must be recorded, as the answers alone tell it. */
    readonly lines: string[]
    send(call: Call, sender: Sender): Promise<Answer>
  }

  const sendFromThere = (call: Call) =>
    world.send({ ...call, headers: { ...call.headers, 'x-forwarded-for': IP } })

  function newRun(): Run {
    const lines: string[] = []
    return {
      lines,
      async send(call, { proven, tried }) {
        const answer = await sendFromThere(call)
        const isRefused = answer.status === 401
        if (isRefused) lines.push(line('authentication.failure', tried, answer.json.error.code))
        else lines.push(line('authentication.success', proven))
        return answer
      },
    }
  }

  /** The ids of the credentials that `allowed` puts on a call. */
  async function credentialIds() {
    const { db } = world.ctx
    const idOf = async (table: 'api_tokens' | 'access_tokens' | 'sessions', token: string) => {
      const found = await db
        .selectFrom(table)
        .select('id')
        .where('token_hash', '=', hashToken(token))
        .execute()
      return found[0]?.id ?? assert.fail(table)
    }
    return {
      token: await idOf('api_tokens', world.seller.product.token),
      access: await idOf('access_tokens', world.access.live),
      session: await idOf('sessions', world.sessions.live),
    }
  }
  type CredentialIds = Awaited<ReturnType<typeof credentialIds>>

  /** Who `allowed` sends a call of this operation as. */
  function senderOf({ op, kind }: Mount, { token, access, session }: CredentialIds): Sender {
    const { developer, product } = world.seller
    const user = world.people.ada.id
    const productId = ['product', 'developer', 'user'].includes(kind) ? product.id : null
    const named = (credential: string, tried: string): Sender => ({
      proven: { credential, productId },
      tried: unproven(tried),
    })
    if (op.caller === 'session') return named(`session:${session}`, 'none')
    if (op.caller === 'token')
      return { proven: { credential: `token:${token}`, productId: product.id }, tried: unproven('Bearer') }
    if (op.caller === 'signature') return named(`FS:developer:${developer.id}`, `FS:${developer.id}`)
    if (kind === 'user') return named(`FS:user:${user}`, `FS:${user}`)
    return kind === 'product'
      ? named(`token:${token}`, 'Bearer')
      : named(`FSA:${access}`, `FSA:${developer.id}`)
  }

  const nobody: Sender = { proven: unproven('none'), tried: unproven('none') }

  /** Reads, writes and refusals of every operation. */
  async function makeCalls(): Promise<Run> {
    const run = newRun()
    const ids = await credentialIds()
    for (const mount of mainMounts().filter(({ op }) => !GUARDED.has(op.id))) {
      if (mount.op.caller === 'open') {
        assert.equal((await sendFromThere(await allowedRequest(world, mount))).status, mount.op.status)
        const productId = mount.kind === 'product' ? world.seller.product.id : null
        if (isWrite(mount.op)) run.lines.push(line(mount.op.id, { credential: 'none', productId }))
        continue
      }
      const sender = senderOf(mount, ids)
      const answer = await run.send(await allowedRequest(world, mount), sender)
      if (isWrite(mount.op) && answer.status < 300) run.lines.push(line(mount.op.id, sender.proven))
      // Each side agrees for itself.
      if (mount.op.id === 'installations/change-ownership') {
        const sides = line('keywright/confirm-ownership', { ...sender.proven, credential: 'link' })
        run.lines.push(sides, sides)
      }
      const { path, method } = await allowedRequest(world, mount)
      await run.send({ method, path }, nobody)
      const elsewhere = path.replace(/(?<=^\/v1\/.*)\d+(?=\D*$)/, '987654321')
      await run.send(allowed(world, mount, { method, path: elsewhere }), sender)
    }
    const writes = run.lines.filter((one) => !one.startsWith('authentication.'))
    assert.ok(writes.length > 5 && run.lines.length > 3 * writes.length)
    await makeRefusals(run)
    await writeTwice(run, ids)
    await confirm(run)
    return run
  }

  /** The ways to be refused that no operation's own handler sees. */
  async function makeRefusals(run: Run): Promise<void> {
    const { developer, product, other } = world.seller
    const users = `/v1/products/${product.id}/users.json`
    const headers = { authorization: `Bearer ${product.token}` }
    const date = toRfc2822(world.ctx.clock.real())
    const list = { method: 'GET', path: users }
    const session = { method: 'GET', path: `/v1/developers/${developer.id}/session.json` }
    const inProduct = (credential: string) => ({ credential, productId: product.id })
    const refused: [Call, Who][] = [
      [{ method: 'GET', path: `/v1/products/${other.id}/users.json`, headers }, unproven('Bearer')],
      [{ method: 'GET', path: '/v1/nothing.json', headers }, unproven('Bearer')],
      [{ method: 'GET', path: '/v1/installs/1/users.json', headers }, unproven('Bearer')],
      [{ method: 'GET', path: '/v1/products/%zz/users.json', headers }, unproven('Bearer')],
      [signed(product, list, { date: 'yesterday', signedType: null }), unproven(`FS:${product.id}`)],
      [world.sign(product, list, 'FSP'), inProduct(`FSP:product:${product.id}`)],
      [world.sign(developer, session), unproven(`FS:developer:${developer.id}`)],
    ]
    for (const [call, tried] of refused) {
      assert.equal((await run.send(call, { proven: tried, tried })).status, 401, call.path)
    }
    // Refused for its body, after its signature was found good.
    const uncovered = signed(
      product,
      { method: 'POST', path: users, body: '{}' },
      { date, signedType: 'application/json', md5: '' },
    )
    const tried = unproven(`FS:${product.id}`)
    assert.equal((await run.send(uncovered, { proven: tried, tried })).status, 401)
    run.lines.push(line('authentication.success', inProduct(`FS:product:${product.id}`)))
  }

  /** A write that is answered twice and done once. */
  async function writeTwice(run: Run, { token }: CredentialIds): Promise<void> {
    const { product } = world.seller
    const { headers, body } = jsonBody({ email: 'audited@example.com', name: 'x' })
    const key = { authorization: `Bearer ${product.token}`, 'idempotency-key': 'audited' }
    const call = { method: 'POST', path: `/v1/products/${product.id}/users.json`, body }
    const proven = { credential: `token:${token}`, productId: product.id }
    for (const replayed of [undefined, 'true']) {
      const answer = await run.send(
        { ...call, headers: { ...headers, ...key } },
        { proven, tried: unproven('Bearer') },
      )
      assert.equal(answer.headers['idempotent-replayed'], replayed)
    }
    run.lines.push(line('users/create', proven))
  }

  async function confirm(run: Run): Promise<void> {
    const tokens = await confirmationTokensOf(world)
    for (const token of tokens.slice(0, 2)) {
      const [link] = await world.ctx.db
        .selectFrom('email_confirmations')
        .select('product_id')
        .where('token_hash', '=', hashToken(token))
        .execute()
      assert.equal((await sendFromThere({ method: 'POST', path: `/confirm-email/${token}` })).status, 200)
      const productId = link?.product_id ?? null
      run.lines.push(line('keywright/confirm-email', { credential: 'link', productId }))
    }
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
