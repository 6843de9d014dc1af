import { isForPages } from '../../src/http/cors.ts'
import type { TSchema } from '../../src/lib/type.ts'
import { operations } from '../../src/app.ts'
import { BASE_PATH, mountsOf, type Mount } from '../../src/http/mounts.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import type { ScopeKind } from '../../src/access/scope.ts'
import { SMALL_ZIP, uploadOf } from '../archives.ts'
import { jsonBody, type Call } from './client.ts'
import { bodyOf, queryOf } from './examples.ts'
import { freshIds } from './fresh.ts'
import { propertiesOf } from './values.ts'
import { installKeysOf, type Ids, type World } from './world.ts'
import { inPortal, loggedIn } from './visits.ts'

export const MOUNTS: readonly Mount[] = mountsOf(operations)

/** Where licenses are sold: not the plan and price that are there to be deleted. */
const SALE = /\/licenses\.json$|\/users\/\{user_id\}\/plans\/\{plan_id\}\/pricing\/\{pricing_id\}\.json$/

/** Under an add-on stands a plan of the add-on, under a store a coupon of the store; not every plan can be tried. */
export function fixtureOf(path: string, name: string): string {
  if (name === 'plan_id' && path.includes('{addon_id}')) return 'addon_plan_id'
  if (name === 'plan_id' && path.endsWith('/trials.json')) return 'tried_plan_id'
  if ((name === 'plan_id' || name === 'pricing_id') && SALE.test(path)) return `licensed_${name}`
  return name === 'coupon_id' && path.includes('/stores/{store_id}/coupons') ? 'store_coupon_id' : name
}

/** The names of the ids in a path, `{user_id}` → `user_id`. */
export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => fixtureOf(path, name))

/** The address of a mount with these ids in it; a name that has no fixture is an error that names it. */
export function pathOf(path: string, ids: Ids): string {
  return (
    BASE_PATH +
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[fixtureOf(path, name)]
      if (id === undefined) {
        throw new Error(`No fixture for the path parameter {${name}}: add a live id to idsOf() in world.ts.`)
      }
      return id
    })
  )
}

/**
 * A well-formed request to a mount: these ids in its path, unless others are given for that, what its query must
 * have, an example of its body.
 */
export function requestTo(
  { method, path, op }: Pick<Mount, 'method' | 'path' | 'op'>,
  ids: Ids,
  inPath: Ids = ids,
): Call {
  const query = requiredQuery(op, ids)
  return { method, path: pathOf(path, inPath) + query, ...(op.body && sentTo(op, bodyOf(op, ids))) }
}

/** Whether it wants a file, which no body of JSON has. */
const takesUpload = ({ files }: AnyOperation): boolean =>
  Object.values(files ?? {}).some(({ goesToStorage }) => goesToStorage)

/** Of who sends more than an operation takes, and goes on. */
export const LENIENT = { 'x-keywright-strict': '0' } as const

/** A body of JSON, or of parts where the operation wants a file. */
export const sentTo = (op: AnyOperation, body: object): Pick<Call, 'headers' | 'body'> =>
  takesUpload(op) ? uploadOf(SMALL_ZIP, { data: body }) : jsonBody(body)

/** The path with a query after the one it has; of a name that is in both the new value stays. */
export function withQuery(path: string, query: string): string {
  const [bare = '', old = ''] = path.split('?')
  const names = new Set(new URLSearchParams(query).keys())
  const kept = old.split('&').filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''))
  return `${bare}?${[...kept, query].join('&')}`
}

