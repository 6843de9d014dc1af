import type { Kysely } from 'kysely'
import type { Tables } from './tables/tables.ts'

export type Engine = 'sqlite' | 'postgres'

/** Reads outside a transaction. It has no insert, update or delete: every write is in a transaction. */
export type Reader = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'getExecutor' | 'executeQuery'
>

/** The database inside a transaction. */
export type Writer = Kysely<Tables>

export interface Database {
  readonly engine: Engine
  /** Whether transactions that wait for one another are saved by one commit without being asked to. */
  readonly sharesCommits: boolean
  /** Short reads; each sees everything that was answered before. */
  readonly reader: Reader
  /**
   * Long reads (contains-search, sums, exports): a worker thread on SQLite, the pool on PostgreSQL
   * (`docs/decisions.md` 4.7).
   */
  readonly background: Reader
  /**
   * Another number after each commit of whatever process; absent where it costs as much as to look for what was
   * written.
   */
  readonly version?: () => number
  /** How often this process has committed; absent as `version` is. */
  readonly commits?: () => number
  /** Whether there is room to store something; absent where the database answers for itself. */
  readonly canWrite?: () => Promise<boolean>
  /**
   * Runs `work` in one transaction, again from its start when the database asks for it
   * (serialization failure, deadlock, busy), so `work` has no effect but on the database.
   * It resolves after the commit is durable.
   */
  transaction<T>(work: (db: Writer) => Promise<T>): Promise<T>
  /**
   * Runs `work` on what the database says at one moment, however long it takes and whatever is written meanwhile. Nobody
   * waits for it.
   */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Seen by tests that cut the connection: called before each statement, transaction control included. */
export type StatementHook = (sql: string) => void | Promise<void>

export type DatabaseOptions =
  | { readonly engine: 'sqlite'; readonly file: string; readonly onStatement?: StatementHook }
  | {
      readonly engine: 'postgres'
      readonly url: string
      readonly poolSize: number
      /** Off behind a pooler that hands each transaction another connection. */
      readonly namedStatements: boolean
      /** Milliseconds to wait for a connection; 10,000 unless set. */
      readonly waitMs?: number
      readonly onStatement?: StatementHook
    }
