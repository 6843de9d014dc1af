import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = dirname(import.meta.dirname)
const atOnce = 2

/** Beside Prettier's own: what one run leaves for the next one of the same checkout. */
const cached = (file: string) => join(root, 'node_modules/.cache', file)

/** Name → program under node_modules and its arguments, the slowest first. */
const checks: Readonly<Record<string, readonly string[]>> = {
  knip: ['knip/bin/knip.js'],
  'knip without tests': [
    'knip/bin/knip.js',
    '--production',
    '--config=knip.production.json',
    '--include=files,exports,types,enumMembers',
  ],
  prettier: [
    'prettier/bin/prettier.cjs',
    '--check',
    '--cache',
    '--cache-strategy=content',
    '--log-level=warn',
    '.',
  ],
  types: ['typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', cached('tsc.json')],
  'types of the pages': [
    'typescript/bin/tsc',
    '--noEmit',
    '--project',
    'web',
    '--incremental',
    '--tsBuildInfoFile',
    cached('tsc-web.json'),
  ],
  'types of the dashboard': [
    'typescript/bin/tsc',
    '--noEmit',
    '--project',
    'web/dashboard',
    '--incremental',
    '--tsBuildInfoFile',
    cached('tsc-dashboard.json'),
  ],
  'types of the portal': [
    'typescript/bin/tsc',
    '--noEmit',
    '--project',
    'web/portal',
    '--incremental',
    '--tsBuildInfoFile',
    cached('tsc-portal.json'),
  ],
  lint: ['oxlint/bin/oxlint', '--deny-warnings'],
  modules: ['../tools/modules.ts', '--check'],
  commands: ['../tools/commands.ts', '--check'],
  moving: ['../tools/moving.ts', '--check'],
}

/** Runs every check, prints one line for each and, under it, what a failed one said. */
async function main(): Promise<void> {
  const waiting = Object.entries(checks).values()
  const worker = async () => {
    for (const [name, command] of waiting) {
      if (!(await passes(name, command))) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function passes(name: string, [program = '', ...args]: readonly string[]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} ${seconds} s`)
  if (code !== 0) console.log(`${output}${errors}`)
  return code === 0
}

await main()
