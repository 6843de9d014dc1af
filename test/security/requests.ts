import type { TSchema } from 'typebox'
import { operations } from '../../src/app.ts'
import { BASE_PATH, mountsOf, type Mount } from '../../src/http/mounts.ts'
import { requiredOf } from '../../src/http/openapi-schema.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import type { ScopeKind } from '../../src/http/scope.ts'
import { jsonBody, type Call } from './client.ts'
import { exampleOf, propertiesOf } from './values.ts'
import { loggedIn, type Ids, type World } from './world.ts'

export const MOUNTS: readonly Mount[] = mountsOf(operations)

/** Under an add-on stands a plan of the add-on, under a store a coupon of the store. */
export function fixtureOf(path: string, name: string): string {
  if (name === 'plan_id' && path.includes('{addon_id}')) return 'addon_plan_id'
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

/** A well-formed request to a mount: these ids in its path, what its query must have, an example of its body. */
export function requestTo({ method, path, op }: Pick<Mount, 'method' | 'path' | 'op'>, ids: Ids): Call {
  return { method, path: pathOf(path, ids) + requiredQuery(op), ...(op.body && jsonBody(exampleOf(op.body))) }
}

/** The path with a query after the one it has; of a name that is in both the new value stays. */
export function withQuery(path: string, query: string): string {
  const [bare = '', old = ''] = path.split('?')
  const names = new Set(new URLSearchParams(query).keys())
  const kept = old.split('&').filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''))
  return `${bare}?${[...kept, query].join('&')}`
}

function requiredQuery({ query }: AnyOperation): string {
  const required = query ? requiredOf(query) : []
  if (!query || required.length === 0) return ''
  const example = exampleOf(query)
  const values = required.map((name): [string, string] => [name, String(example[name])])
  return `?${new URLSearchParams(values)}`
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

/** The call with the credential of somebody who may make it: the first product's token, or the account's keys. */
export function allowed(world: World, { kind, op }: Pick<Mount, 'kind' | 'op'>, call: Call): Call {
  if (op.access === 'open') return call
  if (op.access === 'session') return loggedIn(world, 'live', call)
  if (op.access === 'signature') return world.sign(world.seller.developer, call)
  if (kind === 'store_account') return world.sign(world.seller.store, call)
  const token = CALLERS[kind]
  if (!token) throw new Error(`No caller for scope ${kind}: add one to CALLERS in requests.ts.`)
  return { ...call, headers: { ...call.headers, authorization: token(world) } }
}

const access = ({ seller, access: { live } }: World) => `FSA ${seller.developer.id}:${live}`
const CALLERS: Partial<Record<ScopeKind, (world: World) => string>> = {
  product: ({ seller }) => `Bearer ${seller.product.token}`,
  developer: access,
  account: access,
}

/**
 * Operations that no example opens, or not twice: a password, a code or a license key must be right, a note is not
 * there yet, an install has another license then.
 * Each has tests of its own.
 */
export const GUARDED: ReadonlySet<string> = new Set([
  'licenses/activate',
  'licenses/deactivate',
  'keywright/activate-license',
  'keywright/deactivate-license',
  'installations/retrieve-active-license-by-uid',
  'installations/retrieve-active-license-by-id',
  'installations/activate-license',
  'installations/deactivate-license',
  'coupons/create-note',
  'developers/log-in',
  'installations/update-install',
  'keywright/create-user-installs',
  'installations/change-ownership',
  'installations/retrieve-uninstall-details',
  'installations/start-trial',
  'installations/cancel-trial',
  'keywright/log-in-user',
  'keywright/log-out',
  'keywright/change-password',
  'keywright/set-up-two-factor',
  'keywright/confirm-two-factor',
  'keywright/remove-two-factor',
  'plans/create-license',
  'licenses/assign',
  'licenses/resend-keys',
  'licenses/cancel',
  'licenses/create-review',
  'installations/create-new-license',
  'licenses/deactivate-installs',
])

/** Writes that nothing can repeat, each with tests of its own. */
export const ONCE: ReadonlySet<string> = new Set(['installations/start-trial', 'installations/cancel-trial'])

/** One request to an operation in the first product by somebody who may. */
export const allowedRequest = (world: World, mount: Mount): Call =>
  allowed(world, mount, requestTo(mount, world.ids.own))

/** One argument of an operation. */
export interface Place {
  readonly where: 'path' | 'query' | 'body'
  readonly name: string
  readonly schema: TSchema
}

/** Every argument an operation names, wherever it is sent. */
export const placesOf = ({ params, query, body }: AnyOperation): Place[] =>
  Object.entries({ path: params, query, body }).flatMap(([where, schema]) =>
    propertiesOf(schema).map(([name, property]) => ({
      where: where as Place['where'],
      name,
      schema: property,
    })),
  )

/** The request with one argument replaced; in a path or query the value is written as text. */
export function withValue(mount: Mount, ids: Ids, { where, name }: Place, value: unknown): Call {
  const { op } = mount
  if (where === 'path')
    return requestTo(mount, { ...ids, [fixtureOf(mount.path, name)]: encodeURIComponent(String(value)) })
  const call = requestTo(mount, ids)
  if (where === 'query')
    return { ...call, path: withQuery(call.path, `${name}=${encodeURIComponent(String(value))}`) }
  const example = op.body ? exampleOf(op.body) : {}
  return { ...call, ...jsonBody({ ...example, [name]: value }) }
}

export const isWrite = ({ kind }: AnyOperation) => kind === 'write'
