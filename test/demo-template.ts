import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Engine } from '../src/db/database.ts'
import { createPostgresDemo } from './database.ts'
import { TEST_SECRET } from './secret.ts'

const program = resolve(import.meta.dirname, '../bin/keywright.js')

interface Wanted {
  readonly engine: Engine
  /** The data folder that is made: with archives, and on SQLite database and secret. */
  readonly data: string
  /** Opens the server as superuser, on PostgreSQL. */
  readonly admin: string | undefined
}

/**
 * Makes the demo that tests of commands copy (`openDemoPlace`), as an operator does: months of sales take as long as all
 * else in most of them.
 */
export async function createDemoTemplate({ engine, data, admin }: Wanted): Promise<void> {
  const child = spawn(process.execPath, [program, 'demo'], {
    env: {
      PATH: process.env['PATH'],
      KEYWRIGHT_DATA: data,
      ...(engine === 'postgres' && {
        DATABASE_URL: await createPostgresDemo(admin ?? ''),
        KEYWRIGHT_SECRET: TEST_SECRET,
      }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The demo of the tests was not made: it ended with ${code}.`)
}
