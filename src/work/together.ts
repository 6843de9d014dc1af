import { setImmediate as nextTurn } from 'node:timers/promises'
import { transaction, type Context, type TxContext } from '../context.ts'
import { sideBySide } from '../db/batched.ts'

const GROUP_SIZE = 16

interface Work {
  readonly run: (tx: TxContext) => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Transactions of one caller that share a commit on PostgreSQL, those that wait while one is under way: so rows which
 * all of them write, such as the one that counts a seller's invoices, are waited for once, and the disk too; what they
 * ask for at once by a batched statement is one (`db/batched`). Where one of them fails, each is done alone, so that the
 * others are done. The queue of the embedded database does this for all transactions.
 */
export class Together {
  readonly #ctx: Context
  readonly #waiting: Work[] = []
  #isAtWork = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** As `transaction`: durable when this resolves, and `work` may run again. */
  run<T>(work: (tx: TxContext) => Promise<T>): Promise<T> {
    if (this.#ctx.database.sharesCommits) return transaction(this.#ctx, work)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: work, resolve, reject })
      void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    if (this.#isAtWork) return
    this.#isAtWork = true
    await nextTurn()
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP_SIZE)
      if (!(await this.#doneInOne(group))) for (const work of group) await this.#doAlone(work)
    }
    this.#isAtWork = false
  }

  async #doneInOne(group: readonly Work[]): Promise<boolean> {
    if (group.length === 1) return false
    try {
      const values = await transaction(this.#ctx, async (tx) => {
        const ended = await sideBySide(tx.db, () => Promise.allSettled(group.map(({ run }) => run(tx))))
        return ended.map((one) => {
          if (one.status === 'rejected') throw one.reason
          return one.value
        })
      })
      group.forEach(({ resolve }, index) => resolve(values[index] as never))
      return true
    } catch {
      return false
    }
  }

  async #doAlone({ run, resolve, reject }: Work): Promise<void> {
    try {
      resolve((await transaction(this.#ctx, run)) as never)
    } catch (error) {
      reject(error)
    }
  }
}
