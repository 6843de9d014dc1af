import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestContext as Running } from 'node:test'
import { fillDemo, openDemo } from '../src/demo/demo.ts'
import type { Demo } from '../src/demo/part.ts'
import { startServer } from '../src/start.ts'
import { toRfc2822 } from '../src/lib/time.ts'
import { testContext, type Kept, type TestOptions } from './app.ts'
import { signed } from './security/signing.ts'

let filledOnce: Promise<{ readonly kept: Kept; readonly demo: Demo }> | undefined

/** A context with the demo in it as `fillDemo` makes it: a copy of one that this process has filled once. */
export async function demoContext(name: string, options: Pick<TestOptions, 'onStatement'> = {}) {
  filledOnce ??= fillAndKeep()
  const { kept, demo } = await filledOnce
  const { ctx, drop } = await testContext(name, { ...options, from: kept })
  return { ctx, demo, drop }
}

async function fillAndKeep() {
  const { ctx, databaseOptions, folder } = await testContext('demo_filled')
  const demo = (await fillDemo(ctx)) ?? assert.fail()
  await ctx.database.close()
  // A server of tests is removed with its databases.
  const folders = [folder, ...(databaseOptions.engine === 'sqlite' ? [dirname(databaseOptions.file)] : [])]
  process.once('exit', () => folders.forEach((one) => rmSync(one, { recursive: true, force: true })))
  return { kept: { databaseOptions, folder }, demo }
}

/** A server of its own with the demo in it, until the end of the test. */
export async function startDemo(t: Running, name: string) {
  const { ctx, demo, drop } = await demoContext(name)
  const running = await startServer(ctx)
  t.after(async () => {
    await running.stop()
    await drop()
  })
  const { product, developer, examples } = await openDemo(ctx, demo)
  const base = `${running.address}/v1/products/${product.id}`
  /** What is read of its first product. */
  async function get(path: string) {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${product.token}` } })
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
    const json = (await response.json()) as any
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(json)}`)
    return json
  }
  /** What the seller reads at any path after `/v1`; null where that is refused. */
  async function ask(path: string): Promise<Readonly<Record<string, unknown>> | null> {
    const date = toRfc2822(ctx.clock.real())
    const call = { method: 'GET', path: `/v1${path}` } as const
    const { headers = {} } = signed(developer, call, { date, signedType: null })
    const response = await fetch(running.address + call.path, { headers: headers as Record<string, string> })
    const json = (await response.json()) as Readonly<Record<string, unknown>>
    assert.ok(response.status < 500, `${path}: ${JSON.stringify(json)}`)
    return response.ok ? json : null
  }
  return { ctx, demo, base, examples, get, ask }
}
