import assert from 'node:assert/strict'
import type { TestContext as Running } from 'node:test'
import { fillDemo, openDemo } from '../src/flows/demo.ts'
import { startServer } from '../src/start.ts'
import { testContext } from './app.ts'

/** A server of its own with the demo in it, until the end of the test. */
export async function startDemo(t: Running, name: string) {
  const { ctx, drop } = await testContext(name)
  const running = await startServer(ctx)
  t.after(async () => {
    await running.stop()
    await drop()
  })
  const filled = await fillDemo(ctx)
  assert.ok(filled)
  const { product, examples } = await openDemo(ctx, filled)
  const base = `${running.address}/v1/products/${product.id}`
  /** What is read of its first product. */
  async function get(path: string) {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${product.token}` } })
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
    const json = (await response.json()) as any
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(json)}`)
    return json
  }
  return { ctx, base, examples, get }
}
