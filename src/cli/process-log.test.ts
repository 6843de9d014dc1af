import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** In a process of its own, as it is about what happens to one. */
const PROGRAM = `
import { openProcessLog } from './src/cli/process-log.ts'
import { Metrics } from './src/http/metrics.ts'
import { atWork } from './src/lib/at-work.ts'
openProcessLog({ logLevel: 'error' }, true)
atWork('req_1', () => setTimeout(() => { throw new Error('thrown') }))
atWork('req_2', () => void (async () => { await null; throw new Error('rejected') })())
setTimeout(async () => {
  const lines = (await new Metrics().text()).split('\\n')
  console.log(lines.filter((line) => line.startsWith('keywright_uncaught')).join())
}, 50)
`

test('what nobody catches is logged with its request and counted, and the process goes on', async () => {
  const line = ['--input-type=module', '--eval', PROGRAM]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, line)
  assert.equal(stdout.trim(), 'keywright_uncaught_errors_total 2')
  const logged = stderr
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  assert.deepEqual(logged.map(({ msg, work, err }) => [msg, work, err.message]).toSorted(), [
    ['nobody caught an error', 'req_1', 'thrown'],
    ['nobody caught an error', 'req_2', 'rejected'],
  ])
})
