// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { allowedRequest, GUARDED, mainMounts } from '../../test/security/requests.ts'
import { startWorld } from '../../test/security/world.ts'
import { signatureOf } from '../lib/signature.ts'
import type { Mount } from './mounts.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('head')
})
after(() => app.close())

const at = (path: string) => `${app.address}/v1/products/${app.seller.product.id}${path}`
const bearer = () => ({ authorization: `Bearer ${app.seller.product.token}` })

test('HEAD answers the headers of GET without its body, on every operation that reads', async (t) => {
  const world = await startWorld('head_of_all')
  t.after(() => world.close())
  const isRead = ({ method, op }: Mount) => method === 'GET' && !GUARDED.has(op.id)
  const reads = mainMounts().filter(isRead)
  assert.ok(reads.length > 70, `${reads.length}`)
  for (const mount of reads) {
    const answers = await Promise.all(
      ['GET', 'HEAD'].map(async (method) =>
        world.send(await allowedRequest(world, mount, (call) => ({ ...call, method }))),
      ),
    )
    const [get, head] = answers.map(({ status, headers }) => [status, headers['content-type'], headers.etag])
    assert.deepEqual([head, answers[1]?.text], [get, ''], mount.op.id)
  }
})

test('HEAD answers the length of GET and its refusals', async () => {
  for (const url of [at('.json'), at('/users.json'), `${app.address}/healthz`]) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(url, { method, headers: bearer() })),
    )
    assert.deepEqual([head?.status, await head?.text()], [200, ''], url)
    for (const name of ['content-type', 'content-length']) {
      assert.equal(head?.headers.get(name), get?.headers.get(name), url)
    }
  }
  assert.equal((await fetch(at('/users.json'), { method: 'HEAD' })).status, 401)
  assert.equal((await fetch(at('/users/999999.json'), { method: 'HEAD', headers: bearer() })).status, 404)
})

test('a signature of a HEAD request covers its method', async () => {
  const { id, secretKey, publicKey } = app.seller.product
  const path = `/v1/products/${id}/users.json`
  const date = new Date(app.ctx.clock.real()).toUTCString()
  const signed = (method: string) =>
    signatureOf(secretKey, { method, contentMd5: '', contentType: '', date, path })
  const send = async (method: string) => {
    const authorization = `FS ${id}:${publicKey}:${signed(method)}`
    return (await fetch(at('/users.json'), { method: 'HEAD', headers: { date, authorization } })).status
  }
  assert.deepEqual([await send('HEAD'), await send('GET')], [200, 401])
})

test('HEAD of the stream of events ends at once', async () => {
  const head = await fetch(at('/events/stream'), { method: 'HEAD', headers: bearer() })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.match(head.headers.get('content-type') ?? '', /event-stream/)
})
