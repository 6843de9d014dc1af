// Runs on sqlite.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { addressOf, type Started } from './command-line.ts'
import { openDemoPlace } from './demo-place.ts'

const root = join(import.meta.dirname, '..')

/** The commands of a section of the README, one block after another. */
async function commandsOf(heading: string): Promise<string> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const [, section = ''] = text.split(`### ${heading}\n`)
  const [own = ''] = section.split(/^##/m)
  return [...own.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).join('')
}

/** With what the demo printed in the place of each `NAME=…   # field`, and where the server really is. */
const filled = (commands: string, server: Started): string =>
  commands
    .replaceAll(
      /^(\w+)=… +# (\w+)$/gm,
      (_, name: string, field: string) => `${name}='${server.value[field] ?? ''}'`,
    )
    .replaceAll('http://127.0.0.1:8080', addressOf(server))

test('the commands of the README put a plan on sale, buy, activate, renew, refund and deactivate', async (t) => {
  const place = await openDemoPlace(t, 'readme')
  const server = await place.start(['serve', '--demo'])
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const run = async (heading: string) => {
    const commands = filled(await commandsOf(heading), server)
    assert.doesNotMatch(commands, /…|=''/)
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: root,
      env: { ...place.env, PATH: path },
      timeout: 120_000,
    })
    return stdout
  }
  assert.match(await run('Something to sell'), /annual_price: 49,/)
  const stdout = await run('A purchase by commands')
  const [year = 0, after = 0, last = 0] = [
    ...stdout.matchAll(/^(\d{4})-\d\d-\d\d [\d:]{8}, (good|cancelled)$/gm),
  ].map(([, found]) => Number(found))
  assert.deepEqual([after, last], [year + 1, year + 1], stdout)
  const payments = [...stdout.matchAll(/gross: ([\d.]+),\s+is_renewal: (true|false)/g)]
  assert.deepEqual(
    payments.map(([, gross, isRenewal]) => `${gross} ${isRenewal}`),
    ['63.2 true', '79 false'],
    stdout,
  )
  const [, refunded] = /, good\n-([\d.]+)\n\d{4}-[^\n]*, cancelled\n\d+\n$/.exec(stdout) ?? []
  assert.equal(refunded, payments[0]?.[1], stdout)
  await server.stop()
})
