import { connect } from '../src/db/connect.ts'
import type { DatabaseOptions } from '../src/db/database.ts'
import { createLog } from '../src/log.ts'
import type { TestContext } from './app.ts'

export interface Opened {
  readonly ctx: TestContext
  readonly databaseOptions: DatabaseOptions
}

/** Another process on the same database, with the same clock. */
export function anotherProcess({ ctx, databaseOptions }: Opened, options: Partial<DatabaseOptions> = {}) {
  const database = connect({ ...databaseOptions, ...options } as DatabaseOptions)
  const other: TestContext = { ...ctx, database, db: database.reader }
  return { ctx: other, close: () => database.close() }
}

/** One that dies before its statement `n`: that one and all later ones fail. */
export function dyingProcess(opened: Opened, n: number) {
  let seen = 0
  const onStatement = () => {
    seen++
    if (seen >= n) throw new Error('the process is dead')
  }
  const { ctx, close } = anotherProcess(opened, { onStatement })
  // What it has counted for the audit log is lost with it (SECURITY.md): what it answers is owed to nobody.
  return { ctx: { ...ctx, log: createLog('silent') }, close, isDead: () => seen >= n }
}
