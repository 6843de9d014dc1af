// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pluginZip } from '../../test/archives.ts'
import { addressOf, bearer, usersOf, type Place, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { startReceiver } from '../../test/webhooks.ts'

/** Where the call leads that `demo` prints. */
async function printedBy(place: Place): Promise<string> {
  const { code, stdout, stderr } = await place.run(['demo'])
  assert.equal(code, 0, stderr)
  const [, url = ''] = /curl -H '.*' '(.*)'/.exec(stdout) ?? []
  return new URL(url).origin
}

async function opens(server: Started, token: string | undefined): Promise<boolean> {
  return (await fetch(usersOf(server), { headers: bearer(token) })).status === 200
}

test('servers on one data take nothing from one another: each is found while it runs, and its token goes on', async (t) => {
  const place = await openDemoPlace(t, 'serve-beside')
  const first = await place.start(['serve', '--demo'])
  const second = await place.start(['serve', '--demo', '--no-jobs'])
  const { api_token: token } = first.value
  for (const server of [first, second]) assert.ok(await opens(server, token), 'the first token goes on')
  assert.ok(await opens(first, second.value['api_token']))
  assert.equal(await printedBy(place), addressOf(second), 'the one that was started last')
  assert.ok(await opens(first, token), 'a command beside it ends no token')
  await second.stop()
  const left = await readdir(join(place.folder, 'data', 'servers'))
  assert.equal(left.length, 1, 'one that was stopped leaves nothing')
  assert.equal(await printedBy(place), addressOf(first))
  await first.stop('SIGKILL')
  assert.equal(await printedBy(place), 'http://127.0.0.1:0', 'none runs any more')
  const third = await place.start(['serve', '--demo'])
  assert.ok(!(await opens(third, token)), 'the token of a server that is gone ends')
  await third.stop()
})

/** A server with a demo, and what commands beside it have in their environment. */
async function startDemo(t: TestContext, name: string) {
  const place = await openDemoPlace(t, name)
  const server = await place.start(['serve', '--demo'])
  const { api_token: token = '', product_id: product = '' } = server.value
  return { place, server, product, env: { KEYWRIGHT_API_TOKEN: token } }
}

test('deploy goes to the server that runs on this data, whatever its port', async (t) => {
  const { place, product, env } = await startDemo(t, 'deploy-beside')
  const file = join(place.folder, 'example.zip')
  await writeFile(file, await pluginZip({ version: '78.0' }))
  assert.equal((await place.ask(['deploy', file, '--product', product], { env })).version, '78.0')
})

test('listen hears the server that runs on this data, and one that takes its place at another port', async (t) => {
  const { place, server, product, env } = await startDemo(t, 'listen-beside')
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const listening = place.launch(['listen', '--product', product, '--forward-to', receiver.url], { env })
  const heard = async (from: Started, code: string) => {
    const arrived = Promise.withResolvers<boolean>()
    receiver.answer = (response) => {
      arrived.resolve(true)
      response.end()
    }
    // Nobody is told of what happens before it listens.
    for (let n = 0, isHeard = false; !isHeard; n++) {
      const made = await fetch(`${addressOf(from)}/v1/products/${product}/coupons.json`, {
        method: 'POST',
        headers: { ...bearer(env.KEYWRIGHT_API_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify({ code: `${code}${n}`, discount: 10, discount_type: 'percentage' }),
      })
      assert.equal(made.status, 201, await made.text())
      isHeard = await Promise.race([arrived.promise, sleep(100, false)])
    }
  }
  await heard(server, 'FIRST')
  const other = await place.start(['serve'])
  await server.stop()
  await heard(other, 'OTHER')
  listening.child.kill('SIGINT')
  assert.equal((await listening.ended).code, 0)
})
