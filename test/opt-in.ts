import { hash } from 'node:crypto'
import type { Keys } from '../src/catalogue/sellers/create-seller.ts'
import { systemScope } from '../src/access/scope.ts'
import { SECOND } from '../src/lib/time.ts'
import { createInstall, type NewInstall } from '../src/licensing/installs/create.ts'
import type { InstallRow } from '../src/licensing/installs/schema.ts'
import type { TestApp } from './app.ts'
import { newUid, type Grant } from './installs.ts'
import { mailsOf } from './licenses.ts'

type Form = Readonly<Record<string, string>>

/** A connected install of a user of the first product. */
export async function connectedInstall(
  app: TestApp,
  userId: string,
  told: Partial<NewInstall> = {},
): Promise<InstallRow> {
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  const given = { user_id: Number(userId), uid: newUid(), url: 'https://example.org', ...told }
  return (await app.write((tx) => createInstall(tx, scope, given))).install
}

/** What the form of a site says about a person, as clients post it (`docs/interface.md` 4.1). */
export const optInForm = (app: TestApp, email: string, more: Form = {}): Form => ({
  plugin_id: String(app.seller.product.id),
  plugin_public_key: app.seller.product.publicKey,
  plugin_slug: 'first-product',
  plugin_version: '1.2.3',
  sdk_version: '2.13.4',
  platform_version: '6.8',
  programming_language_version: '8.3',
  return_url: 'https://site.example.org/wp-admin/admin.php?page=first&fs_action=connect',
  account_url: 'https://site.example.org/wp-admin/admin.php?page=account',
  is_premium: '',
  is_active: '1',
  is_uninstalled: '',
  is_localhost: '',
  user_firstname: 'Olive',
  user_lastname: '',
  user_email: email,
  site_name: 'Olive’s site',
  language: 'en_US',
  site_uid: newUid(),
  site_url: 'https://site.example.org',
  is_extensions_tracking_allowed: '1',
  is_diagnostic_tracking_allowed: '0',
  ...more,
})

/** Posts a form to a page; `path` as it stands in the address. */
export async function postForm(app: TestApp, path: string, form: Form) {
  const response = await fetch(app.address + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
    json: (isJson ? JSON.parse(text) : null) as any,
    /** Where it leads, with what is appended there. */
    location: response.headers.get('location'),
  }
}

export const OPT_IN = '/action/service/user/install/'
export const OWNERS = '/action/service/user_plugin/'

/** Opts in as a client's own server does (`docs/interface.md` 4.2). */
export const optInByServer = (app: TestApp, form: Form) => postForm(app, OPT_IN, { ...form, format: 'json' })

/** Opts a site in with the proof of keys of its person, a second later (`docs/interface.md` 4.2). */
export async function optInProven(app: TestApp, keys: Keys, more: Form = {}): Promise<Grant> {
  app.ctx.clock.advance(SECOND)
  const at = String(app.ctx.clock.real() / SECOND)
  const { id, secretKey, publicKey } = keys
  const s_ctx_secure = hash('md5', `${at}${id}${secretKey}${publicKey}install_with_existing_user`)
  const proof = { s_ctx_type: 'user', s_ctx_id: String(id), s_ctx_ts: at, s_ctx_secure }
  const reply = await optInByServer(app, optInForm(app, '', { ...proof, ...more }))
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}

/**
 * Opts a site in with a known address, and follows the link that this is mailed: the keys that the site is led to with.
 */
export async function optInByLink(app: TestApp, email: string, more: Form = {}): Promise<Grant> {
  const { json, text } = await optInByServer(app, optInForm(app, email, more))
  if (json?.pending_activation !== true) throw new Error(text)
  const mail = (await mailsOf(app, 'pending_activation')).findLast(({ recipient }) => recipient === email)
  const [, path = ''] = /http:\/\/keywright\.test(\/\S+)/.exec(mail?.text ?? '') ?? []
  const { location } = await postForm(app, path, {})
  return Object.fromEntries(new URL(location ?? '').searchParams)
}
