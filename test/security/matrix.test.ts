import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../../src/app.ts'
import { pathsOf } from '../../src/http/mounts.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import { SCOPE_KINDS, type ScopeKind } from '../../src/http/scope.ts'
import { callersOf, type Credentialed } from './callers.ts'
import { inParallel } from './client.ts'
import { CREDENTIALS, MATRIX, type Credential } from './matrix.ts'
import { GUARDED, MOUNTS, requestTo } from './requests.ts'
import { stateOf } from './tables.ts'
import { signedInQuery } from './signing.ts'
import { startWorld, type World } from './world.ts'
import { toRfc2822 } from '../../src/lib/time.ts'

let world: World
let callers: Record<Credential, Credentialed>
before(async () => {
  world = await startWorld('matrix')
  callers = await callersOf(world)
})
after(() => world.close())

/** A bearer token is told nothing at all about what lies outside its product. */
const isOutside = (kind: ScopeKind, credential: Credential) =>
  credential === 'bearer of another product' || (credential === 'bearer' && kind !== 'product')

/** Every address an operation would have in a scope, unless another operation is there. */
const addressesOf = (op: AnyOperation, kind: ScopeKind) =>
  pathsOf(op, kind).filter((path) => {
    const mounts = MOUNTS.filter((one) => one.method === op.method)
    const mount = mounts.find((one) => one.path === path) ?? mounts.find((one) => takes(one.path, path))
    return !mount || (mount.kind === kind && mount.op === op)
  })

/** Whether `path` is read as an address of `pattern`: `special` as an id, say. */
const takes = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/{}]+')}$`).test(
    path.replaceAll(/[{}]/g, ''),
  )

