import { waitingBy } from '../../db/waiting.ts'
import { cartsToRecover } from './recover-carts-queries.ts'
import { giveUpCarts } from './recover-carts.ts'
import { MINUTE } from '../../lib/time.ts'
import { oneByOne } from '../../work/one-by-one.ts'
import { jobOf, type Step } from '../../work/step.ts'

export const cartRecovery: Step = {
  ...waitingBy('carts', 'recover_at'),
  async run(ctx, lease, place) {
    const found = await cartsToRecover(ctx.db, place)
    return oneByOne(ctx, lease, {
      work: 'recover-carts',
      found,
      give: (tx, some) => giveUpCarts(tx, some, place.now),
    })
  },
}

/** Gives up carts an hour after their last visit, and mails their buyers (`docs/interface.md` 10.2). */
export const recoverCarts = jobOf({ name: 'recover-carts', everyMs: MINUTE, leaseMs: MINUTE }, [cartRecovery])
