import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import type { EventType } from '../../src/db/tables/event-types.ts'
import { recordEvent } from '../../src/events/log/record.ts'
import type { SellerApp } from './seller.ts'

/** Tells in the product of the demo, live, that something happened. */
export async function happenIn(app: SellerApp, ...types: EventType[]): Promise<void> {
  const { developerId, productId } = app.demo
  const scope = systemScope({ developerId, productId })
  await transaction(app.ctx, async (tx) => {
    for (const type of types) await recordEvent(tx, scope, { type, userId: 1, data: null, environment: 0 })
  })
  app.ctx.nudge()
}
