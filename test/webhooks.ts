import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TxContext } from '../src/context.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import { deliverEvents } from '../src/events/delivery/deliver-events-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import type { EventType } from '../src/db/tables/event-types.ts'
import { recordEvents } from '../src/events/log/record.ts'
import { sealAnswer } from '../src/events/listeners/address.ts'
import { sendTest } from '../src/events/listeners/resend.ts'
import { createWebhook } from '../src/events/listeners/service.ts'
import type { TestApp } from './app.ts'
import { writesEvents } from './contract/seen.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads events of every shape
  readonly event: any
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How the next requests are answered. */
  answer: (response: ServerResponse, request: Received, raw: IncomingMessage) => unknown
  close(): Promise<void>
}

/** A listener's side: keeps what it is sent, and answers 200 until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((raw, response) => {
    void text(raw).then(
      (body) => {
        const one = { headers: raw.headers, body, event: JSON.parse(body) as unknown }
        received.push(one)
        return receiver.answer(response, one, raw)
      },
      () => {},
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (response) => response.end('ok'),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** The numbers of what a receiver was sent, in its order. */
export const numbers = ({ received }: Receiver): unknown[] => received.map(({ event }) => event.data?.n)

type Served = Pick<TestApp, 'ctx'>

/** Sends all that is due to listeners. */
export const deliverAll = ({ ctx }: Served): Promise<number> => runDue(ctx, [deliverEvents])

/** Closes receivers, and cancels what any listener would still be sent. */
export async function endListeners({ ctx }: Served, receivers: readonly Receiver[]): Promise<void> {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await ctx.database.transaction((db) =>
    db.updateTable('webhooks').set({ is_active: false, due_at: 0 }).execute(),
  )
  await deliverAll({ ctx })
}

/** A listener of the first product, over HTTP; with its secret. */
export async function addWebhook(
  app: TestApp,
  body: { readonly url: string; readonly types?: string; readonly is_active?: boolean },
): Promise<{ readonly id: string; readonly secret: string }> {
  const reply = await app.call('POST', `/products/${app.seller.product.id}/webhooks.json`, { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.json
}

/** A listener that is told of nothing that happens, with an attempt to reach it; its id. */
export async function createTriedWebhook(tx: TxContext, scope: Scope): Promise<string> {
  const { id } = await createWebhook(tx, scope, {
    url: 'https://hooks.example.com/',
    types: 'affiliate.created',
  })
  const { event_id: eventId } = await sendTest(tx, scope, Number(id))
  const delivery = await tx.db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', Number(id))
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('delivery_attempts')
    .values({
      product_id: scope.productId,
      webhook_id: Number(id),
      delivery_id: delivery.id,
      event_id: Number(eventId),
      at: tx.clock.real(),
      duration_ms: 12,
      status: 500,
      answer: sealAnswer(tx.keys, 'no'),
      is_sealed: true,
    })
    .execute()
  return id
}

/** Lets something happen to users of the first product, each an event. */
export function happen(
  app: TestApp,
  userIds: readonly number[],
  type: EventType = 'user.name.changed',
  environment: 0 | 1 = 0,
) {
  writesEvents(app.ctx.database, type)
  return app.write((tx) => {
    const { developer, product } = app.seller
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    return recordEvents(
      tx,
      scope,
      userIds.map((userId, n) => ({ type, environment, userId, data: { n } })),
    )
  })
}
