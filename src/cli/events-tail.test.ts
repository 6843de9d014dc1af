// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { addressOf } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'

/** Resolves when a stream has said `count` whole lines that have a word. */
async function saying(stream: NodeJS.ReadableStream, word: string, count: number): Promise<string[]> {
  let seen = ''
  for (;;) {
    const lines = seen
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes(word))
    if (lines.length >= count) return lines
    const [chunk] = (await once(stream, 'data')) as [Buffer]
    seen += chunk.toString()
  }
}

test('events are shown as they happen; those while the server was away come when it is back, each once', async (t) => {
  const place = await openDemoPlace(t, 'events_tail')
  const first = await place.start(['serve', '--no-jobs'])
  const { port } = new URL(addressOf(first))
  await place.run(['login', '--local', '--product', '1'])
  const add = async () => {
    const url = 'https://hooks.example.com/x'
    await place.ask(['webhook', 'add', '--product', '1', '--url', url, '--types', 'plan.created'])
  }
  const { child, ended } = place.launch(['events', 'tail', '--json', '--after', '0'])
  const seenFirst = saying(child.stdout, 'webhook.created', 1)
  await add()
  await seenFirst
  const disconnected = saying(child.stderr, 'disconnected', 1)
  await first.stop('SIGKILL')
  await disconnected
  const seenLater = saying(child.stdout, 'webhook.created', 2)
  await add()
  const second = await place.start(['serve', '--no-jobs'], { env: { PORT: port } })
  await add()
  const lines = await seenLater
  assert.equal(lines.length, 2)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  assert.equal(code, 0)
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly id: string }).id)
  assert.equal(new Set(ids).size, ids.length, 'none comes twice')
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => Number(a) - Number(b)),
    'in their order',
  )
  await second.stop()
})
