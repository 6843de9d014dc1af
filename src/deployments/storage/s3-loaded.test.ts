// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pluginZip, uploadOf } from '../../../test/archives.ts'
import { Bucket, serveBucket } from '../../../test/bucket.ts'
import { addressOf, bearer, openPlace } from '../../../test/command-line.ts'

const NODE_OPTIONS = `--import=${import.meta.resolve('../../../test/loaded-packages.ts')}`

/** The packages that a server has loaded after an archive went in and out again. */
async function packagesOf(t: TestContext, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const place = await openPlace(t, 's3-loaded')
  const server = await place.start(['serve', '--demo'], { env: { ...env, NODE_OPTIONS } })
  const { product_id: product, api_token: token } = server.value
  const tags = `${addressOf(server)}/v1/products/${product}/tags`
  const { body, headers } = uploadOf(await pluginZip({ version: '5.0' }))
  const sent = await fetch(`${tags}.json`, {
    method: 'POST',
    body,
    headers: { ...headers, ...bearer(token) },
  })
  const { id } = (await sent.json()) as { id: string }
  const received = await fetch(`${tags}/${id}.zip`, { headers: bearer(token) })
  assert.equal((await received.bytes()).length, Number(received.headers.get('content-length')))
  assert.deepEqual([sent.status, received.status], [200, 200])
  const { stderr } = await server.stop()
  const told = stderr.split('\n').find((line) => line.startsWith('{"packages":'))
  return (JSON.parse(told ?? '{}') as { packages: string[] }).packages
}

test("the client of buckets is loaded where archives are in one, and nothing of Amazon's where they are not", async (t) => {
  const bucket = new Bucket()
  const service = await serveBucket(() => bucket)
  t.after(service.close)
  const [without, withBucket] = await Promise.all([packagesOf(t, {}), packagesOf(t, service.env)])
  assert.ok(bucket.objects.size > 0)
  assert.ok(withBucket.includes('@aws-sdk/client-s3'))
  assert.ok(without.includes('fastify'))
  assert.deepEqual(
    without.filter((name) => /^@(?:aws|smithy)/.test(name)),
    [],
  )
})
