import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'

const heads = new WeakSet<IncomingMessage>()

/** HEAD is answered as GET is; Node leaves out the body, as it knows the method as it was sent. */
export function takeHeadAsGet(raw: IncomingMessage): void {
  if (raw.method !== 'HEAD') return
  heads.add(raw)
  raw.method = 'GET'
}

/** Whether only the headers of an answer are asked for. */
export const isHead = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => heads.has(raw)

/**
 * What a read is answered with: HEAD as its GET would be, but all that would be written for that is undone
 * (RFC 9110, 9.2.1).
 */
export const readingContext = (request: Pick<FastifyRequest, 'raw'>, ctx: Context): Context =>
  isHead(request) ? { ...ctx, database: undone(ctx.database), nudge() {} } : ctx

class Undone<T> extends Error {
  readonly value: T

  constructor(value: T) {
    super('This transaction is undone.')
    this.value = value
  }
}

const undone = (database: Database): Database => ({
  ...database,
  async transaction<T>(work: Parameters<typeof database.transaction<T>>[0]): Promise<T> {
    try {
      return await database.transaction<T>(async (db) => {
        throw new Undone(await work(db))
      })
    } catch (error) {
      if (error instanceof Undone) return (error as Undone<T>).value
      throw error
    }
  },
})
