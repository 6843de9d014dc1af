// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { lastFirst } from '../../../test/last-first.ts'
import { serve } from '../../../test/serve.ts'
import { addWebhook, happen, numbers, startReceiver, type Receiver } from '../../../test/webhooks.ts'
import { SystemClock } from '../../lib/clock.ts'

/** Longer than a listener is claimed for, on a busy machine too. */
const AGAIN_MS = 15_000

/** More than are on their way to one listener at once. */
const BUYERS = Array.from({ length: 40 }, (_, n) => n + 1)

/** A listener that answers nothing, and real servers, one after another, of which each is ended. */
async function listenerOfServers(t: { after(done: () => unknown): void }, name: string) {
  const at = new SystemClock().real()
  const app = await startTestApp(name, { at, config: { mode: 'development' } })
  const receiver = await startReceiver()
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const atEnd = lastFirst(t)
  atEnd(() => app.close())
  atEnd(() => receiver.close())
  const begin = async () => {
    const serving = await serve(app.databaseOptions, { KEYWRIGHT_MODE: 'development' })
    atEnd(() => serving.stop())
    return serving
  }
  return { app, receiver, id, begin }
}

async function untilReceived(receiver: Receiver, many: number, withinMs = Infinity): Promise<void> {
  const begun = performance.now()
  while (receiver.received.length < many) {
    assert.ok(
      performance.now() - begun < withinMs,
      `${receiver.received.length} of ${many} in ${withinMs} ms`,
    )
    await sleep(5)
  }
}

/** When all is told: what became of each delivery, and of the listener. */
async function toldOf(app: TestApp, id: string) {
  const read = async () => {
    const path = `/products/${app.seller.product.id}/webhooks/${id}`
    const { deliveries } = (await app.call('GET', `${path}/deliveries.json?count=50`)).json
    const seen = (deliveries as { state: string; attempts: number }[]).map(
      ({ state, attempts }) => `${state} ${attempts}`,
    )
    return { seen: new Set(seen), failures: (await app.call('GET', `${path}.json`)).json.failures }
  }
  let told = await read()
  while (told.seen.has('pending 0')) {
    await sleep(20)
    told = await read()
  }
  return told
}

for (const [name, signal] of [
  ['is killed', 'SIGKILL'],
  ['is told to stop', 'SIGTERM'],
] as const) {
  test(`deliveries that are on their way when the server ${name} go again soon with the next one, and are no failures`, async (t) => {
    const { app, receiver, id, begin } = await listenerOfServers(t, `deliveries_${signal}`)
    receiver.answer = () => {}
    const first = await begin()
    await happen(app, BUYERS)
    await untilReceived(receiver, 16)
    const ended = once(first.process, 'exit')
    first.process.kill(signal)
    await ended
    receiver.received.splice(0)
    receiver.answer = (response) => response.end()
    await begin()
    await untilReceived(receiver, BUYERS.length, AGAIN_MS)
    assert.deepEqual(await toldOf(app, id), { seen: new Set(['processed 1']), failures: 0 })
    assert.deepEqual(new Set(numbers(receiver)), new Set(BUYERS.keys()))
  })
}
