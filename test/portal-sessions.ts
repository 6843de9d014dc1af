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

/** Calls of a browser in which a user of the first product is in the portal: by the cookie, and writes by its token. */
export async function inPortal(app: TestApp, { id }: { readonly id: number | string }) {
  const path = `/products/${app.seller.product.id}/portal/login.json`
  const { json } = expectOk(await app.call('POST', path, { body: { id: String(id) } }))
  const { pathname, search } = new URL(json.link)
  const reply = await fetch(app.address + pathname + search, {
    method: 'POST',
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  const session = expectOk(
    await app.call('GET', '/portal/session.json', { token: null, headers: { cookie } }),
  )
  const headers = { cookie, 'x-keywright-csrf': session.json.csrf_token as string }
  const call: CallAs = (method, rest, body) =>
    app.call(method, `/users/${id}${rest}`, { token: null, headers, body })
  return { cookie, call }
}
