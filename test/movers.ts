import { runDue } from '../src/jobs/worker.ts'
import { DAY, HOUR } from '../src/lib/time.ts'
import { settleReports } from '../src/sales/charges/settle-reports-job.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { startTestApp, type TestOptions } from './app.ts'
import { testEngine } from './database.ts'
import { offerFor } from './licenses.ts'
import type { Mover, Now } from './mover.ts'
import { startWallets } from './paypal/mover.ts'
import { readsOf, soldNow, timesOf } from './renewing.ts'
import { startCards } from './stripe/mover.ts'

const STARTS = { cards: startCards, wallets: startWallets } as const

/** Each gateway that moves money, by what it takes. */
export const MOVERS = ['cards', 'wallets'] as const satisfies readonly (keyof typeof STARTS)[]
export type Kind = (typeof MOVERS)[number]

/**
 * The same, where what a test is about is done by the gateway and in our own code: one engine tells of another gateway
 * what there is to tell, and races in the database are run on the other by cards.
 */
export const MOVERS_ONCE: readonly Kind[] = testEngine() === 'sqlite' ? MOVERS : ['cards']

/** Plays one. */
export const startMover = (kind: Kind, now: Now): Promise<Mover> => STARTS[kind](now)

/** A shop of the sandbox with that gateway alone, and a price to buy. */
export async function moverShop(name: string, kind: Kind, options?: TestOptions) {
  const app = await startTestApp(`${name}_${kind}`, options)
  const mover = await startMover(kind, () => app.ctx.clock.real())
  Object.assign(app.ctx, { gateways: mover.gateways })
  const { pricingId } = await offerFor(app, 1)
  const times = timesOf(app)
  return {
    app,
    mover,
    pricingId,
    ...readsOf(app),
    ...times,
    /** A monthly subscription that was bought now, when its renewal is due, and how many charges there were till then. */
    async sold(environment: 0 | 1 = 1) {
      const one = await soldNow(app, { pricingId, environment, method: mover.tokens.paid })
      return { ...one, made: mover.charges().length }
    },
    /** The jobs that give back, hour by hour, or in longer steps. */
    async pass(count: number, step = HOUR): Promise<void> {
      for (let time = 0; time < count; time++) {
        await times.goTo(app.ctx.clock.real() + step)
        if (step >= DAY) mover.forgetKeys()
        await runDue(app.ctx, [settleRefunds, settleReports])
      }
    },
    async close() {
      mover.close()
      await app.close()
    },
  }
}
export type MoverShop = Awaited<ReturnType<typeof moverShop>>
