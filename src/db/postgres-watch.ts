import type * as Pg from 'pg'
import { lazy } from '../lib/lazy.ts'

const pg = lazy<typeof Pg>('pg')

/** Another value after each start of a server, and another one on each server. */
const WHICH_SERVER = 'select extract(epoch from pg_postmaster_start_time())::text as server'

/** Less would count a busy machine as one that is gone. */
const PROBE_MS = 1_800

interface Settings {
  readonly url: string
  /** Milliseconds in which who waits for a server that is gone is told so. */
  readonly waitMs: number
}

/**
 * Ends connections on which nobody answers any more. A server that freezes, or is replaced by another one without a
 * word, leaves its connections open for a quarter of an hour. A statement may take long, though: so when one is not
 * answered, another connection asks whether the server lives, and whether it is still the same.
 */
export class PostgresWatch {
  readonly #settings: Settings
  readonly #connections = new Map<Pg.PoolClient, string | null>()
  /** When each statement that is not answered was sent, oldest first. */
  readonly #unanswered = new Map<number, number>()
  readonly #timer: NodeJS.Timeout
  #last = 0
  #probedAt = 0
  #probing: Promise<void> | null = null

  constructor(settings: Settings) {
    this.#settings = settings
    this.#timer = setInterval(() => this.#look(), settings.waitMs / 16).unref()
  }

  /** Takes a connection that a pool has made, and what breaks it at any time: unheard, that would end the process. */
  add(client: Pg.PoolClient): void {
    client.on('error', () => {})
    this.#connections.set(client, null)
    client.query<{ server: string }>(WHICH_SERVER).then(
      ({ rows: [row] }) =>
        void (this.#connections.has(client) && this.#connections.set(client, row?.server ?? null)),
      () => {},
    )
  }

  remove(client: Pg.PoolClient): void {
    this.#connections.delete(client)
  }

  /** Counts a statement as not answered until `answered` gets what this returns. */
  sent(): number {
    this.#unanswered.set(++this.#last, performance.now())
    return this.#last
  }

  answered(statement: number): void {
    this.#unanswered.delete(statement)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#probing
  }

  #look(): void {
    if (this.#probing) return
    const [oldest] = this.#unanswered.values()
    const since = Math.max(oldest ?? Number.POSITIVE_INFINITY, this.#probedAt)
    if (performance.now() - since < this.#settings.waitMs / 2) return
    this.#probing = this.#probe().finally(() => {
      this.#probing = null
      this.#probedAt = performance.now()
    })
  }

  async #probe(): Promise<void> {
    const answer = await whoAnswers(this.#settings)
    if (answer === 'somebody') return
    for (const [client, server] of this.#connections) {
      if (answer === null || (server !== null && server !== answer.server)) client.connection.stream.destroy()
    }
  }
}

/** Null: nobody; `somebody`: a server that lives but lets us not in. */
async function whoAnswers({ url }: Settings): Promise<{ readonly server: string } | 'somebody' | null> {
  const client = new (pg().Client)({ connectionString: url, application_name: 'keywright' })
  client.on('error', () => {})
  const giveUp = setTimeout(
    // What has arrived while this process was busy itself is read first.
    () => setImmediate(() => client.connection.stream.destroy()),
    PROBE_MS,
  )
  try {
    await client.connect()
    const { rows } = await client.query<{ server: string }>(WHICH_SERVER)
    return rows[0] ?? 'somebody'
  } catch (error) {
    return error instanceof pg().DatabaseError ? 'somebody' : null
  } finally {
    clearTimeout(giveUp)
    client.connection.stream.destroy()
  }
}
