import assert from 'node:assert/strict'
import { toRfc2822 } from '../src/lib/time.ts'
import { clientsOf, newUid } from './activations.ts'
import type { Method, Reply, TestApp } from './app.ts'
import { createOwner, expectOk, keysIn, type Grant } from './installs.ts'
import { optInByServer, optInForm } from './opt-in.ts'
import { sell } from './sales.ts'
import { signed, signedInQuery, type Signer } from './security/signing.ts'

export const SITE = 'https://site.example.org'

interface Calls {
  readonly prefix: string
  /** What was answered, beside what was sent. */
  readonly texts: string[]
}

/** As the WordPress SDK signs: no content type where nothing is sent, its version in every query. */
export function wordpress(app: TestApp, signer: Signer, { prefix, texts }: Calls) {
  return async (method: Method, rest: string, value?: object): Promise<Reply> => {
    const more = `sdk_version=2.13.4${prefix.startsWith('/installs') ? `&url=${SITE}` : ''}`
    const path = `${prefix}${rest}${rest.includes('?') ? '&' : '?'}${more}`
    const text = value === undefined ? undefined : JSON.stringify(value)
    const call = { method, path: `/v1${path}`, ...(text !== undefined && { body: text }) }
    const signedType = method === 'POST' || method === 'PUT' ? 'application/json' : null
    const { headers = {} } = signed(signer, call, { date: toRfc2822(app.ctx.clock.real()), signedType })
    const reply = await app.call(method, path, {
      token: null,
      headers: headers as Record<string, string>,
      ...(text !== undefined && { body: text }),
    })
    assert.ok(reply.headers.get('x-api-server'), `${method} ${path}`)
    // What was sent comes back with a refusal.
    const { request: _, ...told } = reply.json ?? {}
    texts.push(`${method} ${path}: ${JSON.stringify(told)}`)
    return reply
  }
}

/** An address that is opened without headers. */
export async function opened(app: TestApp, signer: Signer, path: string) {
  const call = signedInQuery(signer, { method: 'GET', path }, toRfc2822(app.ctx.clock.real()))
  const response = await fetch(app.address + call.path)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** What a person bought: the license whose key is known, another one, and one of the add-on; and what somebody else has. */
async function ownerOf(app: TestApp) {
  const { other: addon } = app.seller
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const [known, hidden] = [await sell(app, { owner }), await sell(app, { owner })]
  const ofAddon = await createOwner(app, owner.email, addon)
  const extra = await sell(app, { product: addon, owner: { ...ofAddon, email: owner.email } })
  const stranger = await sell(app)
  const address = { business_name: 'Owner Ltd', address_street: 'Secret Street 1' }
  const path = clientsOf(app).path
  expectOk(await app.call('PUT', path(`/users/${owner.id}/billing.json`), { body: address }))
  const elsewhere = await clientsOf(app).active(hidden.license)
  const secrets = [
    ...[hidden, extra, stranger].map(({ license }) => license.secret_key),
    ...[owner, ofAddon, stranger.owner].map(({ secretKey }) => secretKey),
    owner.email,
    stranger.owner.email,
    'Owner Ltd',
    'Secret Street',
    elsewhere.token,
    ...['install_secret_key', 'user_secret_key'].map((name) => elsewhere.json[name] ?? ''),
    elsewhere.uid,
  ]
  const rows = [hidden, extra, stranger].flatMap(({ license, payment, subscription }) => [
    { field: 'license_id', id: license.id },
    { field: 'subscription_id', id: String(subscription.id) },
    { field: 'bound_payment_id', id: String(payment.id) },
  ])
  return { owner, known, hidden, extra, stranger, elsewhere, secrets, rows }
}

type Owner = Awaited<ReturnType<typeof ownerOf>>

export const WAYS = {
  'activate.json': async (app: TestApp, { known }: Owner): Promise<Grant> =>
    (await clientsOf(app).active(known.license, { url: SITE, version: '1.0.0' })).json,
  'the opt-in service': async (app: TestApp, { known }: Owner): Promise<Grant> => {
    const more = { license_key: known.license.secret_key, site_url: SITE, plugin_version: '1.0.0' }
    const reply = await optInByServer(app, optInForm(app, '', more))
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  },
}

/** A site that was told the key and nothing else, with what it was handed. */
export async function siteBy(app: TestApp, way: keyof typeof WAYS) {
  const all = await ownerOf(app)
  const grant = await WAYS[way](app, all)
  const [userKeys, installKeys] = [keysIn(grant, 'user'), keysIn(grant, 'install')]
  assert.equal(String(userKeys.id), String(all.owner.id))
  const texts = [JSON.stringify(grant)]
  const ok =
    (call: ReturnType<typeof wordpress>) =>
    async (...given: Parameters<typeof call>): Promise<Reply['json']> => {
      const reply = await call(...given)
      assert.equal(reply.status, 200, `${given[0]} ${given[1]}: ${reply.text}`)
      return reply.json
    }
  const user = wordpress(app, userKeys, { prefix: `/users/${userKeys.id}`, texts })
  const plugin = wordpress(app, userKeys, {
    prefix: `/users/${userKeys.id}/plugins/${app.seller.product.id}`,
    texts,
  })
  const install = wordpress(app, installKeys, { prefix: `/installs/${installKeys.id}`, texts })
  return {
    ...all,
    grant,
    userKeys,
    installKeys,
    texts,
    calls: { user, plugin, install },
    user: ok(user),
    plugin: ok(plugin),
    install: ok(install),
    /** Nothing that was answered holds a row or a secret of what the key does not open. */
    seesNothingElse() {
      for (const text of texts) {
        for (const secret of all.secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`)
        for (const { field, id } of all.rows)
          assert.ok(!text.includes(`"${field}":"${id}"`), `${field} ${id} in ${text}`)
      }
    },
  }
}

export type KeyOnlySite = Awaited<ReturnType<typeof siteBy>>
