import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

/** A test file that passes. */
export const passing = "import { test } from 'node:test'; test('passes', () => {})"

/** Runs the runner on a folder of these files: how it ended, what it printed, and the last line of that. */
export async function runTests(t: TestContext, args: readonly string[], files: Record<string, string>) {
  return runTestsIn(await project(t, files), args)
}

export async function runTestsIn(folder: string, args: readonly string[]) {
  const runner = startRunner(folder, args)
  const [output, [code]] = await Promise.all([text(runner.stdout), once(runner, 'exit')])
  return { code, output, lastLine: output.trimEnd().split('\n').at(-1) ?? '' }
}

export async function project(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-runner-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [file, source] of Object.entries(files)) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), source)
  }
  return folder
}

/** The runner works on the folder it is started in; Node refuses to run tests inside tests unless told otherwise. */
export function startRunner(cwd: string, args: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], {
    cwd,
    env: { ...env, NODE_ENV: 'production', DATABASE_URL: 'postgres://elsewhere' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
