import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database, Reader, Writer } from './db/database.ts'
import type { EntitiesOfEvents } from './events/hooks.ts'
import type { NewEvent } from './events/log/queries.ts'
import type { Gateway } from './gateways/gateway.ts'
import type { Clock } from './lib/clock.ts'
import type { Keyring } from './lib/keyring.ts'
import type { PasswordCost } from './lib/password.ts'
import type { RefusalKeeper, SalesOfLicenses } from './licensing/hooks.ts'
import type { VatIdRegister } from './sales/taxes/vat-id.ts'
import type { OtherFiles } from './deployments/hooks.ts'
import type { ArchiveAccount, OperationById } from './lists/hooks.ts'
import type { Storage } from './deployments/storage/storage.ts'

/** What modules ask of those above them, in the transaction of the caller; `src/hooks.ts` says who does it. */
export interface Hooks {
  readonly entitiesOfEvents: EntitiesOfEvents
  readonly sales: SalesOfLicenses
  readonly refusals: RefusalKeeper
  readonly files: OtherFiles
  readonly operation: OperationById
  readonly archiveAccount: ArchiveAccount
}

/** What a read may use; a transaction's context is one too, and then reads what it wrote. */
export interface ReadContext {
  readonly db: Reader
  readonly clock: Clock
  readonly config: Config
  readonly keys: Keyring
  readonly log: Logger
  /** Where callers reach this server, without a slash at the end. */
  readonly baseUrl: string
  readonly passwordCost: PasswordCost
  readonly hooks: Hooks
}

/** Everything a request or a job may use outside a transaction. Built once at start; tests build their own. */
export interface Context extends ReadContext {
  readonly database: Database
  /** Who moves money (`gatewayFor`, `findGateway`); never called inside a transaction. */
  readonly gateways: readonly Gateway[]
  /** Checks VAT ids, also online; never called inside a transaction. */
  readonly vatIds: VatIdRegister
  /** Keeps archives; never called inside a transaction. */
  readonly storage: Storage
  /** Wakes the jobs of this process, so that nobody waits for their next look. */
  readonly nudge: () => void
}

/** The context inside a transaction: the outer database has no name here (`docs/decisions.md` 4.4). */
export interface TxContext extends ReadContext {
  readonly db: Writer
  /**
   * Leaves something to the end of the transaction: what others wait for, such as the row that counts a seller's
   * invoices, is then held only for the moment of the commit. What was left to the same `work` is done in one call,
   * in the order in which it was left.
   */
  readonly atEnd: <Item>(work: AtEnd<Item>, item: Item) => void
  /** Events that are written together, in their order (`gatherEvents`); left out: each is written at once. */
  readonly gathered?: NewEvent[]
}

export type AtEnd<Item> = (tx: TxContext, items: readonly Item[]) => Promise<void>

/** Rows past which a page is read beside the requests, not between them. */
const DEEP = 1_000

/**
 * Where a page is read whose earlier rows are skipped one by one: deep ones in the background
 * (`docs/decisions.md` 4.7).
 */
export const pageReader = (
  { db, database }: Pick<Context, 'db' | 'database'>,
  { offset }: { readonly offset: number },
): Reader => (offset > DEEP ? database.background : db)

/**
 * Runs `work` in one transaction; its writes are durable when this resolves. `work` may run again
 * when the database asks for it, so it awaits nothing but the database.
 */
export async function transaction<T>(
  ctx: ReadContext & Pick<Context, 'database' | 'nudge'>,
  work: (ctx: TxContext) => Promise<T>,
): Promise<T> {
  const { clock, config, keys, log, baseUrl, passwordCost, hooks } = ctx
  const shared = { clock, config, keys, log, baseUrl, passwordCost, hooks }
  const value = await ctx.database.transaction(async (db) => {
    const left = new Map<AtEnd<never>, unknown[]>()
    const tx: TxContext = {
      ...shared,
      db,
      atEnd(last, item) {
        const items = left.get(last)
        if (items) items.push(item)
        else left.set(last, [item])
      },
    }
    const result = await work(tx)
    for (const [last, items] of left) await last(tx, items as never[])
    return result
  })
  ctx.nudge()
  return value
}

/** A context whose transactions are no news for the jobs. */
export const quiet = <C extends ReadContext>(ctx: C) => ({ ...ctx, nudge: () => {} })

/** Runs `work` in one transaction that is no news for the jobs. */
export const quietly = <T>(
  ctx: ReadContext & Pick<Context, 'database'>,
  work: (ctx: TxContext) => Promise<T>,
): Promise<T> => transaction(quiet(ctx), work)
