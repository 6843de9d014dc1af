// Runs on sqlite.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { startServer, type RunningServer } from '../../src/start.ts'
import { testContext } from '../app.ts'
import { open, rawExchange } from './raw.ts'

const PING = 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = PING.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
/** Is answered once its body of two bytes is there. */
const LOG_IN = PING.replace(/^\S+ \S+/, 'POST /v1/developers/1/login.json').replace(
  /\r\n$/,
  'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n',
)
/** What waits for an answer behind the one that is under way. */
const MOST = 32

describe('S34: requests one behind the other on a connection', () => {
  const lines: string[] = []
  let running: RunningServer
  let drop: () => Promise<void>
  let met = 0
  before(async () => {
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const { ctx, drop: dropDatabase } = await testContext('security_pipelined', { log })
    drop = dropDatabase
    running = await startServer(ctx)
    running.server.server.on('request', () => void met++)
  })
  after(async () => {
    await running.stop()
    await drop()
  })

  const send = async (pieces: readonly string[]) => {
    lines.length = 0
    met = 0
    const answer = await rawExchange(running.address, pieces)
    return { ...answer, run: lines.filter((line) => line.includes('keywright/ping')).length }
  }

  test('are each answered while no more of them wait', async () => {
    const { statuses, closed } = await send([PING.repeat(MOST) + LAST])
    assert.deepEqual([statuses.length, new Set(statuses), closed], [MOST + 1, new Set([200]), true])
  })

  test('of a packet of them, the connection is closed with the first that is too much, and the rest not read', async () => {
    const packet = PING.repeat(Math.floor(65_536 / PING.length))
    const { closed, run } = await send([packet])
    assert.deepEqual([run, closed], [1, true])
    assert.ok(met <= MOST + 3, `${met} requests were taken out of the packet`)
  })

  test('are begun one by one: of answers that nobody reads the next is not made', async (t) => {
    const responses: ServerResponse[] = []
    const note = (_: unknown, response: ServerResponse) => void responses.push(response)
    running.server.server.on('request', note)
    const socket = await open(running.address)
    t.after(() => void socket.destroy())
    socket.pause().write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(MOST))
    while (responses.length < MOST || !responses[0]?.writableEnded) await new Promise(setImmediate)
    running.server.server.off('request', note)
    for (let call = 0; call < 5; call++)
      assert.equal((await fetch(`${running.address}/v1/ping.json`)).status, 200)
    const made = responses.filter(({ writableEnded }) => writableEnded).length
    assert.ok(made < MOST / 2, `${made} answers were made`)
  })

  test('an answer that is given makes room for the next', async () => {
    const socket = await open(running.address)
    let [text, asked] = ['', 30]
    socket.write(PING.repeat(30))
    for await (const chunk of socket) {
      text += String(chunk)
      if (answered(text) < asked || asked === 300) continue
      asked += 30
      socket.write(asked === 300 ? PING.repeat(29) + LAST : PING.repeat(30))
    }
    assert.equal(answered(text), 300)
  })

  test('an answer whose turn has come waits no more, whether it came behind another one or not', async () => {
    const socket = await open(running.address)
    let text = ''
    socket.write(`${PING}${LOG_IN}{`)
    for await (const chunk of socket) {
      if (text === '') socket.write(`}${PING.repeat(MOST - 1)}${LAST}`)
      text += String(chunk)
    }
    assert.deepEqual([answered(text), text.split('HTTP/1.1 4').length - 1], [MOST + 1, 1])
  })
})

const answered = (text: string) => text.split('HTTP/1.1 200 ').length - 1
