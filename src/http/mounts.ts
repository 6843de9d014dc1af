import type { AnyOperation } from './operation.ts'
import { PRODUCT_KINDS, type ScopeKind } from '../access/scope.ts'

/** Base path of the interface (`docs/decisions.md` 1.1). */
export const BASE_PATH = '/v1'

/** One operation at one address: served there, or refused because its scope is not listed. */
export interface Mount {
  readonly method: string
  /** As OpenAPI writes it, with `{name}` for parameters. */
  readonly path: string
  readonly kind: ScopeKind
  readonly op: AnyOperation
  readonly served: boolean
}

const PREFIX: Record<ScopeKind, string> = {
  product: '/products/{product_id}',
  developer: '/developers/{developer_id}/products/{product_id}',
  store: '/stores/{store_id}/products/{product_id}',
  user: '/users/{user_id}',
  install: '/installs/{install_id}',
  account: '/developers/{developer_id}',
  store_account: '/stores/{store_id}',
  root: '',
}

/** A path as routes are written. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Every address of every operation. What is served wins over what is refused at the same address. */
export function mountsOf(operations: readonly AnyOperation[]): Mount[] {
  const mounts = new Map<string, Mount>()
  for (const op of operations) {
    for (const kind of kindsOf(op)) {
      for (const path of pathsOf(op, kind))
        add(mounts, { method: op.method, path, kind, op, served: op.scopes.includes(kind) })
    }
  }
  return [...mounts.values()]
}

function add(mounts: Map<string, Mount>, mount: Mount): void {
  const key = `${mount.method} ${mount.path}`
  const other = mounts.get(key)
  if (other?.served && mount.served) {
    throw new Error(`${other.op.id} and ${mount.op.id} are both at ${key}`)
  }
  if (!other?.served) mounts.set(key, mount)
}

/** An operation of a product stands in every scope of a product, an account's only where it is listed. */
const kindsOf = ({ scopes }: AnyOperation): readonly ScopeKind[] =>
  scopes.some((kind) => (PRODUCT_KINDS as readonly ScopeKind[]).includes(kind)) ? PRODUCT_KINDS : scopes

/**
 * The paths of an operation in a scope: `/users/{user_id}`, `/installs/{install_id}` and `/stores/{store_id}`
 * are their scopes' own prefix.
 */
export function pathsOf(op: Pick<AnyOperation, 'path'>, kind: ScopeKind): string[] {
  const prefix = PREFIX[kind]
  if (kind === 'user') {
    const rest = op.path.startsWith(prefix) ? op.path.slice(prefix.length) : op.path
    const inProduct = rest.startsWith('/') ? [`${prefix}/products/{product_id}${rest}`] : []
    return [`${prefix}${rest}`, ...inProduct]
  }
  if (OWN_PREFIX.includes(kind) && op.path.startsWith(prefix)) return [op.path]
  return [prefix + op.path]
}

/** Where what an operation's path names first may be the caller itself. */
const OWN_PREFIX: readonly ScopeKind[] = ['install', 'store_account']

/** What stands at an address whose method and path have no route of their own. */
export class MountIndex {
  readonly #mounts: readonly Mount[]
  #byLength: ReadonlyMap<number, readonly Place[]> | undefined

  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts
  }

  /** The methods that are served at this path, which is without the base path. */
  methodsAt(path: string): string[] {
    this.#byLength ??= Map.groupBy(placesOf(this.#mounts), ({ length }) => length)
    const candidates = this.#byLength.get(path.split('/').length) ?? []
    const methods = candidates.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  }
}

interface Place {
  readonly length: number
  readonly pattern: RegExp
  readonly method: string
}

const placesOf = (mounts: readonly Mount[]): readonly Place[] =>
  mounts
    .filter(({ served }) => served)
    .map(({ path, method }) => ({ length: path.split('/').length, pattern: patternOf(path), method }))

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
