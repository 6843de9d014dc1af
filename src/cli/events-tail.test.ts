// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { addressOf } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'

/** Hears what a stream says from now on; the answer waits until it has said some words. */
function hearing(stream: NodeJS.ReadableStream): (word: string) => Promise<void> {
  let seen = ''
  stream.on('data', (chunk: Buffer) => void (seen += chunk.toString()))
  return async (word) => {
    while (!seen.includes(word)) await once(stream, 'data')
  }
}

test('events are shown as they happen; those while the server was away come when it is back, each once', async (t) => {
  const place = await openDemoPlace(t, 'events_tail')
  const first = await place.start(['serve', '--no-jobs'])
  const { port } = new URL(addressOf(first))
  await place.run(['login', '--local', '--product', '1'])
  /** Adds one, and tells how its event names it. */
  const add = async () => {
    const url = 'https://hooks.example.com/x'
    const { id } = await place.ask([
      'webhook',
      'add',
      '--product',
      '1',
      '--url',
      url,
      '--types',
      'plan.created',
    ])
    return `"webhook_id":"${id}"`
  }
  const { child, ended } = place.launch(['events', 'tail', '--json', '--after', '0'])
  const said = hearing(child.stdout)
  const complained = hearing(child.stderr)
  await said(await add())
  await first.stop('SIGKILL')
  await complained('disconnected')
  const away = await add()
  const second = await place.start(['serve', '--no-jobs'], { env: { PORT: port } })
  const back = await add()
  await said(away)
  await said(back)
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
