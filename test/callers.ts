import { toRfc2822 } from '../src/lib/time.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import type { Method, Reply, TestApp } from './app.ts'
import type { Keys } from '../src/catalogue/sellers/create-seller.ts'
import { signed } from './security/signing.ts'

/** A call to a path below somebody's own, with their credential. */
export type CallAs = (method: Method, path: string, body?: unknown) => Promise<Reply>

/** As a developer with an access token; paths begin after `/developers/{id}`. */
export async function asDeveloper(app: TestApp, { id }: Keys = app.seller.developer): Promise<CallAs> {
  const owner = { developerId: id, userId: null }
  const { access } = await app.write((tx) => issueAccessToken(tx, owner))
  const headers = { authorization: `FSA ${id}:${access}` }
  return (method, path, body) =>
    app.call(method, `/developers/${id}${path}`, {
      token: null,
      headers,
      ...(body !== undefined && { body }),
    })
}

/** As a store that signs with its keys; paths begin after `/stores/{id}`. */
export const asStore = (app: TestApp, store: Keys = app.seller.store): CallAs =>
  signing(app, { keys: store, scheme: 'FS', prefix: `/stores/${store.id}` })

/** As somebody who knows no more than a product's public key; paths begin after `/products/{id}`. */
export const asPublic = (app: TestApp, product: Keys = app.seller.product): CallAs =>
  signing(app, { keys: product, scheme: 'FSP', prefix: `/products/${product.id}` })

/** As a user that signs with its keys; paths begin after `/users/{id}`. */
export const asUser = (app: TestApp, user: Keys): CallAs =>
  signing(app, { keys: user, scheme: 'FS', prefix: `/users/${user.id}` })

/** As an install that signs with its keys; paths begin after `/installs/{id}`. */
export const asInstall = (app: TestApp, install: Keys): CallAs =>
  signing(app, { keys: install, scheme: 'FS', prefix: `/installs/${install.id}` })

interface Signing {
  readonly keys: Keys
  readonly scheme: 'FS' | 'FSP'
  readonly prefix: string
  /** Sent beside those of the signature. */
  readonly headers?: Readonly<Record<string, string>>
}

export const signing =
  (app: TestApp, { keys, scheme, prefix, headers: more }: Signing): CallAs =>
  (method, path, value) => {
    const text = value === undefined ? undefined : JSON.stringify(value)
    const call = { method, path: `/v1${prefix}${path}`, ...(text !== undefined && { body: text }) }
    const date = toRfc2822(app.ctx.clock.real())
    const { headers = {} } = signed(keys, call, { scheme, date, signedType: 'application/json' })
    return app.call(method, prefix + path, {
      token: null,
      headers: { ...(headers as Record<string, string>), ...more },
      ...(text !== undefined && { body: text }),
    })
  }
