import type { IncomingMessage } from 'node:http'
import FindMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way'
import { BASE_PATH, routeOf, type Mount } from './mounts.ts'

/** Longer paths do not get past `maxHeaderSize`, and every path meets the same checks. */
export const MAX_PARAM_LENGTH = 16_384

type Router = Instance<HTTPVersion.V1>

/**
 * Addresses of operations in scopes that these do not list. There are five hundred, and most processes are never asked
 * for one: what finds them is built at the first request for which there is no route, in place of a route for each.
 */
export class Unserved {
  readonly methods: readonly string[]
  readonly #mounts: readonly Mount[]
  #router: Router | undefined

  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts
    this.methods = [...new Set(mounts.map(({ method }) => method))]
  }

  /** The parameters of an address at which an operation stands in another scope; null for any other. */
  paramsAt({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): object | null {
    this.#router ??= routerOf(this.#mounts)
    return this.#router.find(method as HTTPMethod, url ?? '')?.params ?? null
  }
}

function routerOf(mounts: readonly Mount[]): Router {
  const router = FindMyWay({ maxParamLength: MAX_PARAM_LENGTH })
  for (const { method, path } of mounts)
    router.on(method as HTTPMethod, routeOf(BASE_PATH + path), () => undefined)
  return router
}

/** Splits addresses into those that need a route of their own, and those that are refused without one. */
export function withoutRoutes(mounts: readonly Mount[]): { routed: Mount[]; unserved: Unserved } {
  const served = new Set(mounts.flatMap((mount) => (mount.served ? [placeOf(mount, mount.path)] : [])))
  const needsRoute = (mount: Mount) =>
    mount.served || wider(mount.path).some((path) => served.has(placeOf(mount, path)))
  const { routed = [], rest = [] } = Object.groupBy(mounts, (mount) =>
    needsRoute(mount) ? 'routed' : 'rest',
  )
  return { routed, unserved: new Unserved(rest) }
}

const placeOf = ({ method }: Mount, path: string) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`

/**
 * What a path could be taken for if it had no route: `plans/{plan_id}.json` where `plans/currencies.json` is refused. Its
 * route is chosen before the other one.
 */
function wider(path: string): readonly string[] {
  const parent = path.slice(0, path.lastIndexOf('/') + 1)
  const last = path.slice(parent.length)
  return last.startsWith('{') ? [] : [`${parent}{}`, `${parent}{}${last.slice(last.indexOf('.'))}`]
}
