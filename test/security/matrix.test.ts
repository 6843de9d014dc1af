// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../../src/app.ts'
import { pathsOf } from '../../src/http/mounts.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import { SCOPE_KINDS, type ScopeKind } from '../../src/access/scope.ts'
import { callersOf, type Credentialed } from './callers.ts'
import { inParallel } from './client.ts'
import { CREDENTIALS, MATRIX, type Credential } from './matrix.ts'
import { isFresh } from './fresh.ts'
import { GUARDED, idsFor, MOUNTS, requestTo } from './requests.ts'
import { stateOf } from './tables.ts'
import { signedInQuery, type Signer } from './signing.ts'
import { installKeysOf, startWorld, type Ids, type World } from './world.ts'
import { toRfc2822 } from '../../src/lib/time.ts'

let world: World
let callers: Record<Credential, Credentialed>
before(async () => {
  world = await startWorld('matrix')
  callers = await callersOf(world)
})
after(() => world.close())

/** A bearer token is told nothing at all about what lies outside its product, its account or its install. */
const isOutside = (kind: ScopeKind, credential: Credential) =>
  ['bearer of another product', 'install token', 'token of another install'].includes(credential) ||
  (credential === 'bearer' && kind !== 'product') ||
  (credential.startsWith('developer token') && !isOfAccount(kind, credential))

const isOfAccount = (kind: ScopeKind, credential: Credential) =>
  (kind === 'developer' || kind === 'account') && !/ (seller|expired|revoked)$/.test(credential)

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

/** One credential of each way to bring one. */
const WAYS: readonly Credential[] = ['none', 'bearer', 'install token', 'FS developer', 'session']

/** What is told of the token that calls, whatever it opens beside. */
const OF_ANY_TOKEN = new Set(operations.filter(({ caller }) => caller === 'token').map(({ id }) => id))

/** What opens something that not everybody may, and so could by mistake open an operation that it should not. */
const OPENING = CREDENTIALS.filter((credential) =>
  Object.entries(MATRIX).some(
    ([id, row]) =>
      !OF_ANY_TOKEN.has(id) &&
      Object.values(row).some(
        (some) => some !== 'nowhere' && some.includes(credential) && !some.includes('none'),
      ),
  ),
)

/**
 * What may be answered otherwise to who may call it: of all who move the clock of a sandbox at the same time one does, the
 * others are 409; five write to a support; an address is mailed so often; a session of somebody else is not found; one
 * import of an account is under way; plans are added while they are put in an order; whoever is logged in gives the
 * password again to replace a key.
 */
const AS_IT_STANDS = new Set([
  'keywright/advance-sandbox-clock',
  'keywright/cancel-import',
  'keywright/contact-support',
  'keywright/create-import',
  'keywright/end-session',
  'keywright/mail-invoice',
  'keywright/order-plans',
  'keywright/renew-developer-keys',
  'keywright/renew-product-keys',
  'keywright/renew-store-keys',
  'keywright/start-import',
  'keywright/undo-import',
])

const seen = new Set<unknown>()

/**
 * All of them where a row is met first in a scope, then what opens something somewhere; whose one is plays no part
 * where there is no address, nor at the second one that a user has.
 */
function credentialsFor({ op, kind, path }: Place): readonly Credential[] {
  const row = MATRIX[op.id]?.[kind] ?? []
  if (row === 'nowhere') return WAYS
  if (kind === 'user' && path.startsWith('/users/{user_id}/products/')) {
    return [...new Set([...WAYS, 'FSA developer' as const, ...row])]
  }
  const isFirst = !seen.has(`${kind} ${row.join()}`)
  seen.add(`${kind} ${row.join()}`)
  return isFirst ? CREDENTIALS : [...OPENING, 'none']
}

interface Place {
  readonly op: AnyOperation
  readonly kind: ScopeKind
  readonly path: string
}

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
    const signers: Partial<Record<ScopeKind, (ids: Ids) => Signer>> = {
      product: () => product,
      developer: () => developer,
      account: () => developer,
      store: () => store,
      user: () => world.people.ada.keys,
      install: installKeysOf,
    }
    const date = toRfc2822(world.ctx.clock.real())
    for (const { op, kind, path } of cases) {
      const row = MATRIX[op.id]?.[kind] ?? []
      const signerOf = signers[kind]
      if (!signerOf || row === 'nowhere') continue
      const ids = await idsFor(world, { op })
      const call = signedInQuery(signerOf(ids), requestTo({ method: op.method, path, op }, ids), date)
      const isAllowed = op.method === 'GET' && row.some((credential) => credential.startsWith('FS '))
      const { status } = await world.send(call)
      const isAsSaid = isAllowed ? status === 200 || (GUARDED.has(op.id) && status !== 401) : status === 401
      // Without a header nobody is known, which is enough where nobody need be.
      assert.ok(isAsSaid || row.includes('none'), `${op.id} in ${kind}: ${status}`)
    }
  })

  test('behaviour is the matrix: what it allows is answered, all else is 401', async () => {
    const trials = cases.flatMap((one) => credentialsFor(one).map((credential) => ({ ...one, credential })))
    const refused = trials.filter((trial) => expected(trial) !== 'allowed')
    const allowed = trials.filter((trial) => expected(trial) === 'allowed')
    assert.ok(allowed.length > 0 && refused.length > allowed.length)
    const before = await stateOf(world.ctx.database)
    for (const { name, expectation, status } of await inParallel(refused, attempt)) {
      // A name such as `login` stands where another operation has an id, with other methods.
      assert.equal(expectation === 404 && status === 405 ? 404 : status, expectation, name)
    }
    assert.equal(await stateOf(world.ctx.database), before)
    const isGuarded = ({ op }: Trial) => GUARDED.has(op.id) || AS_IT_STANDS.has(op.id)
    const isDone = (trial: Trial) => !isGuarded(trial) && (trial.op.method !== 'DELETE' || isFresh(trial.op))
    for (const { name, status } of await inParallel(allowed.filter(isDone), attempt)) {
      assert.ok(status >= 200 && status < 300, `${name}: ${status}`)
    }
    // Who leaves everywhere is let in nowhere afterwards.
    for (const isLast of [false, true]) {
      const guarded = allowed.filter(
        (one) => isGuarded(one) && (one.op.id === 'keywright/leave-portal') === isLast,
      )
      for (const { name, code } of await inParallel(guarded, attempt))
        assert.ok(code !== 'unauthorized_access', `${name}: ${code}`)
    }
    await deleteAll(allowed.filter((trial) => !isGuarded(trial) && !isDone(trial)))
  })

  interface Trial extends Place {
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
    const expectation = expected(trial)
    const ids = expectation === 'allowed' ? await idsFor(world, { op }) : world.ids.own
    const call = requestTo({ method: op.method, path, op }, ids)
    const { status, json, text } = await world.send(callers[credential](call, ids))
    const name = `${op.id} in ${kind} with ${credential} (${path}) ${text.slice(0, 500)}`
    return { name, expectation, status, code: json?.error?.code as unknown }
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
