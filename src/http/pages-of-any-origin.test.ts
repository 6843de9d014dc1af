// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper } from '../../test/callers.ts'

const LISTED = 'https://app.example.com'
const ORIGIN = 'https://shop.example'

for (const [title, corsOrigins] of [
  ['without a list of origins', []],
  ['beside a list of origins', [LISTED]],
] as const) {
  describe(title, () => {
    let app: TestApp
    before(async () => {
      app = await startTestApp(`any_origin_${corsOrigins.length}`, { config: { corsOrigins } })
    })
    after(() => app.close())

    const send = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
      fetch(`${app.address}/v1${path}`, {
        method,
        headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })

    /** What a browser goes by. */
    const originOf = ({ headers }: Response) => headers.get('access-control-allow-origin')

    const pricing = (key = app.seller.product.publicKey) =>
      `/products/${app.seller.product.id}/pricing.json?public_key=${key}`

    test('pages of any origin call what a checkout needs, with its refusals, and send no cookies', async () => {
      const product_id = app.seller.product.id
      for (const [method, path, body, status] of [
        ['GET', '/checkout/geo.json', undefined, 200],
        ['GET', `/checkout/products/${product_id}.json`, undefined, 200],
        ['GET', '/checkout/products/987654321.json', undefined, 404],
        ['POST', '/checkout/sessions.json', { product_id, plan_id: 1 }, 400],
        ['GET', '/checkout/sessions/none.json', undefined, 404],
        ['PUT', '/checkout/sessions/none.json', {}, 404],
        ['POST', '/checkout/sessions/none/pay.json', {}, 404],
        ['GET', pricing(), undefined, 200],
        ['GET', pricing('pk_wrong'), undefined, 401],
      ] as const) {
        for (const origin of [ORIGIN, LISTED]) {
          const answer = await send(method, path, { origin }, body)
          assert.deepEqual([answer.status, originOf(answer)], [status, '*'], path)
          assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
          assert.equal(answer.headers.get('access-control-allow-credentials'), null)
          await answer.arrayBuffer()
        }
      }
    })

    test('a preflight is told what there is, and of everything else what it was', async () => {
      const asking = {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      }
      for (const [path, methods] of [
        ['/checkout/sessions.json', 'POST'],
        ['/checkout/sessions/abc.json', 'GET, PUT'],
        ['/checkout/sessions/abc/pay.json', 'POST'],
        [pricing(), 'GET'],
      ] as const) {
        const { status, headers } = await send('OPTIONS', path, asking)
        const told = ['origin', 'methods', 'headers', 'credentials'].map((name) =>
          headers.get(`access-control-allow-${name}`),
        )
        const allowed =
          'Authorization, Content-Type, Content-MD5, Idempotency-Key, X-Keywright-Strict, X-Keywright-If-Any'
        assert.deepEqual([status, ...told], [204, '*', methods, allowed, null], path)
        assert.equal(headers.get('x-api-server'), 'keywright')
      }
      for (const path of [`/products/${app.seller.product.id}/users.json`, '/nothing.json']) {
        const other = await send('OPTIONS', path, asking)
        assert.equal(originOf(other), null)
        assert.equal(other.status === 204, corsOrigins.length > 0)
      }
      const others = await send('GET', '/ping.json')
      assert.equal(originOf(others), null)
      const listed = await send('GET', '/ping.json', { origin: LISTED })
      assert.equal(originOf(listed), corsOrigins[0] ?? null)
    })

    test('the pricing table is read with public_key alone, and a wrong one is refused', async () => {
      const { status, json } = await app.call('GET', pricing(), { token: null })
      assert.deepEqual([status, json.plugin.public_key], [200, app.seller.product.publicKey])
      assert.equal((await app.call('GET', pricing('pk_wrong'), { token: null })).status, 401)
      const other = `/products/9999/pricing.json?public_key=${app.seller.product.publicKey}`
      assert.equal((await app.call('GET', other, { token: null })).status, 401)
      const elsewhere = `/products/${app.seller.product.id}/plans.json?public_key=${app.seller.product.publicKey}`
      assert.equal((await app.call('GET', elsewhere, { token: null })).status, 401)
      const developer = await asDeveloper(app)
      const own = await developer('GET', `/products/${app.seller.product.id}/pricing.json`)
      assert.equal(own.status, 200)
      assert.equal(own.headers.get('access-control-allow-origin'), null)
    })
  })
}
