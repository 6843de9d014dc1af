import assert from 'node:assert/strict'
import { transaction, type Context, type TxContext } from '../src/context.ts'
import { cuttingAt } from './cut.ts'
import { anotherProcess, type Opened } from './dying.ts'
import { changedTables, contentsOf } from './whole-database.ts'

/** Its statements fail from one on, or the database cuts its connections there. */
export type Way = 'fails' | 'is cut'

/**
 * Breaks one transaction off before each of its statements in turn, the commit the last: the whole database must
 * be as before. At last it is let through. The tables that it changed then.
 */
export async function cutEverywhere(
  opened: Opened,
  way: Way,
  work: (tx: TxContext) => Promise<unknown>,
): Promise<string[]> {
  const before = await contentsOf(opened.ctx.database)
  const process = way === 'fails' ? failing(opened) : cut(opened)
  try {
    for (let n = 1; ; n++) {
      const error = await transaction(await process.breakingAt(n), work).then(() => null, String)
      const changed = changedTables(before, await contentsOf(opened.ctx.database))
      if (!process.isBroken()) {
        assert.equal(error, null)
        assert.ok(n > 4, `saw ${n - 1} statements`)
        return changed
      }
      assert.match(error ?? '', /it is broken|connection cut|terminat|not answer/, `statement ${n}`)
      assert.deepEqual(changed, [], `before statement ${n}`)
    }
  } finally {
    await process.close()
  }
}

interface Breaking {
  /** What runs until its statement `n`. */
  breakingAt(n: number): Promise<Context>
  isBroken(): boolean
  close(): Promise<void>
}

/** Another process on the database, in which the statements fail. */
function failing(opened: Opened): Breaking {
  let seen = 0
  let last = 0
  const onStatement = () => {
    seen++
    if (seen >= last) throw new Error('it is broken')
  }
  const { ctx, close } = anotherProcess(opened, { onStatement })
  const breakingAt = async (n: number) => {
    seen = 0
    last = n
    return ctx
  }
  return { breakingAt, isBroken: () => seen >= last, close }
}

/** Another process each time, whose connections are cut. */
function cut(opened: Opened): Breaking {
  let last = 0
  let process: ReturnType<typeof cuttingAt> | null = null
  const close = async () => process?.database.close()
  const breakingAt = async (n: number) => {
    await close()
    last = n
    process = cuttingAt(opened, n)
    return process.ctx
  }
  return { breakingAt, isBroken: () => process !== null && process.seen() >= last, close }
}
