// Runs slowly.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import anew from '../../bin/process.json' with { type: 'json' }
import { openPlace } from '../../test/command-line.ts'

const ran = promisify(execFile)

for (const command of ['serve', 'worker']) {
  test(`${command} gives itself what keeps its memory small, in the process that was started`, async (t) => {
    const place = await openPlace(t, `anew_${command}`)
    const started = await place.start([command], { env: { MALLOC_ARENA_MAX: '3' } })
    const { stdout } = await ran('ps', ['eww', '-o', 'args=', '-p', String(started.child.pid)])
    const told = stdout.trim().split(' ')
    for (const flag of anew.flags) assert.ok(told.includes(flag), `${flag} in: ${stdout}`)
    const { MALLOC_ARENA_MAX: _, ...variables } = anew.variables
    const own = { ...variables, MALLOC_ARENA_MAX: '3' }
    for (const [name, value] of Object.entries(own))
      assert.ok(told.includes(`${name}=${value}`), `${name} in: ${stdout}`)
    assert.equal((await started.stop()).code, 0)
  })
}