function requiredQuery(op: AnyOperation, ids: Ids): string {
  const values = queryOf(op, ids)
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`
}

/**
 * Where each operation is tried when one place is enough: its first scope, with a caller who may; deletions last.
 * What stands under a store itself stands under its developer too, who need not sign every call.
 */
export function mainMounts(): Mount[] {
  const mounts = operations
    .filter(({ scopes }) => scopes.some((kind) => kind !== 'store_account'))
    .map((op) => {
      const mount = MOUNTS.find((one) => one.op === op && one.kind === op.scopes[0])
      if (!mount) throw new Error(`${op.id} is served nowhere.`)
      return mount
    })
  const isLast = ({ method }: Mount) => (method === 'DELETE' ? 1 : 0)
  return mounts.toSorted((a, b) => isLast(a) - isLast(b))
}

/** Where a path begins with somebody whose product it is about. */
const OWNED: readonly ScopeKind[] = ['developer', 'store', 'user']

/** The call with the credential of somebody who may make it: the first product's token, or keys. */
export function allowed(
  world: World,
  { kind, op }: Pick<Mount, 'kind' | 'op'>,
  call: Call,
  ids: Ids = world.ids.own,
): Call {
  if (op.caller === 'open' && !OWNED.includes(kind)) return call
  if (op.caller === 'session') return loggedIn(world, 'live', call)
  if (op.caller === 'portal') return inPortal(world, world.access.portal, call)
  if (op.caller === 'signature') return world.sign(world.seller.developer, call)
  if (op.caller === 'token') return asProduct(world, call, ids)
  return CALLERS[kind](world, call, ids)
}

const withHeader = (call: Call, authorization: string): Call => ({
  ...call,
  headers: { ...call.headers, authorization },
})

type Caller = (world: World, call: Call, ids: Ids) => Call

const asProduct: Caller = ({ seller }, call) => withHeader(call, `Bearer ${seller.product.token}`)
const asDeveloper: Caller = ({ seller, access: { live } }, call) =>
  withHeader(call, `FSA ${seller.developer.id}:${live}`)
const asStore: Caller = ({ seller, sign }, call) => sign(seller.store, call)

const CALLERS: Readonly<Record<ScopeKind, Caller>> = {
  product: asProduct,
  developer: asDeveloper,
  account: asDeveloper,
  store: asStore,
  store_account: asStore,
  user: ({ people, sign }, call) => sign(people.ada.keys, call),
  install: ({ sign }, call, ids) => sign(installKeysOf(ids), call),
  root: (_, call) => call,
}

/**
 * Operations that no example opens: a password or a code of two-factor must be right, and a session ends; the portal is
 * entered by a link, and who is erased is named by the address. Each has tests of its own (`src/accounts`,
 * `src/people/portal`, `src/sales/privacy`).
 */
export const GUARDED: ReadonlySet<string> = new Set([
  'developers/log-in',
  'keywright/log-in-user',
  'keywright/sign-in',
  'keywright/sign-out',
  'keywright/retrieve-portal-session',
  'keywright/leave-portal',
  'keywright/put-portal-language',
  'keywright/view-portal',
  'keywright/erase-user',
  'keywright/log-out',
  'keywright/change-password',
  'keywright/show-developer-keys',
  'keywright/show-store-keys',
  'keywright/show-product-keys',
  'keywright/export-account',
  'keywright/show-export-address',
  'keywright/set-up-two-factor',
  'keywright/confirm-two-factor',
  'keywright/remove-two-factor',
])

/**
 * Writes that leave no row: what they issue is signed and kept nowhere, and the audit log has that they did; what a
 * forgotten password makes is written behind the answer.
 */
export const WRITES_NOTHING: ReadonlySet<string> = new Set([
  'users/create-checkout-token',
  'keywright/show-license-key',
  'keywright/show-developer-keys',
  'keywright/show-store-keys',
  'keywright/show-product-keys',
  'keywright/show-export-address',
  'keywright/create-sandbox-token',
  'licenses/generate-upgrade-link',
  'keywright/send-password-link',
  'keywright/ask-for-portal-link',
])

/** Whether an example of its body in JSON is done. */
export const isTried = (op: AnyOperation): boolean => !GUARDED.has(op.id) && !takesUpload(op)

/** The ids a request to the operation needs, made for it where it uses something up. */
export const idsFor = (world: World, { op }: Pick<Mount, 'op'>): Promise<Ids> => freshIds(world, op)

/** One request to an operation in the first product by somebody who may, changed before it is signed. */
export async function allowedRequest(
  world: World,
  mount: Mount,
  change: (call: Call) => Call = (call) => call,
): Promise<Call> {
  const ids = await idsFor(world, mount)
  return allowed(world, mount, change(requestTo(mount, ids)), ids)
}

/** One argument of an operation. */
export interface Place {
  readonly where: 'path' | 'query' | 'body'
  readonly name: string
  readonly schema: TSchema
}

/** What a path begins with where it is the caller's own: not an argument there. */
const CALLER_ID: Partial<Record<ScopeKind, string>> = { user: 'user_id', install: 'install_id' }

/** Every argument an operation names, wherever it is sent. */
export const placesOf = ({ op: { params, query, body }, kind }: Pick<Mount, 'op' | 'kind'>): Place[] =>
  Object.entries({ path: params, query, body })
    .flatMap(([where, schema]) =>
      propertiesOf(schema).map(([name, property]) => ({
        where: where as Place['where'],
        name,
        schema: property,
      })),
    )
    .filter(({ where, name }) => where !== 'path' || name !== CALLER_ID[kind])

/** The request with one argument replaced; in a path or query the value is written as text. */
export function withValue(mount: Mount, ids: Ids, { where, name }: Place, value: unknown): Call {
  const { op } = mount
  if (where === 'path')
    return requestTo(mount, ids, { ...ids, [fixtureOf(mount.path, name)]: encodeURIComponent(String(value)) })
  const call = requestTo(mount, ids)
  if (where === 'query')
    return { ...call, path: withQuery(call.path, `${name}=${encodeURIComponent(String(value))}`) }
  return { ...call, ...sentTo(op, { ...bodyOf(op, ids), [name]: value }) }
}

export const isWrite = ({ kind }: AnyOperation) => kind === 'write'

/**
 * Whether a path is also one with a parameter, of another operation, has the method in another scope, or answers
 * preflights of pages.
 */
export const isElsewhere = ({ path }: Mount, method: string): boolean =>
  MOUNTS.some((other) =>
    other.path === path && other.served
      ? method === 'OPTIONS' && isForPages(other)
      : other.method === (method === 'HEAD' ? 'GET' : method) &&
        new RegExp(`^${other.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )

/** What the keys of a user are answered: what is of a person over all products is for who has followed a mailed link. */
export const statusByKeys = ({ op }: Pick<Mount, 'op'>): number =>
  ['keywright/export-user', 'keywright/erase-user'].includes(op.id) ? 401 : op.status
