import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { DatabaseOptions } from '../src/db/database.ts'
import { TEST_SECRET } from './secret.ts'

export interface Serving {
  readonly process: ChildProcess
  readonly address: string
  /** Ends it as an operator would, and waits until it has ended. */
  stop(): Promise<void>
}

/** Where the program finds the database of a test, and its secret. */
const placeOf = (options: DatabaseOptions) => ({
  PATH: process.env['PATH'],
  LOG_LEVEL: 'silent',
  KEYWRIGHT_SECRET: TEST_SECRET,
  ...(options.engine === 'sqlite'
    ? { KEYWRIGHT_DATA: options.file.replace(/\/[^/]+$/, '') }
    : { DATABASE_URL: options.url }),
})

type Env = Readonly<Record<string, string>>

/** A command on the database of a test, in a process of its own: its end and what it printed. */
export async function ask(options: DatabaseOptions, command: readonly string[], env: Env = {}) {
  const child = spawn(process.execPath, ['bin/keywright.js', ...command], {
    env: { ...placeOf(options), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code: code as number | null, text: printed }
}

/** The real worker as it comes, on the database of a test, in a process of its own. */
export const work = (options: DatabaseOptions, env: Env = {}): ChildProcess =>
  spawn(process.execPath, ['bin/keywright.js', 'worker', '--json'], {
    env: { ...placeOf(options), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** The real server as it comes, on the database of a test, in a process of its own. */
export async function serve(options: DatabaseOptions, env: Env = {}): Promise<Serving> {
  const child = spawn(process.execPath, ['bin/keywright.js', 'serve', '--json'], {
    env: { ...placeOf(options), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const stop = async () => {
    const exited = once(child, 'exit')
    if (child.kill()) await exited
  }
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start.')))
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (address) resolve({ process: child, address, stop })
    })
  })
}
