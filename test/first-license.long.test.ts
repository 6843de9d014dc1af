// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastFirst } from './last-first.ts'
import { linesOf } from './readme-lines.ts'

const root = join(import.meta.dirname, '..')
const MOST_COMMANDS = 6
const MOST_MS = 5 * 60_000

/** A shell in a folder, as that of somebody who has git, npm and some Node. */
interface Shell {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What npm links goes into a folder of its own, and nothing of this run stands on the path. */
function shellIn(folder: string, cwd: string): Shell {
  const bin = join(folder, 'prefix/bin')
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.includes('node_modules'))
  return {
    cwd,
    env: {
      PATH: [bin, ...path].join(delimiter),
      HOME: process.env['HOME'] ?? folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      npm_config_prefix: join(folder, 'prefix'),
      npm_config_prefer_offline: 'true',
      PORT: '0',
    },
  }
}

/** Runs a line to its end; what it prints. */
async function typed({ cwd, env }: Shell, line: string): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void said.push(String(text)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  assert.equal(code, 0, `${line}\n${said.join('')}`)
  return said.join('')
}

/** Leaves a line running, and waits for the license key that it prints; it ends with the test. */
async function begun(atEnd: ReturnType<typeof lastFirst>, { cwd, env }: Shell, line: string) {
  const child = spawn('bash', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise((resolve) => child.once('close', resolve))
  atEnd(async () => {
    // Its whole group: npm, the shell that npm starts, and the server.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await closed
  })
  let said = ''
  return new Promise<{ readonly key: string; readonly address: string; said(): string }>(
    (resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => {
          said += String(text)
          const [, key] = /^ +license_key +(sk_\S+)/m.exec(said) ?? []
          const [, address] = /API +(\S+)\/v1/.exec(said) ?? []
          if (key && address) resolve({ key, address, said: () => said })
        })
      void closed.then(() => reject(new Error(`${line} ended: ${said}`)))
    },
  )
}

test('from a clean clone the commands of the README verify a license: six at most, in less than five minutes', async (t) => {
  const atEnd = lastFirst(t)
  const folder = await mkdtemp(join(tmpdir(), 'keywright-first-license-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const began = performance.now()
  const passed = () => Math.round((performance.now() - began) / 100) / 10
  const clone = join(folder, 'keywright')
  await typed(shellIn(folder, folder), `git clone --quiet '${root}' keywright`)
  const shell = shellIn(folder, clone)
  const lines = await linesOf('The first license in six commands')
  assert.ok(lines.length <= MOST_COMMANDS, `${lines.length} commands`)
  const at = lines.findIndex((line) => line.startsWith('npm start'))
  for (const line of lines.slice(0, at)) {
    await typed(shell, line)
    t.diagnostic(`${line}: after ${passed()} s`)
  }
  const server = await begun(atEnd, shell, lines[at] ?? '')
  t.diagnostic(`${lines[at]}: after ${passed()} s`)
  const values = [`KEY='${server.key}'`, "MACHINE='0123456789abcdef0123456789abcdef'"]
  const said = await typed(shell, [...values, ...lines.slice(at + 1)].join('\n'))
  assert.match(said, /valid +yes/)
  const seconds = passed()
  t.diagnostic(`${lines.length} of ${MOST_COMMANDS} commands`)
  t.diagnostic(`${Math.round(seconds)} of ${MOST_MS / 1000} seconds`)
  assert.ok(seconds * 1000 < MOST_MS)

  // The pages are built when the first one is opened, which says so meanwhile.
  const opened = performance.now()
  for (;;) {
    const page = await fetch(`${server.address}/dashboard/`)
    const html = await page.text()
    if (page.status === 200) break
    assert.equal(page.status, 503)
    assert.match(html, /being built/)
    await sleep(500)
  }
  t.diagnostic(`the pages were built in ${Math.round((performance.now() - opened) / 1000)} s`)
})