describe('S03: operation × scope × credential', () => {
  test('every operation is in the matrix, and nothing else is', () => {
    assert.deepEqual(Object.keys(MATRIX).toSorted(), operations.map(({ id }) => id).toSorted())
  })

  const cases = operations.flatMap((op) =>
    SCOPE_KINDS.flatMap((kind) => addressesOf(op, kind).map((path) => ({ op, kind, path }))),
  )

  test('an operation has addresses exactly in the scopes of its row', () => {
    for (const { op, kind, path } of cases) {
      const isMounted = MOUNTS.some((mount) => mount.path === path && mount.method === op.method)
      assert.equal(isMounted, MATRIX[op.id]?.[kind] !== 'nowhere', `${op.id} in ${kind}`)
    }
  })

  test('a signature in the query opens what GET answers and no write', async () => {
    const { developer, product, store } = world.seller
    const signers = { product, developer, account: developer, store, user: world.people.ada.keys } as const
    const date = toRfc2822(world.ctx.clock.real())
    for (const { op, kind, path } of cases) {
      const row = MATRIX[op.id]?.[kind] ?? []
      if (!(kind in signers) || row === 'nowhere') continue
      const signer = signers[kind as keyof typeof signers]
      const call = signedInQuery(signer, requestTo({ method: op.method, path, op }, world.ids.own), date)
      const isAllowed = op.method === 'GET' && row.some((credential) => credential.startsWith('FS '))
      const { status } = await world.send(call)
      const isAsSaid = isAllowed ? status === 200 || (GUARDED.has(op.id) && status !== 401) : status === 401
      // Without a header nobody is known, which is enough where nobody need be.
      assert.ok(isAsSaid || row.includes('none'), `${op.id} in ${kind}: ${status}`)
    }
  })

  test('behaviour is the matrix: what it allows is answered, all else is 401', async () => {
    const trials = cases.flatMap((one) => CREDENTIALS.map((credential) => ({ ...one, credential })))
    const refused = trials.filter((trial) => expected(trial) !== 'allowed')
    const allowed = trials.filter((trial) => expected(trial) === 'allowed')
    assert.ok(allowed.length > 0 && refused.length > allowed.length)
    const before = await stateOf(world.ctx.database)
    for (const { name, expectation, status } of await inParallel(refused, attempt)) {
      // A name such as `login` stands where another operation has an id, with other methods.
      assert.equal(expectation === 404 && status === 405 ? 404 : status, expectation, name)
    }
    assert.equal(await stateOf(world.ctx.database), before)
    const isGuarded = ({ op }: Trial) => GUARDED.has(op.id)
    for (const { name, status } of await inParallel(
      allowed.filter((trial) => trial.op.method !== 'DELETE' && !isGuarded(trial)),
      attempt,
    )) {
      assert.ok(status >= 200 && status < 300, `${name}: ${status}`)
    }
    for (const { name, code } of await inParallel(allowed.filter(isGuarded), attempt)) {
      assert.ok(code !== 'unauthorized_access', `${name}: ${code}`)
    }
    await deleteAll(allowed.filter((trial) => trial.op.method === 'DELETE' && !isGuarded(trial)))
  })

  interface Trial {
    readonly op: AnyOperation
    readonly kind: ScopeKind
    readonly path: string
    readonly credential: Credential
  }

  function expected({ op, kind, credential }: Trial): 'allowed' | 401 | 404 {
    const row = MATRIX[op.id]?.[kind] ?? []
    if (row === 'nowhere') return isOutside(kind, credential) ? 401 : 404
    return row.includes(credential) ? 'allowed' : 401
  }

  /** What is deleted there, wherever it is addressed. */
  const thingOf = ({ path }: Trial) =>
    path
      .replace(/^\/developers\/\{developer_id\}/, '')
      .replace(/^\/stores\/\{store_id\}(?=\/products\/)/, '')
      .replace(/^\/users\/\{user_id\}(?=\/)/, '')
      .replace(/^\/products\/\{product_id\}/, '')

  /** One after the other, what stands in something before what it stands in: all but the first find nothing. */
  async function deleteAll(trials: readonly Trial[]): Promise<void> {
    const depth = ({ op }: Trial) => op.path.split('/').length
    const gone = new Set<string>()
    for (const trial of trials.toSorted((a, b) => depth(b) - depth(a))) {
      const { name, status } = await attempt(trial)
      assert.ok(
        status >= 200 && status < 300 ? !gone.has(thingOf(trial)) : status === 404,
        `${name}: ${status}`,
      )
      if (status !== 404) gone.add(thingOf(trial))
    }
    for (const trial of trials) assert.ok(gone.has(thingOf(trial)), `${trial.op.id} deleted nothing`)
  }

  async function attempt(trial: Trial) {
    const { op, kind, path, credential } = trial
    const call = requestTo({ method: op.method, path, op }, world.ids.own)
    const { status, json } = await world.send(callers[credential](call))
    const name = `${op.id} in ${kind} with ${credential} (${path})`
    return { name, expectation: expected(trial), status, code: json?.error?.code as unknown }
  }

  test('an access token may stand in the query of a GET, a bearer token nowhere but in the header', async () => {
    const users = `/v1/developers/${world.seller.developer.id}/products/${world.seller.product.id}/users.json`
    const inQuery = (text: string) => `?authorization=${encodeURIComponent(text)}`
    const fsa = inQuery(`FSA ${world.seller.developer.id}:${world.access.live}`)
    assert.equal((await world.send({ method: 'GET', path: users + fsa })).status, 200)
    const post = requestTo({ method: 'POST', path: '', op: operationOf('users/create') }, {})
    assert.equal((await world.send({ ...post, path: users + fsa })).status, 401)
    const bearer = inQuery(`Bearer ${world.seller.product.token}`)
    const path = `/v1/products/${world.seller.product.id}/users.json${bearer}`
    assert.equal((await world.send({ method: 'GET', path })).status, 401)
  })
})

function operationOf(id: string): AnyOperation {
  return operations.find((op) => op.id === id) ?? assert.fail(id)
}
