import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/** HEAD is answered as GET is; Node leaves out the body, as it knows the method as it was sent. */
export function takeHeadAsGet(raw: IncomingMessage): void {
  if (raw.method !== 'HEAD') return
  heads.add(raw)
  raw.method = 'GET'
}

/** Whether only the headers of an answer are asked for. */
export const isHead = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => heads.has(raw)
