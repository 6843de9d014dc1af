import type { TestApp } from './app.ts'
import type { CallAs } from './callers.ts'
import { expectOk } from './installs.ts'
import { postForm } from './opt-in.ts'

/** Calls as a user of the first product by the session of a portal link that its token was answered. */
export async function asEntered(app: TestApp, { id }: { readonly id: number }): Promise<CallAs> {
  const path = `/products/${app.seller.product.id}/portal/login.json`
  const { json } = expectOk(await app.call('POST', path, { body: { id: String(id) } }))
  const { pathname, search } = new URL(json.link)
  const entered = await postForm(app, pathname + search, {})
  const headers = { authorization: `FSA ${id}:${entered.json.user_token.token.access}` }
  return (method, rest, body) => app.call(method, `/users/${id}${rest}`, { token: null, headers, body })
}
