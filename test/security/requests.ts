import type { TSchema } from 'typebox'
import { operations } from '../../src/app.ts'
import { BASE_PATH, mountsOf, type Mount } from '../../src/http/mounts.ts'
import type { AnyOperation } from '../../src/http/operation.ts'
import type { ScopeKind } from '../../src/http/scope.ts'
import { jsonBody, type Call } from './client.ts'
import { exampleOf, propertiesOf } from './values.ts'
import type { Ids, World } from './world.ts'

export const MOUNTS: readonly Mount[] = mountsOf(operations)

/** Under an add-on stands a plan of the add-on. */
const fixtureOf = (path: string, name: string) =>
  name === 'plan_id' && path.includes('{addon_id}') ? 'addon_plan_id' : name

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

/** A well-formed request to a mount: these ids in its path, an example of every argument of its body. */
export function requestTo({ method, path, op }: Pick<Mount, 'method' | 'path' | 'op'>, ids: Ids): Call {
  return { method, path: pathOf(path, ids), ...(op.body && jsonBody(exampleOf(op.body))) }
}

/** Where each operation is tried when one place is enough: its first scope, with a caller who may. */
export function mainMounts(): Mount[] {
  return operations.map((op) => {
    const mount = MOUNTS.find((one) => one.op === op && one.served)
    if (!mount) throw new Error(`${op.id} is served nowhere.`)
    return mount
  })
}

/** The call with the credential of somebody who may make it: the first product's token, or the account's keys. */
export function allowed(world: World, { kind, op }: Pick<Mount, 'kind' | 'op'>, call: Call): Call {
  if (op.access === 'open') return call
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
    propertiesOf(schema).map(([name, property]) => ({ where: where as Place['where'], name, schema: property })),
  )

/** The request with one argument replaced; in a path or query the value is written as text. */
export function withValue(mount: Mount, ids: Ids, { where, name }: Place, value: unknown): Call {
  const { op } = mount
  if (where === 'path') return requestTo(mount, { ...ids, [name]: encodeURIComponent(String(value)) })
  const call = requestTo(mount, ids)
  if (where === 'query') return { ...call, path: `${call.path}?${name}=${encodeURIComponent(String(value))}` }
  const example = op.body ? exampleOf(op.body) : {}
  return { ...call, ...jsonBody({ ...example, [name]: value }) }
}

export const isWrite = ({ kind }: AnyOperation) => kind === 'write'
