import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openAnswering, openClient } from '../../test/client.ts'

const program = resolve(import.meta.dirname, '../../bin/keywright.js')

test('a command whose results nobody reads any further ends, without a word', async (t) => {
  let last = 1e9
  const url = await openAnswering(t, (_, response) => {
    const users = Array.from({ length: 50 }, () => ({ id: String(last--) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ users }))
  })
  const { env } = await openClient('broken_pipe', { url, product: '1' })
  const line = `set -o pipefail; '${process.execPath}' '${program}' customer find --all --jsonl | head -1`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', line], {
    env,
    signal: t.signal,
  })
  assert.deepEqual([stdout, stderr], ['{"id":"1000000000"}\n', ''])
})
