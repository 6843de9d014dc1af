import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { DatabaseOptions } from '../src/db/database.ts'
import { TEST_SECRET } from './app.ts'

export interface Serving {
  readonly process: ChildProcess
  readonly address: string
  /** Ends it as an operator would, and waits until it has ended. */
  stop(): Promise<void>
}

/** The real server as it comes, on the database of a test, in a process of its own. */
export async function serve(options: DatabaseOptions): Promise<Serving> {
  const place =
    options.engine === 'sqlite'
      ? { KEYWRIGHT_DATA: options.file.replace(/\/[^/]+$/, '') }
      : { DATABASE_URL: options.url }
  const child = spawn(process.execPath, ['bin/keywright.js', 'serve', '--json'], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'silent',
      KEYWRIGHT_SECRET: TEST_SECRET,
      ...place,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const stop = async () => {
    const exited = once(child, 'exit')
    if (child.kill()) await exited
  }
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server did not start.')))
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
      if (address) resolve({ process: child, address, stop })
    })
  })
}
