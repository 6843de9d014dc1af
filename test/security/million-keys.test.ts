// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BODY_LIMIT } from '../../src/http/body-arguments.ts'
import { promptly } from './answers.ts'
import { inParallel, type Answer } from './client.ts'
import { stateOf } from './tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld('million_keys')
})
after(() => world.close())

const send = (body: string, headers: Record<string, string>): Promise<Answer> => {
  const { id, token } = world.seller.product
  const authorization = `Bearer ${token}`
  return world.send({
    method: 'POST',
    path: `/v1/products/${id}/users.json`,
    headers: { ...headers, authorization },
    body,
  })
}

describe('S21: a million keys', () => {
  const MILLION = 1_000_000
  const named = (n: number) => `k${n.toString(36)}`

  /** The most that this process held beyond what it held before, in megabytes. */
  async function mostHeld(work: () => Promise<unknown>): Promise<number> {
    const held = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const before = held()
    let most = before
    const looking = setInterval(() => (most = Math.max(most, held())), 2)
    await work().finally(() => clearInterval(looking))
    return (most - before) / BODY_LIMIT
  }

  test('are 413, with a length and chunked without one, in JSON and as a form', async () => {
    const json = `{${Array.from({ length: MILLION }, (_, n) => `"${named(n)}":1`).join(',')}}`
    const form = Array.from({ length: MILLION }, (_, n) => named(n)).join('&')
    const typed = {
      json: { 'content-type': 'application/json' },
      form: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    // More than an address may hold of bodies on their way: what was refused is passed over, and holds nothing.
    const long = json + ' '.repeat(BODY_LIMIT * 20)
    for (const [body, headers] of [
      [json, typed.json],
      [form, typed.form],
      [long, typed.json],
    ] as const) {
      for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
        const { status, json: reply } = await send(body, { ...headers, ...more })
        assert.deepEqual([status, reply.error.code], [413, 'payload_too_large'])
      }
    }
  })

  test('that fit into the largest body, as they are empty or the same, are answered in bounded time and memory', async () => {
    const fit = (part: string) => part.repeat(Math.floor((BODY_LIMIT - 100) / part.length))
    const distinct = Array.from({ length: 200_000 }, (_, n) => `"${named(n)}":1`)
    const tries: readonly (readonly [string, string])[] = [
      [`{"a":[${fit('0,')}0]}`, 'application/json'],
      [`{"a":[${fit('{},')}{}]}`, 'application/json'],
      [
        `{${distinct
          .join(',')
          .slice(0, BODY_LIMIT - 100)
          .replace(/,[^,]*$/, '')}}`,
        'application/json',
      ],
      [fit('&'), 'application/x-www-form-urlencoded'],
      [fit('a&'), 'application/x-www-form-urlencoded'],
    ]
    const stored = await stateOf(world.ctx.database)
    for (const [body, type] of tries) {
      const what = `${type} ${body.slice(0, 20)}`
      const most = await mostHeld(() =>
        inParallel([1, 2, 3, 4], async () => {
          const answer = await promptly(what, 4_000, () => send(body, { 'content-type': type }))
          assert.ok(answer.status === 400 || answer.status === 402, answer.text)
          assert.ok(answer.text.length < 10_000, 'the echo is bounded')
        }),
      )
      assert.ok(most < 256, `${what}: ${most.toFixed(0)} MB`)
    }
    assert.equal(await stateOf(world.ctx.database), stored)
  })
})
